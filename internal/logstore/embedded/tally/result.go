package tally

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// maxLookups is the number of metadata values that are looked up because they may be
// among the first ones. It is higher if many have the same cost and as many requests,
// so that their names decide.
const maxLookups = 1000

// Lookups are the ids of logs in which texts are looked up, in ascending order: their
// names, their sets of keys, and their metadata values.
type Lookups struct{ Names, Keys, Values []int64 }

// Lookups returns the logs whose texts Result needs.
func (t *Tally) Lookups() Lookups {
	named, keyed, valued := map[int64]bool{}, map[int64]bool{}, map[int64]bool{}
	for _, names := range []names{t.shared.models, t.shared.providers, t.shared.errorTypes} {
		for _, name := range names {
			named[name.id] = true
		}
	}
	for _, sets := range []*hashes{&t.metadataKeys, &t.outputKeys} {
		for set := range sets.all() {
			keyed[set.id] = true
		}
	}
	for _, value := range t.topValues() {
		valued[value.id] = true
	}
	sorted := func(ids map[int64]bool) []int64 { return slices.Sorted(maps.Keys(ids)) }
	return Lookups{sorted(named), sorted(keyed), sorted(valued)}
}

// topValues returns the metadata values that may be among the first ones, none if they
// are left to SQL.
func (t *Tally) topValues() []*hashed {
	if t.top == nil {
		t.top = t.values.top(chart.TopRows)
		t.leftValues = t.values.exceeded || len(t.top) > maxLookups
	}
	if t.leftValues {
		return nil
	}
	return t.top
}

// Texts are the texts of logs that hashes stand for, by the ids of the logs.
type Texts struct {
	names map[int64]logNames
	keys  map[int64]logKeys
	pairs map[int64][]string
	bytes int // of all of them
}

// logNames are the names of a log.
type logNames struct {
	modelHash, providerHash, errorTypeHash int64
	model, provider, errorType             string
}

// logKeys are the keys in the metadata and in the output of a log.
type logKeys struct{ metadata, output []string }

// maxTextBytes is the size of all texts.
const maxTextBytes = 64 << 20

// NewTexts returns none.
func NewTexts() *Texts {
	return &Texts{names: map[int64]logNames{}, keys: map[int64]logKeys{}, pairs: map[int64][]string{}}
}

// The columns that AddNames, AddKeys and AddPairs read.
const (
	SelectNames = "id, hash(engine), hash(provider), hash(error_type), coalesce(nullif(engine, ''), '" + chart.UnknownModel + "'), provider, " +
		"coalesce(error_type, '')"
	SelectKeys  = "id, metadata_keys, output_keys"
	SelectPairs = "id, metadata_pairs"
)

// AddNames adds the names of the logs of a chunk.
func (t *Texts) AddNames(c *chunk.Chunk) error {
	modelHashes, providerHashes, errorTypeHashes, models, providers, errorTypes := c.Ints(1), c.Ints(2), c.Ints(3), c.Texts(4), c.Texts(5), c.Texts(6)
	for row, id := range c.Ints(0) {
		names := t.clone([]chunk.Text{models[row], providers[row], errorTypes[row]})
		t.names[id] = logNames{modelHashes[row], providerHashes[row], errorTypeHashes[row], names[0], names[1], names[2]}
	}
	return t.check()
}

// AddKeys adds the keys of the logs of a chunk.
func (t *Texts) AddKeys(c *chunk.Chunk) error {
	metadata, output := c.TextLists(1), c.TextLists(2)
	for row, id := range c.Ints(0) {
		t.keys[id] = logKeys{t.clone(metadata.Of(row)), t.clone(output.Of(row))}
		if err := t.check(); err != nil {
			return err
		}
	}
	return nil
}

// AddPairs adds the metadata of the logs of a chunk.
func (t *Texts) AddPairs(c *chunk.Chunk) error {
	pairs := c.TextLists(1)
	for row, id := range c.Ints(0) {
		t.pairs[id] = t.clone(pairs.Of(row))
		if err := t.check(); err != nil {
			return err
		}
	}
	return nil
}

// check returns an error if the texts take too much memory.
func (t *Texts) check() error {
	if t.bytes > maxTextBytes {
		return ErrTooMany
	}
	return nil
}

// clone returns texts that stay when the chunk is gone.
func (t *Texts) clone(texts []chunk.Text) []string {
	all := make([]string, len(texts))
	for i := range texts {
		all[i] = strings.Clone(texts[i].View())
		t.bytes += len(all[i]) + textOverhead
	}
	return all
}

// textOverhead is about what a text takes besides its bytes.
const textOverhead = 24

