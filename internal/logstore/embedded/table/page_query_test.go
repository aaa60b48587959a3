package table

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// startedAt returns logs that started at some times, with a model of which one in ten has
// "rare".
func startedAt(n int, start func(i int) int64) []*reqlog.Log {
	logs := make([]*reqlog.Log, n)
	for i := range logs {
		logs[i] = &reqlog.Log{ID: int64(1 + i), Start: reqlog.Micros(start(i)), Engine: "common", Status: reqlog.StatusSuccess}
		if i%10 == 0 {
			logs[i].Engine = "rare"
		}
	}
	return logs
}

// samePages compares pages of the newest logs with those that reading all logs returns. It
// returns for how many the highest ids were enough.
func samePages(t *testing.T, table *Table, upTo int64) (quick int) {
	t.Helper()
	rare := query.Cond{Field: query.FieldEngine, Op: query.OpIs, Texts: []string{"rare"}}
	for _, filter := range []query.Node{nil, rare} {
		sel := &Selection{Query: query.Query{Workspace: 1, Filter: filter}, UpTo: upTo}
		total := check.Must(sel.count(t.Context(), table.db))(t)
		for _, at := range []place{{0, 25}, {25, 25}, {190, 100}, {total - 10, 25}, {total, 25}} {
			p := &pager{Selection: sel, db: table.db, starts: &table.starts}
			want := check.Must(p.rows(t.Context(), sel, fmt.Sprintf(" LIMIT %d OFFSET %d", at.limit, at.offset)))(t)
			got := check.Must(p.page(t.Context(), at, total))(t)
			if !slices.Equal(got, want) {
				t.Errorf("%+v of %d logs: got %v, want %v", at, total, got, want)
			}
			after := table.starts.newest(at.end(), total)
			if after > 0 && len(want) > 0 && want[len(want)-1].key.(int64) >= table.starts.latest(after) {
				quick++
			}
		}
	}
	return quick
}

// TestNewestLogs looks for the newest logs of tables whose ids are more or less in the
// order of times.
func TestNewestLogs(t *testing.T) {
	t.Parallel()
	const n = 40_000
	r := rand.New(rand.NewPCG(1, 2))
	for name, test := range map[string]struct {
		start func(i int) int64
		quick int
	}{
		"in order":           {func(i int) int64 { return int64(i) }, 5},
		"nearly in order":    {func(i int) int64 { return int64(i) + r.Int64N(300) }, 5},
		"at the same time":   {func(int) int64 { return 5 }, 5},
		"before 1970":        {func(i int) int64 { return int64(i - 2*n) }, 5},
		"in the wrong order": {func(i int) int64 { return int64(-i) }, 0},
		"in no order":        {func(int) int64 { return r.Int64N(n) }, 0},
		"an old log is late": {func(i int) int64 { return int64(i) + int64(max(0, 101-max(i, 100)))*1_000_000 }, 0},
		"a new log is late":  {func(i int) int64 { return int64(i) + int64(max(0, i-n+2))*1_000_000 }, 5},
		"old logs came last": {func(i int) int64 { return int64(i) - int64(i/30_000*1_000_000) }, 0},
		"old logs and the newest came last": {func(i int) int64 {
			if i == n-1 {
				return n
			}
			return int64(i) - int64(i/30_000*1_000_000)
		}, 0},
		"some old logs are in": {func(i int) int64 { return int64(i) - int64(i%3)*1_000_000 }, 4},
	} {
		t.Run(name, func(t *testing.T) {
			table := tableOf(t, startedAt(n, test.start))
			for _, upTo := range []int64{1 << 40, n - 5, n - 9000} {
				quick := samePages(t, table, upTo)
				if upTo == 1<<40 && (quick < test.quick || test.quick == 0 && quick > 0) {
					t.Errorf("the highest ids were enough for %d pages, want %d", quick, test.quick)
				}
			}
		})
	}
}

// TestNewestLogsAfterChanges adds, replaces and deletes logs, and reads the table again.
func TestNewestLogsAfterChanges(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	table := tableOf(t, startedAt(30_000, func(i int) int64 { return int64(i) }))
	next := int64(30_001)
	for round := range 12 {
		batch := &Batch{}
		for range r.IntN(6000) {
			batch.Rows = append(batch.Rows, &reqlog.Log{ID: next, Workspace: 1, Start: reqlog.Micros(next - r.Int64N(50)), Engine: "rare", Status: reqlog.StatusSuccess})
			next += 1 + r.Int64N(3)
		}
		replaced := 1 + r.Int64N(20_000)
		batch.Replaced = append(batch.Replaced, replaced)
		batch.Rows = append(batch.Rows, &reqlog.Log{ID: replaced, Workspace: 1, Start: reqlog.Micros(next - r.Int64N(20_000)), Engine: "rare", Status: reqlog.StatusSuccess})
		batch.Deletions = []Deletion{{Deletion: &reqlog.Deletion{Workspace: 1, Logs: []int64{next - 1 - r.Int64N(5000), 1 + r.Int64N(20_000)}}}}
		check.OK(t, table.Apply(t.Context(), batch))
		samePages(t, table, 1<<40)
		if round%4 == 3 {
			check.Must(table.Save(t.Context(), false))(t)
			check.Must(table.Restore(t.Context(), nil))(t)
			samePages(t, table, 1<<40)
		}
	}
}
