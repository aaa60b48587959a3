package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/reqlog"
)

func TestMisspells(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		word, term string
		want       bool
	}{
		{"refund", "refund", true},
		{"refnud", "refund", true},
		{"refumd", "refunds", true},
		{"refund", "refurbished", false},
		{"hipopot", "hippopotamus", true},
		{"hipopto", "hippopotamus", false},
		{"cat", "cart", true},
		{"cat", "coast", false},
		{"up", "us", false},
		{"order7", "order8", false},
		{"customer", "cost", false},
	} {
		t.Run(tc.word+" for "+tc.term, func(t *testing.T) {
			t.Parallel()
			if got := misspells(tc.word, tc.term); got != tc.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// testLogs are three logs with texts and numbers that are easy to count.
func testLogs() []*reqlog.Log {
	day := reqlog.Micros(86_400_000_000)
	return []*reqlog.Log{
		{ID: 1, Start: day, End: day + 1_000_000, Engine: "m1", Provider: "p1", Status: "SUCCESS", Price: reqlog.Price{USD: 1, Source: reqlog.PriceSent}, Tags: []string{"a"},
			Index: reqlog.Index{InputText: "Don't refund", OutputText: "done", IsJSON: true, Output: []reqlog.Pair{{Key: "k", Value: "v"}}}},
		{ID: 2, Start: day + 1, End: day + 3_000_001, Engine: "m1", Provider: "p1", Status: "ERROR", ErrorType: "UNKNOWN_ERROR", Price: reqlog.Price{USD: 2, Source: reqlog.PriceSent},
			Tags: []string{"a", "b"}, Index: reqlog.Index{InputText: "refunds", Metadata: []reqlog.Pair{{Key: "env", Value: "prod"}}}},
		{ID: 3, Start: 2 * day, End: 2*day + 5_000_000, Engine: "m2", Provider: "p1", Status: "SUCCESS", Price: reqlog.Price{USD: 4, Source: reqlog.PriceSent},
			Index: reqlog.Index{InputText: "hello", IsToolCall: true, ToolCallCount: 2, ToolNames: []string{"t"}}},
	}
}

func fillAnchor(t *testing.T, e engine) {
	t.Helper()
	for _, l := range testLogs() {
		if err := e.add(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := e.finish(); err != nil {
		t.Fatal(err)
	}
}

func TestFTSAnchor(t *testing.T) {
	t.Parallel()
	a, err := openFTS(t.TempDir() + "/fts")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close() }()
	fillAnchor(t, a)
	for _, tc := range []struct {
		q    string
		want []int64
	}{
		{"refund", []int64{2, 1}},
		{"refnud", []int64{2, 1}},
		{"dont refund", []int64{1}},
		{"hello", []int64{3}},
		{"user", nil},
		{"nothing", nil},
	} {
		total, ids, err := a.search(tc.q)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, ids); diff != "" || total != int64(len(tc.want)) {
			t.Errorf("%q: %d found (-want +got):\n%s", tc.q, total, diff)
		}
	}
}

func TestDuckAnchor(t *testing.T) {
	t.Parallel()
	a, err := openDuck(t.TempDir()+"/duck", duckSchema, "log")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.close() }()
	fillAnchor(t, a)
	for _, tc := range []struct {
		where string
		want  []int64
	}{
		{"true", []int64{3, 2, 1}},
		{"list_contains(tags, 'a')", []int64{2, 1}},
		{"list_contains(metadata_pairs, 'env" + separator + "prod')", []int64{2}},
		{"engine = 'none'", nil},
	} {
		total, ids, err := a.search(duckPage{tc.where, newestFirst})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, ids); diff != "" || total != int64(len(tc.want)) {
			t.Errorf("%s: %d found (-want +got):\n%s", tc.where, total, diff)
		}
	}
	got, err := a.analyze("engine = 'm1'")
	if err != nil {
		t.Fatal(err)
	}
	want := facts{
		"requests": 2, "cost": 3, "tokens": 0, "latency": 2, "model m1": 2, "requests m1 1970-01-02": 2,
		"1970-01-02 requests": 2, "1970-01-02 cost": 3, "1970-01-02 tokens": 0, "1970-01-02 turns": 0, "1970-01-02 tool calls": 0,
		"1970-01-02 SUCCESS": 1, "1970-01-02 ERROR": 1, "1970-01-02 json": 1, "1970-01-02 tool": 0, "1970-01-02 plain": 1,
		"p50 m1 1970-01-02": 2, "p90 p1 1970-01-02": 2.8, "p95 1970-01-02": 2.9,
		"provider p1= requests": 2, "provider p1= cost": 3, "error UNKNOWN_ERROR= requests": 1,
		"tag a= requests": 2, "tag a= cost": 3, "tag b= requests": 1, "tag b= cost": 2,
		"metadata env= requests": 1, "value env=prod requests": 1, "value env=prod cost": 2, "output k= requests": 1,
	}
	r := newReport(options{})
	if r.sameFacts("analytics", got, want); len(r.Mismatches) > 0 {
		t.Errorf("facts differ: %q", r.Mismatches)
	}
}

func TestReportJudges(t *testing.T) {
	t.Parallel()
	r := newReport(options{})
	r.atLeast("fast enough", quantity{50, "/s"}, quantity{100, "/s"}, 0.5)
	r.atLeast("too slow", quantity{49, "/s"}, quantity{100, "/s"}, 0.5)
	r.atMost("short enough", milliseconds(2*time.Second), milliseconds(time.Second), 2)
	r.atMost("too long", milliseconds(3*time.Second), milliseconds(time.Second), 2)
	r.below("small enough", megabytes(1<<20), 1)
	r.below("too big", megabytes(1<<21), 1)
	r.atMost("anchor alone", quantity{}, milliseconds(time.Second), 2)
	var met []string
	for _, line := range r.Results {
		cells := line.cells()
		met = append(met, line.Measure+": "+cells[5])
	}
	want := []string{"fast enough: yes", "too slow: NO", "short enough: yes", "too long: NO", "small enough: yes", "too big: NO", "anchor alone: "}
	if diff := cmp.Diff(want, met); diff != "" {
		t.Errorf("judgements (-want +got):\n%s", diff)
	}
	r.same("equal", 1, 1)
	r.sameFacts("facts", facts{"a": 1, "b": 2}, facts{"a": 1, "b": 3, "c": 1})
	if len(r.Mismatches) != 3 {
		t.Errorf("mismatches: %q", r.Mismatches)
	}
}
