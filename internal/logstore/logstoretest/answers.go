package logstoretest

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Fill appends the corpus in batches of many sizes, adds spans, annotates some of
// it and changes prices.
func Fill(t testing.TB, store requests.Store) {
	t.Helper()
	logs := Corpus()
	for size := 1; len(logs) > 0; size = size*2 + 1 {
		n := min(size, len(logs))
		if err := store.Write(t.Context(), reqlog.Batch{Logs: logs[:n]}); err != nil {
			t.Fatalf("append %d logs: %v", n, err)
		}
		logs = logs[n:]
	}
	if err := store.Write(t.Context(), reqlog.Batch{Spans: CorpusSpans()}); err != nil {
		t.Fatalf("append spans: %v", err)
	}
	for i, l := range Corpus() {
		for _, change := range changes(i) {
			if err := store.Write(t.Context(), Annotating(l.Workspace, l.ID, change)); err != nil {
				t.Fatalf("annotate log %d: %v", l.ID, err)
			}
		}
	}
	for _, batch := range repricings(Corpus()) {
		if err := store.Write(t.Context(), batch); err != nil {
			t.Fatalf("change prices: %v", err)
		}
	}
}

// changes returns how the i-th log of the corpus is annotated.
func changes(i int) []reqlog.Annotation {
	all := []reqlog.Annotation{
		{Metadata: []reqlog.Member{{Key: "env", Value: json.RawMessage(`"annotated"`)}, {Key: "new<", Value: json.RawMessage(`{ "deep": [ 1, "<" ] }`)}}},
		{Score: &reqlog.Score{Name: "default", Value: int64(i % 101)}},
		{Score: &reqlog.Score{Name: "späte Note", Value: 1}},
		{
			Prompt:    &reqlog.PromptLink{ID: 900, Version: 12, Referenced: []string{"late"}},
			Variables: json.RawMessage(`{"late": "yes", "city": 5}`),
		},
		{GroupID: 77},
		{Metadata: []reqlog.Member{{Key: "user_id", Value: json.RawMessage(`null`)}}},
	}
	switch {
	case i%9 == 0:
		return all[i/9%len(all):][:1]
	case i%50 == 1:
		return all
	}
	return nil
}

// Answer is what a store replied to a question.
type Answer struct {
	Question string
	Reply    any
}

// Answers asks the store questions of every kind about the corpus.
func Answers(t testing.TB, store requests.Store) []Answer {
	t.Helper()
	return answersUpTo(t, store, math.MaxInt64)
}

// answersUpTo asks for single logs only up to an id, if there are no others.
func answersUpTo(t testing.TB, store requests.Store, last int64) []Answer {
	t.Helper()
	var all []Answer
	ask := func(question string, reply any, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", question, err)
		}
		all = append(all, Answer{question, reply})
	}
	for i, l := range Corpus() {
		if i%5 > 1 || l.ID > last {
			continue
		}
		got, err := store.Get(t.Context(), l.Workspace, l.ID)
		if err == nil {
			got = copyOf(got)
			got.Index = reqlog.Index{}
		}
		if fault.Is(err, fault.NotFound) {
			got, err = nil, nil
		}
		ask(fmt.Sprint("get ", l.ID), got, err)
	}
	for i := range 20 {
		trace, err := store.Trace(t.Context(), query.TraceQuery{Workspace: Home, TraceID: fmt.Sprintf("trace-%d", i), Limit: 100})
		if fault.Is(err, fault.NotFound) {
			trace, err = nil, nil
		}
		ask(fmt.Sprint("trace ", i), trace, err)
	}
	for _, q := range questions() {
		name := fmt.Sprintf("%+v", q)
		found, err := store.Search(t.Context(), query.SearchQuery{Query: q, Page: 1, PerPage: 5})
		ask("search "+name, found, err)
		ids, err := store.Aggregate(t.Context(), chart.AggregateQuery{Query: q, By: []chart.Dimension{{Field: query.FieldID}}})
		ask("ids "+name, sortedByKey(ids), err)
	}
	for _, workspace := range []int64{Home, Away, 3} {
		q := query.Query{Workspace: workspace}
		for _, field := range suggestible {
			values, err := store.Suggest(t.Context(), query.SuggestQuery{Query: q, Field: field, Key: someKey(field), Limit: 1000})
			ask(fmt.Sprintf("suggest %s in %d", field, workspace), values, err)
		}
		analytics, err := store.Analyze(t.Context(), chart.AnalyzeQuery{Query: q, Bucket: chart.BucketDay})
		ask(fmt.Sprintf("analyze %d", workspace), analytics, err)
		usages, err := store.Usages(t.Context(), query.UsageQuery{Query: q, Last: everything, Limit: 10_000})
		ask(fmt.Sprintf("usages %d", workspace), usages, err)
	}
	return all
}

// questions are filters and texts that reach every column and the text index.
func questions() []query.Query {
	g := newGenerator(Corpus(), 3)
	var all []query.Query
	for _, field := range fields {
		all = append(all, home(g.cond(field, field.Type().Operators()[0]), ""))
	}
	for _, text := range []string{"", "refund", "hipopot", "refnud order", "{}", "日本語"} {
		all = append(all, home(nil, text))
	}
	return append(all, query.Query{Workspace: Away, Text: "refund"})
}

// Diff compares the answers of two stores, or of one before and after. It
// returns "" when they agree, else the first few that do not.
func Diff(want, got []Answer) string {
	var diffs []string
	for i := range want {
		if i >= len(got) || len(diffs) >= 3 {
			break
		}
		if reflect.DeepEqual(want[i], got[i]) {
			continue
		}
		if diff := cmp.Diff(want[i], got[i], nearly); diff != "" {
			diffs = append(diffs, want[i].Question+":\n"+clip(diff, 4_000))
		}
	}
	if len(want) != len(got) {
		diffs = append(diffs, fmt.Sprintf("%d answers, want %d", len(got), len(want)))
	}
	return strings.Join(diffs, "\n")
}

// sortedByKey returns rows in the order of their keys.
func sortedByKey(rows []chart.AggregateRow) []chart.AggregateRow {
	return slices.SortedFunc(slices.Values(rows), func(a, b chart.AggregateRow) int { return slices.Compare(a.Keys, b.Keys) })
}
