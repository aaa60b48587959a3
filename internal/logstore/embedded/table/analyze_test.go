package table

import (
	stdcmp "cmp"
	"errors"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/embedded/tally"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// tableOf returns a table with logs, which get their workspace here, and ids if they have
// none.
func tableOf(t *testing.T, logs []*reqlog.Log) *Table {
	t.Helper()
	table := New(t.TempDir(), Options{MemoryMB: 512, Threads: 2, Logger: slog.New(slog.DiscardHandler)})
	check.Must(table.Restore(t.Context(), nil))(t)
	t.Cleanup(func() { check.OK(t, table.Close()) })
	for i, l := range logs {
		l.ID, l.Workspace = stdcmp.Or(l.ID, int64(i+1)), 1
	}
	check.OK(t, table.Apply(t.Context(), &Batch{Rows: logs}))
	return table
}

// randomLog returns a log in which everything that analytics count varies. Prices add up
// without rounding, so that equal costs are equal in any order.
func randomLog(r *rand.Rand) *reqlog.Log {
	pick := func(texts ...string) string { return texts[r.IntN(len(texts))] }
	numbered := func(prefix string, n int) string { return prefix + strconv.Itoa(r.IntN(n)) }
	l := &reqlog.Log{
		Provider: pick("", "openai", "anthropic"), Engine: pick("", "unknown", "a-model-with-a-long-name", numbered("m", 70)),
		Status: pick(reqlog.StatusSuccess, reqlog.StatusSuccess, reqlog.StatusWarning, reqlog.StatusError), ErrorType: pick("", "", "TIMEOUT", "UNKNOWN"),
		Start: reqlog.Micros(r.Int64N(40*86_400e6) - 20*86_400e6),
	}
	l.End = l.Start + reqlog.Micros(r.Int64N(1<<r.IntN(43)))
	if r.IntN(4) > 0 {
		l.Price = reqlog.Price{USD: float64(r.IntN(8)) / 64, Source: reqlog.PriceSent}
	}
	if r.IntN(3) > 0 {
		l.Prompt = &reqlog.PromptLink{ID: r.Int64N(60) + 1, Version: 1}
	}
	l.Usage.Input.N, l.Usage.Input.Given = r.Int64N(100), r.IntN(3) > 0
	l.Usage.Output.N, l.Usage.Output.Given = r.Int64N(100), r.IntN(3) > 0
	l.Usage.CacheRead.N, l.Usage.CacheRead.Given = r.Int64N(100), r.IntN(3) > 0
	l.Usage.Reasoning.N, l.Usage.Reasoning.Given = r.Int64N(100), r.IntN(3) > 0
	l.Index.IsJSON = r.IntN(3) == 0
	l.Index.IsToolCall = !l.Index.IsJSON && r.IntN(2) == 0
	l.Index.TurnCount, l.Index.ToolCallCount = r.Int64N(4), r.Int64N(1<<r.IntN(8))
	for i := range r.IntN(4) {
		l.Tags = append(l.Tags, numbered("tag "+strconv.Itoa(i)+" ", 20))
		l.Index.ToolNames = append(l.Index.ToolNames, numbered("tool "+strconv.Itoa(i)+" ", 20))
		l.Index.Output = append(l.Index.Output, reqlog.Pair{Key: numbered("key", 4), Value: numbered("", 3)})
	}
	for range r.IntN(5) {
		l.Index.Metadata = append(l.Index.Metadata, reqlog.Pair{Key: numbered("key", 4), Value: numbered("value", 40), Empty: r.IntN(9) == 0})
	}
	return l
}

// TestColumnsLikeRows compares the two ways of computing analytics, also with ranges that
// have no logs.
func TestColumnsLikeRows(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	logs := make([]*reqlog.Log, 6000)
	for i := range logs {
		logs[i] = randomLog(r)
	}
	table := tableOf(t, logs)
	for name, ranges := range map[string][]idRange{
		"one range": {{0, 6000}}, "several": {{0, 1}, {1, 2500}, {2500, 2600}, {2600, 5999}, {5999, 7000}, {9000, 9001}},
	} {
		for _, bucket := range []chart.Bucket{chart.BucketFiveMinutes, chart.BucketDay, chart.BucketWeek, chart.BucketMonth} {
			for _, key := range []string{"", "key1"} {
				sel := &Selection{Query: query.Query{Workspace: 1}, UpTo: 1 << 40}
				query := chart.AnalyzeQuery{Query: sel.Query, Bucket: bucket, BreakdownKey: key}
				want := check.Must(analyzeRows(t.Context(), table.db, sel, query))(t)
				got := check.Must(table.analyzeColumns(t.Context(), table.db, sel, ranges, query))(t)
				if diff := cmp.Diff(want, got, cmpopts.EquateApprox(1e-9, 1e-12), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s, %s, %q: rows -, columns +\n%s", name, bucket.Unit, key, diff)
				}
			}
		}
	}
}

// TestRanges splits logs by their ids, of which many are missing, and checks that each is
// in one range, and that none has too many.
func TestRanges(t *testing.T) {
	t.Parallel()
	var logs []*reqlog.Log
	for i := range int64(50_000) {
		logs = append(logs, &reqlog.Log{ID: 1 + i + i/30_000*3_000_000, Status: reqlog.StatusSuccess})
	}
	table := tableOf(t, logs)
	for _, test := range []struct {
		upTo, after, want int64
		atLeast           int
	}{{1 << 40, 0, 50_000, 2}, {40_000, 100, 29_900, 1}, {3_010_000, 29_000, 1000, 1}, {2_000_000, 1_000_000, 0, 0}} {
		sel := &Selection{Query: query.Query{Workspace: 1}, UpTo: test.upTo, after: test.after}
		ranges := check.Must(sel.ranges(t.Context(), table.db))(t)
		if len(ranges) < test.atLeast {
			t.Errorf("%+v: %d ranges", test, len(ranges))
		}
		found, last := int64(0), int64(-1)
		for _, r := range ranges {
			rows := int64(0)
			for _, l := range logs {
				if l.ID > max(r.after, test.after) && l.ID <= r.upTo {
					rows++
				}
			}
			if r.after < last || rows > minRangeRows+stepIDs {
				t.Errorf("%+v: range %+v with %d logs", test, r, rows)
			}
			found, last = found+rows, r.upTo
		}
		check.Equal(t, "logs", found, test.want)
	}
}

// TestTooManyNames lets DuckDB compute analytics of logs with more tags than fit into
// memory.
func TestTooManyNames(t *testing.T) {
	t.Parallel()
	logs := make([]*reqlog.Log, 70)
	for i := range logs {
		logs[i] = &reqlog.Log{Status: reqlog.StatusSuccess}
		for j := range 1000 {
			logs[i].Tags = append(logs[i].Tags, strconv.Itoa(i*1000+j))
		}
	}
	table := tableOf(t, logs)
	sel := &Selection{Query: query.Query{Workspace: 1}, UpTo: 1 << 40}
	query := chart.AnalyzeQuery{Query: sel.Query, Bucket: chart.BucketDay}
	if _, err := table.analyzeColumns(t.Context(), table.db, sel, []idRange{{0, 70}}, query); !errors.Is(err, tally.ErrTooMany) {
		t.Errorf("columns: %v", err)
	}
	got := check.Must(table.Analyze(t.Context(), sel, query))(t)
	check.Equal(t, "requests", got.Requests, 70)
	check.Equal(t, "tags", len(got.Tags), chart.TopRows)
	check.Equal(t, "first tag", got.Tags[0].Name, "0")
}

// TestLargeKeys lets DuckDB compute analytics of logs whose keys do not fit into memory.
func TestLargeKeys(t *testing.T) {
	t.Parallel()
	logs := make([]*reqlog.Log, 20)
	prefix := strings.Repeat("a", 400)
	for i := range logs {
		logs[i] = &reqlog.Log{Status: reqlog.StatusSuccess}
		for j := range 10_000 {
			logs[i].Index.Output = append(logs[i].Index.Output, reqlog.Pair{Key: prefix + strconv.Itoa(i*10_000+j), Value: "v"})
		}
	}
	table := tableOf(t, logs)
	sel := &Selection{Query: query.Query{Workspace: 1}, UpTo: 1 << 40}
	query := chart.AnalyzeQuery{Query: sel.Query, Bucket: chart.BucketDay}
	if _, err := table.analyzeColumns(t.Context(), table.db, sel, []idRange{{0, 20}}, query); !errors.Is(err, tally.ErrTooMany) {
		t.Errorf("columns: %v", err)
	}
	got := check.Must(table.Analyze(t.Context(), sel, query))(t)
	check.Equal(t, "requests", got.Requests, 20)
	check.Equal(t, "first key", got.OutputKeys[0].Name, prefix+"0")
}

// TestLogsDeletedMeanwhile finds no logs in the ranges that had some.
func TestLogsDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	table := tableOf(t, []*reqlog.Log{{Status: reqlog.StatusSuccess}})
	sel := &Selection{Query: query.Query{Workspace: 1}, UpTo: 1 << 40}
	got := check.Must(table.analyzeColumns(t.Context(), table.db, sel, []idRange{{100, 200}, {300, 400}}, chart.AnalyzeQuery{Query: sel.Query, Bucket: chart.BucketDay}))(t)
	check.Equal(t, "requests", got.Requests, 0)
}
