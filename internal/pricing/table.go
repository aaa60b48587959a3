package pricing

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/provider"
)

// maxKnown limits the models whose prices a table remembers.
const maxKnown = 10_000

// Table finds the prices of models: custom ones before those that come with the
// program. It is safe for concurrent use.
type Table struct {
	custom []Price

	mu    sync.RWMutex
	known map[modelKey][]*Price
}

type modelKey struct{ provider, model string }

// NewTable returns a table with custom prices.
func NewTable(custom []Price) *Table { return &Table{custom: custom, known: map[modelKey][]*Price{}} }

// Find returns the price of a model at a time, nil if there is none. Among the
// prices that hold then, it is the first by these rules: a custom price, one for
// the exact name, one for the name without its release, the longest pattern, one
// for this provider alone, and the one that began last.
func (t *Table) Find(providerName, model string, at time.Time) *Price {
	for _, price := range t.of(modelKey{providerName, model}) {
		if !price.ValidFrom.After(at) {
			return price
		}
	}
	return nil
}

// Quote is the cost of a usage.
type Quote struct {
	USD float64
	// Source is where the price comes from.
	Source Source
}

// Cost returns the cost of a usage, and whether it is known.
func (t *Table) Cost(providerName, model string, at time.Time, usage provider.Usage) (quote Quote, ok bool) {
	if !usage.Known() {
		return Quote{}, false
	}
	price := t.Find(providerName, model, at)
	if price == nil {
		return Quote{}, false
	}
	return Quote{price.Cost(usage), price.Source}, true
}

// of returns the prices of a model at all times, in the order of precedence.
func (t *Table) of(key modelKey) []*Price {
	t.mu.RLock()
	found, ok := t.known[key]
	t.mu.RUnlock()
	if ok {
		return found
	}
	found = append(ranked(t.custom, key), ranked(builtin(), key)...)
	key = modelKey{strings.Clone(key.provider), strings.Clone(key.model)} // they may be parts of a body
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.known) >= maxKnown {
		clear(t.known)
	}
	t.known[key] = found
	return found
}

// candidate is a price that matches a model.
type candidate struct {
	price *Price
	// name is the index of the name that matched, and kind how it did.
	name, kind int
}

// ranked returns the prices in the list that match, the best first.
func ranked(list []Price, key modelKey) []*Price {
	names, providerName := namesOf(key.model), strings.ToLower(key.provider)
	var found []candidate
	for i := range list {
		if p := &list[i]; p.Provider == AnyProvider || strings.EqualFold(p.Provider, providerName) {
			found = appendMatch(found, p, names)
		}
	}
	slices.SortStableFunc(found, compare)
	prices := make([]*Price, len(found))
	for i := range found {
		prices[i] = found[i].price
	}
	return prices
}

// appendMatch appends the price with the best match among the names.
func appendMatch(found []candidate, price *Price, names []string) []candidate {
	best, model := candidate{price, 0, matchesNothing}, strings.ToLower(price.Model)
	for i, name := range names {
		if kind := match(model, name); kind < best.kind {
			best.name, best.kind = i, kind
		}
	}
	if best.kind == matchesNothing {
		return found
	}
	return append(found, best)
}

func compare(a, b candidate) int {
	return cmp.Or(
		cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name),
		cmp.Compare(literals(b.price.Model), literals(a.price.Model)),
		cmp.Compare(generality(a.price), generality(b.price)),
		b.price.ValidFrom.Compare(a.price.ValidFrom), cmp.Compare(a.price.Model, b.price.Model),
	)
}

// literals returns the length of a pattern without stars.
func literals(model string) int { return len(model) - strings.Count(model, "*") }

func generality(p *Price) int {
	if p.Provider == AnyProvider {
		return 1
	}
	return 0
}
