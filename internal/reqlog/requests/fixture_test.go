package requests_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// memoryStore keeps the logs that are written to it, unless refuse is set.
type memoryStore struct {
	requests.Store
	refuse error

	mu       sync.Mutex
	attempts int
	stored   []*reqlog.Log
	sizes    []int // of the batches
}

func (s *memoryStore) Write(_ context.Context, batch reqlog.Batch) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.attempts++; s.refuse == nil {
		s.stored = append(s.stored, batch.Logs...)
		s.sizes = append(s.sizes, len(batch.Logs))
	}
	return s.refuse
}

func (s *memoryStore) Backlog() float64 { return 0 }

func (s *memoryStore) logs() []*reqlog.Log {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.stored)
}

// counter is a sequence.
type counter struct{ last atomic.Int64 }

func (c *counter) ReserveIDs(_ context.Context, _ string, n int64) (int64, error) {
	return c.last.Add(n) - n + 1, nil
}

func wantFault(t *testing.T, what string, err error, kind fault.Kind) {
	t.Helper()
	if !fault.Is(err, kind) {
		t.Errorf("%s: error = %v, want a fault of kind %d", what, err, kind)
	}
}

// pageStore adds reads to memoryStore: it applies annotations, counts requests
// per prompt, and otherwise records its queries.
type pageStore struct {
	memoryStore
	searched query.SearchQuery
	suggest  query.SuggestQuery
	analyzed chart.AnalyzeQuery
	counted  chart.AggregateQuery
	// analytics is the result of Analyze.
	analytics chart.Analytics
}

func (s *pageStore) Get(_ context.Context, workspace, id int64) (*reqlog.Log, error) {
	for _, l := range s.logs() {
		if l.ID == id && l.Workspace == workspace {
			return l, nil
		}
	}
	return nil, fault.NotFoundf("Request not found")
}

func (s *pageStore) Exists(ctx context.Context, workspace, id int64) error {
	_, err := s.Get(ctx, workspace, id)
	return err
}

func (s *pageStore) Write(ctx context.Context, batch reqlog.Batch) error {
	for _, c := range batch.Changes {
		change := c.Annotation
		if len(change.Metadata) == 0 && change.Score == nil && change.Prompt == nil && change.GroupID == 0 {
			return errors.New("an annotation without a change")
		}
		l, err := s.Get(ctx, c.Workspace, c.ID)
		if err != nil {
			return err
		}
		change.Apply(l)
	}
	return s.memoryStore.Write(ctx, batch)
}

func (s *pageStore) Search(_ context.Context, q query.SearchQuery) (query.Found, error) {
	s.searched = q
	return query.Found{Items: s.logs(), Total: int64(len(s.logs()))}, nil
}

func (s *pageStore) Suggest(_ context.Context, q query.SuggestQuery) ([]string, error) {
	s.suggest = q
	return []string{"suggested"}, nil
}

func (s *pageStore) Analyze(_ context.Context, q chart.AnalyzeQuery) (*chart.Analytics, error) {
	s.analyzed = q
	return &s.analytics, nil
}

func (s *pageStore) Aggregate(_ context.Context, q chart.AggregateQuery) ([]chart.AggregateRow, error) {
	s.counted = q
	counts := map[int64]float64{}
	for _, l := range s.logs() {
		if l.Prompt != nil {
			counts[l.Prompt.ID]++
		}
	}
	var rows []chart.AggregateRow
	for id, count := range counts {
		rows = append(rows, chart.AggregateRow{Keys: []string{strconv.FormatInt(id, 10)}, Values: []*float64{&count}})
	}
	return rows, nil
}

// registry is a small set of prompts, by id, each with one version per variable
// set. It records every lookup.
type registry struct {
	names    map[int64]string
	versions map[int64][][]string
	fail     error

	mu      sync.Mutex
	lookups []string
}

func (r *registry) note(lookup string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lookups = append(r.lookups, lookup)
}

func (r *registry) Resolve(_ context.Context, workspace int64, ref reqlog.PromptRef) (reqlog.PromptLink, error) {
	r.note("resolve " + ref.Name)
	if r.fail != nil {
		return reqlog.PromptLink{}, r.fail
	}
	for id, name := range r.names {
		byName, byID := ref.Name == name && name != "", ref.ID == id
		if workspace != home || !byName && !byID {
			continue
		}
		if ref.Name != "" && !byName || ref.ID != 0 && !byID {
			return reqlog.PromptLink{}, fault.BadRequestf("two prompts")
		}
		versions := r.versions[id]
		version := ref.Version
		if version == 0 {
			version = int64(len(versions))
		}
		if version > int64(len(versions)) {
			break
		}
		return reqlog.PromptLink{ID: id, Version: version, Referenced: versions[version-1]}, nil
	}
	return reqlog.PromptLink{}, fault.NotFoundf("Prompt template not found")
}

func (r *registry) IDs(_ context.Context, _ int64, names []string) (map[string][]int64, error) {
	r.note("ids")
	ids := map[string][]int64{}
	for id, name := range r.names {
		if slices.Contains(names, name) {
			ids[name] = append(ids[name], id)
		}
	}
	return ids, r.fail
}

func (r *registry) Names(_ context.Context, _ int64, ids []int64) (map[int64]string, error) {
	r.note("names")
	names := maps.Clone(r.names)
	maps.DeleteFunc(names, func(id int64, _ string) bool { return !slices.Contains(ids, id) })
	return names, r.fail
}

// groupList has the groups 1 to count in workspace home.
type groupList struct {
	count int64
	fail  error
}

func (g *groupList) CreateGroup(context.Context, int64) (int64, error) {
	g.count++
	return g.count, g.fail
}

func (g *groupList) GroupExists(_ context.Context, workspace, id int64) (bool, error) {
	return workspace == home && id >= 1 && id <= g.count, g.fail
}

// home is the workspace of the tests; elsewhere is another.
const home, elsewhere = 7, 8

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

type fixture struct {
	*requests.Service
	store   *pageStore
	prompts *registry
	groups  *groupList
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	f := fixture{
		store: &pageStore{},
		prompts: &registry{
			names:    map[int64]string{11: "welcome", 12: "Wave", 13: "farewell"},
			versions: map[int64][][]string{11: {{"city"}, {"city", "name"}}, 12: {nil}, 13: {nil}},
		},
		groups: &groupList{count: 3},
	}
	f.Service = requests.NewService(requests.Options{
		Store: f.store, Prompts: f.prompts, Groups: f.groups, Sequence: &counter{},
		Clock: func() time.Time { return noon },
	})
	t.Cleanup(func() {
		if err := f.Drain(access.AsSystem(context.Background())); err != nil {
			t.Errorf("drain: %v", err)
		}
	})
	return f
}

const chatText = `{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"to Oslo"}]}]}`

// named returns an input with a reference to a prompt.
func named(ref reqlog.PromptRef) *reqlog.LogInput {
	l := &reqlog.Log{Engine: ref.Name, Input: []byte(chatText), Output: []byte(`{"type":"chat","messages":[]}`)}
	l.Variables = []byte(`{"city":"Oslo","other":1}`)
	return &reqlog.LogInput{Log: l, Prompt: ref, PromptGiven: ref != reqlog.PromptRef{}}
}

// logged stores one log of workspace home and returns its id.
func (f fixture) logged(t *testing.T, in *reqlog.LogInput) int64 {
	t.Helper()
	l, err := f.Log(access.AsSystem(t.Context()), home, in)
	if err != nil {
		t.Fatal(err)
	}
	return l.ID
}