// Result writes the analytics, without the shares of traces, and without metadata values
// if there are so many that it reports them to be left to SQL. It uses a goroutine per
// core. The texts are those of Lookups; it returns an error if a log changed since it was
// added, so that names are missing.
func (t *Tally) Result(ctx context.Context, cores int, texts *Texts, r *chart.Analytics) (valuesLeft bool, err error) {
	k := t.shared
	if !k.models.find(func(id int64) (int64, string) { return texts.names[id].modelHash, texts.names[id].model }) ||
		!k.providers.find(func(id int64) (int64, string) { return texts.names[id].providerHash, texts.names[id].provider }) ||
		!k.errorTypes.find(func(id int64) (int64, string) { return texts.names[id].errorTypeHash, texts.names[id].errorType }) {
		return false, ErrChanged
	}
	if r.MetadataKeys, err = keys(&t.metadataKeys, func(id int64) []string { return texts.keys[id].metadata }); err != nil {
		return false, err
	}
	if r.OutputKeys, err = keys(&t.outputKeys, func(id int64) []string { return texts.keys[id].output }); err != nil {
		return false, err
	}
	if r.MetadataValues, err = t.metadataValues(texts); err != nil {
		return false, err
	}
	models := t.dimension(func(of kind) string { return k.models[of.model].text })
	providers := t.dimension(func(of kind) string { return k.providers[of.provider].text })
	errorTypes := t.dimension(func(of kind) string { return k.errorTypes[of.errorType].text })
	prompts := t.dimension(func(of kind) string {
		if of.prompt == 0 {
			return ""
		}
		return strconv.FormatInt(of.prompt, 10)
	})
	r.Models, r.ErrorTypes = chart.MostRequests(models.breakdowns), chart.MostRequests(errorTypes.breakdowns)
	r.Providers, r.Tags = chart.HighestCost(providers.breakdowns), chart.HighestCost(breakdowns(&t.tags))
	r.Prompts, r.MostUsedPrompts = chart.HighestCost(prompts.breakdowns), chart.MostRequests(prompts.breakdowns)
	r.Tools = t.toolStats()
	keptModels, keptProviders, keptPrompts := r.RankedNames()
	models.keep(keptModels)
	providers.keep(keptProviders)
	prompts.keep(keptPrompts)
	if err := t.distributions(ctx, cores, r, models, providers, prompts); err != nil {
		return false, err
	}
	r.ByModel, r.ByProvider, r.ByPrompt = models.series(), providers.series(), prompts.series()
	r.SumBuckets()
	return t.leftValues, nil
}

func breakdowns(g *group[total]) (all []chart.Breakdown) {
	for number, name := range g.names {
		b := chart.Breakdown{Name: name}
		g.totals[number].addTo(&b)
		all = append(all, b)
	}
	return all
}

func (t *Tally) toolStats() []chart.ToolStats {
	var all []chart.ToolStats
	for number, name := range t.tools.names {
		all = append(all, t.tools.totals[number].stats(name))
	}
	slices.SortFunc(all, func(a, b chart.ToolStats) int {
		return cmp.Or(cmp.Compare(b.Requests, a.Requests), cmp.Compare(a.Name, b.Name))
	})
	return all[:min(len(all), chart.TopRows)]
}

// keys counts the logs with each key, given those with each set of keys.
func keys(sets *hashes, of func(id int64) []string) ([]chart.NamedCount, error) {
	counts := map[string]int64{}
	for set := range sets.all() {
		names := of(set.id)
		if document.TextsHash(names) != set.hash {
			return nil, ErrChanged
		}
		for _, name := range names {
			counts[name] += set.requests
		}
	}
	var all []chart.Breakdown
	for name, requests := range counts {
		all = append(all, chart.Breakdown{Name: name, Requests: requests})
	}
	return chart.MostRequests(all), nil
}

func (t *Tally) metadataValues(texts *Texts) ([]chart.ValueBreakdown, error) {
	type named struct {
		*hashed
		pair string
	}
	var all []named
	for _, value := range t.topValues() {
		pairs := texts.pairs[value.id]
		at := slices.IndexFunc(pairs, func(pair string) bool {
			key, text := document.SplitPair(pair)
			return document.ValueHash(query.FieldMetadata, key, text) == value.hash
		})
		if at < 0 {
			return nil, ErrChanged
		}
		all = append(all, named{value, pairs[at]})
	}
	slices.SortFunc(all, func(a, b named) int { return cmp.Or(ranked(a.hashed, b.hashed), strings.Compare(a.pair, b.pair)) })
	var breakdowns []chart.ValueBreakdown
	for _, value := range all[:min(len(all), chart.TopRows)] {
		b := chart.ValueBreakdown{Requests: value.requests, Cost: value.cost}
		b.Key, b.Value = document.SplitPair(value.pair)
		breakdowns = append(breakdowns, b)
	}
	return breakdowns, nil
}
