package reqlog_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func promptIs(names ...string) reqlog.Node {
	return reqlog.Cond{Field: reqlog.FieldPrompt, Op: reqlog.OpIn, Texts: names}
}

func promptIDIs(ids ...int64) reqlog.Node {
	return reqlog.Cond{Field: reqlog.FieldPromptID, Op: reqlog.OpIn, IDs: ids}
}

func TestServiceSearch(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	for _, name := range []string{"welcome", "Wave", "welcome", ""} {
		f.logged(t, named(reqlog.PromptRef{Name: name}))
	}
	f.prompts.lookups = nil
	in := reqlog.SearchInput{
		QueryInput: reqlog.QueryInput{Filter: promptIs("Wave", "nobody"), Text: "oslo", SortBy: reqlog.FieldCost, Ascending: true},
		Page:       3, PerPage: 20,
	}
	got, err := f.Search(access.AsSystem(t.Context()), home, in)
	if err != nil {
		t.Fatal(err)
	}
	want := reqlog.SearchQuery{
		Query:  reqlog.Query{Workspace: home, Filter: promptIDIs(12), Text: "oslo"},
		SortBy: reqlog.FieldCost, Ascending: true, Page: 3, PerPage: 20,
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
	in := reqlog.SearchInput{IncludePromptName: true}
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
	named := reqlog.QueryInput{Filter: promptIs("Wave")}
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
	f.store.analytics = reqlog.Analytics{
		MostUsedPrompts: []reqlog.NamedCount{{Name: "11"}, {Name: "99"}},
		Prompts:         []reqlog.Breakdown{{Name: "13"}},
	}
	since := reqlog.Cond{
		Field: reqlog.FieldStart, Op: reqlog.OpAfter, Times: []reqlog.Micros{reqlog.At(noon.Add(-time.Hour))},
	}
	in := reqlog.QueryInput{
		Filter: reqlog.Group{Nodes: []reqlog.Node{since, promptIs("Wave")}}, Text: "oslo", BreakdownKey: "team",
	}
	got, err := f.Analyze(access.AsSystem(t.Context()), home, in)
	if err != nil {
		t.Fatal(err)
	}
	want := reqlog.AnalyzeQuery{
		Query: reqlog.Query{
			Workspace: home, Filter: reqlog.Group{Nodes: []reqlog.Node{since, promptIDIs(12)}}, Text: "oslo",
		},
		Bucket:       reqlog.BucketMinute,
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
	chart := reqlog.Chart{
		ID: "by-prompt", Type: "bar", Limit: 25,
		Series: []reqlog.ChartSeries{{Key: "value", Label: "Requests", Measure: reqlog.Measure{Metric: reqlog.MetricCount}}},
		By:     []reqlog.Dimension{{Field: reqlog.FieldPromptID}},
	}
	in := reqlog.QueryInput{Filter: promptIs("Wave"), Text: "oslo"}
	got, err := f.Charts(access.AsSystem(t.Context()), home, in, []reqlog.Chart{chart})
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
	want := reqlog.Query{Workspace: home, Filter: promptIDIs(12), Text: "oslo"}
	if diff := cmp.Diff(want, f.store.counted.Query); diff != "" {
		t.Errorf("query (-want +got):\n%s", diff)
	}
}
