package requests_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

func promptIs(names ...string) query.Node {
	return query.Cond{Field: query.FieldPrompt, Op: query.OpIn, Texts: names}
}

func promptIDIs(ids ...int64) query.Node {
	return query.Cond{Field: query.FieldPromptID, Op: query.OpIn, IDs: ids}
}

func TestServiceSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, name := range []string{"welcome", "Wave", "welcome", ""} {
		f.logged(t, named(reqlog.PromptRef{Name: name}))
	}
	f.prompts.lookups = nil
	in := requests.SearchInput{
		Input: query.Input{Filter: promptIs("Wave", "nobody"), Text: "oslo", SortBy: query.FieldCost, Ascending: true},
		Page:  3, PerPage: 20,
	}
	got, err := f.Search(access.AsSystem(t.Context()), home, in)
	if err != nil {
		t.Fatal(err)
	}
	want := query.SearchQuery{
		Query:  query.Query{Workspace: home, Filter: promptIDIs(12), Text: "oslo"},
		SortBy: query.FieldCost, Ascending: true, Page: 3, PerPage: 20,
	}
	if diff := cmp.Diff(want, f.store.searched); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	if got.Total != 4 || len(got.Items) != 4 || got.PromptNames != nil {
		t.Errorf("found %d items of %d, names %v; want 4, 4 and none", len(got.Items), got.Total, got.PromptNames)
	}
	in.IncludePromptName = true
	if got, err = f.Search(access.AsSystem(t.Context()), home, in); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[int64]string{11: "welcome", 12: "Wave"}, got.PromptNames); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"ids", "ids", "names"}, f.prompts.lookups); diff != "" {
		t.Errorf("lookups (-want +got):\n%s", diff)
	}
}

func TestServiceUsesRegistryOnlyForNames(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.logged(t, named(reqlog.PromptRef{}))
	f.prompts.fail = errors.New("away")
	in := requests.SearchInput{IncludePromptName: true}
	if _, err := f.Search(access.AsSystem(t.Context()), home, in); err != nil {
		t.Errorf("search with names, no log with a prompt: %v", err)
	}
	f.prompts.fail = nil
	f.logged(t, named(reqlog.PromptRef{Name: "Wave"}))
	f.prompts.fail = errors.New("away")
	if _, err := f.Search(access.AsSystem(t.Context()), home, in); !errors.Is(err, f.prompts.fail) {
		t.Errorf("search with names: %v", err)
	}
	in.IncludePromptName = false
	if _, err := f.Search(access.AsSystem(t.Context()), home, in); err != nil {
		t.Errorf("search without names: %v", err)
	}
	named := query.Input{Filter: promptIs("Wave")}
	if _, err := f.Analyze(access.AsSystem(t.Context()), home, named); !errors.Is(err, f.prompts.fail) {
		t.Errorf("analytics of a named prompt: %v", err)
	}
	if _, err := f.Charts(access.AsSystem(t.Context()), home, named, nil); !errors.Is(err, f.prompts.fail) {
		t.Errorf("charts of a named prompt: %v", err)
	}
}

func TestServiceAnalyze(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.store.analytics = chart.Analytics{
		MostUsedPrompts: []chart.NamedCount{{Name: "11"}, {Name: "99"}},
		Prompts:         []chart.Breakdown{{Name: "13"}},
	}
	since := query.Cond{
		Field: query.FieldStart, Op: query.OpAfter, Times: []reqlog.Micros{reqlog.At(noon.Add(-time.Hour))},
	}
	in := query.Input{
		Filter: query.Group{Nodes: []query.Node{since, promptIs("Wave")}}, Text: "oslo", BreakdownKey: "team",
	}
	got, err := f.Analyze(access.AsSystem(t.Context()), home, in)
	if err != nil {
		t.Fatal(err)
	}
	want := chart.AnalyzeQuery{
		Query: query.Query{
			Workspace: home, Filter: query.Group{Nodes: []query.Node{since, promptIDIs(12)}}, Text: "oslo",
		},
		Bucket:       chart.BucketMinute,
		BreakdownKey: "team",
	}
	if diff := cmp.Diff(want, f.store.analyzed); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"11": "welcome", "13": "farewell"}, got.PromptNames); diff != "" {
		t.Errorf("names (-want +got):\n%s", diff)
	}
	if got.Analytics != &f.store.analytics {
		t.Error("the payload is not the store's")
	}
}

func TestServiceCharts(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, name := range []string{"welcome", "Wave", "welcome", ""} {
		f.logged(t, named(reqlog.PromptRef{Name: name}))
	}
	c := chart.Chart{
		ID: "by-prompt", Type: "bar", Limit: 25,
		Series: []chart.Series{{Key: "value", Label: "Requests", Measure: chart.Measure{Metric: chart.MetricCount}}},
		By:     []chart.Dimension{{Field: query.FieldPromptID}},
	}
	in := query.Input{Filter: promptIs("Wave"), Text: "oslo"}
	got, err := f.Charts(access.AsSystem(t.Context()), home, in, []chart.Chart{c})
	if err != nil || len(got) != 1 {
		t.Fatalf("charts = %v, %v", got, err)
	}
	var labels []any
	for _, row := range got[0].Data {
		labels = append(labels, row[0].Value)
	}
	if diff := cmp.Diff([]any{"welcome", "Wave"}, labels); diff != "" {
		t.Errorf("labels (-want +got):\n%s", diff)
	}
	want := query.Query{Workspace: home, Filter: promptIDIs(12), Text: "oslo"}
	if diff := cmp.Diff(want, f.store.counted.Query); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
}
