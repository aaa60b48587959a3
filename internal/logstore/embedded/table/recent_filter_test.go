package table

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// recentLogs returns logs with so many outputs under the key k each: texts with their
// number, of a size.
func recentLogs(logs, outputs, size int) []*reqlog.Log {
	pairs := make([]reqlog.Pair, outputs)
	for n := range pairs {
		value := fmt.Sprintf("Value %d", n)
		pairs[n] = reqlog.Pair{Key: "k", Value: value + strings.Repeat("x", max(0, size-len(value)))}
	}
	all := make([]*reqlog.Log, logs)
	for i := range all {
		all[i] = &reqlog.Log{ID: int64(i + 1), Workspace: 1}
		all[i].Index.Output = pairs
	}
	return all
}

func outputCond(op query.Op, texts ...string) query.Cond {
	return query.Cond{Field: query.FieldOutput, Op: op, Key: "k", Texts: texts}
}

// missing returns values that no log has.
func missing(count int) (values []string) {
	for i := range count {
		values = append(values, fmt.Sprintf("Other %d", i))
	}
	return values
}

func repeated(count int, c query.Cond) query.Node {
	group := query.Group{Any: true}
	for range count {
		group.Nodes = append(group.Nodes, c)
	}
	return group
}

// TestWorkOnRecentLogs evaluates filters that would take long if their operands were
// prepared for each log, or if there was no limit.
func TestWorkOnRecentLogs(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("İK", 200_000)
	for name, tc := range map[string]struct {
		logs    []*reqlog.Log
		filter  query.Node
		found   int
		tooMuch bool
		work    int // at most
	}{
		"a huge operand, many values":     {recentLogs(1, 10_000, 0), outputCond(query.OpKeyContains, huge), 0, false, condWork + 10_000*elementWork},
		"a huge operand, a huge value":    {recentLogs(2, 3, 1<<20), outputCond(query.OpKeyContains, "E 2"+strings.Repeat("X", 1<<19)), 2, false, 7 << 20},
		"huge operands, large logs":       {recentLogs(40, 1, 1<<20), outputCond(query.OpKeyContains, strings.Repeat("z", 1<<20)), 0, true, 0},
		"many operands":                   {recentLogs(500, 300, 0), outputCond(query.OpIn, append(missing(999), "Value 299")...), 500, false, 500 * 300 * 20},
		"many operands, longer values":    {recentLogs(30, 300, 1<<10), outputCond(query.OpIn, missing(1000)...), 0, false, 30 * (condWork + 300*elementWork)},
		"many operands, very many values": {recentLogs(3900, 300, 0), repeated(10, outputCond(query.OpIn, missing(1000)...)), 0, true, 0},
		"many conditions":                 {recentLogs(10, 100, 0), repeated(500, outputCond(query.OpIsEmpty)), 0, false, 500 * 1000 * 9},
		"many conditions, many values":    {recentLogs(1, 10_000, 0), repeated(500, outputCond(query.OpIsEmpty)), 0, true, 0},
		"many conditions, many logs": {
			recentLogs(4000, 1, 0), repeated(500, query.Cond{Field: query.FieldOutputKeys, Op: query.OpIsEmpty}), 0, true, 0,
		},
		"many conditions on words, many logs": {
			recentLogs(4000, 0, 0), repeated(500, query.Cond{Field: query.FieldEngine, Op: query.OpIs, Texts: []string{"x"}}), 0, true, 0,
		},
		"the first condition is enough": {
			recentLogs(4000, 1, 0), repeated(500, query.Cond{Field: query.FieldOutputKeys, Op: query.OpIsNotEmpty}), 4000, false, 4000 * (condWork + elementWork),
		},
		"keys": {recentLogs(10, 100, 0), repeated(100, query.Cond{Field: query.FieldOutputKeys, Op: query.OpIn, Texts: missing(100)}), 0, false, 100 * 1000 * 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := newEvaluator(tc.filter)
			for _, l := range tc.logs {
				e.matches(l)
			}
			if work := maxWork - e.work; !tc.tooMuch && work > tc.work {
				t.Errorf("%d is done, want at most %d", work, tc.work)
			}
			s := &Selection{Query: query.Query{Workspace: 1, Filter: tc.filter}, Recent: tc.logs}
			found, err := s.matching(t.Context())
			if errors.Is(err, ErrTooMuch) != tc.tooMuch || len(found) != tc.found {
				t.Errorf("%d logs are found, %v", len(found), err)
			}
		})
	}
}

// TestEvaluationStops counts the logs that are read after the limit, and after the search
// was cancelled.
func TestEvaluationStops(t *testing.T) {
	t.Parallel()
	logs := recentLogs(3, 1, 0)
	read := 0
	spent := &evaluator{matches: func(*reqlog.Log) bool { read++; return true }, work: -1}
	if _, err := spent.find(t.Context(), 1, logs); !errors.Is(err, ErrTooMuch) || read != 1 {
		t.Errorf("after the limit: %d logs are read, %v", read, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	read = 0
	cancelled := &evaluator{matches: func(*reqlog.Log) bool { read++; cancel(); return true }}
	if _, err := cancelled.find(ctx, 1, logs); !errors.Is(err, context.Canceled) || read != 1 {
		t.Errorf("cancelled: %d logs are read, %v", read, err)
	}
}

// TestEvaluationAllocates counts what is allocated for a log: nothing, unless texts have
// to be lowered.
func TestEvaluationAllocates(t *testing.T) { // counts allocations of the process
	l := recentLogs(1, 1000, 0)[0]
	for _, c := range []query.Cond{
		outputCond(query.OpKeyContains, strings.Repeat("É", 100)), outputCond(query.OpIn, missing(1000)...), outputCond(query.OpIsEmpty),
		{Field: query.FieldOutputKeys, Op: query.OpIsEmpty}, {Field: query.FieldOutputKeys, Op: query.OpIn, Texts: missing(1000)},
		{Field: query.FieldID, Op: query.OpIn, IDs: make([]int64, 1000)},
	} {
		e := newEvaluator(c)
		check.Equal(t, fmt.Sprint("allocations of ", c.Field, " ", c.Op), testing.AllocsPerRun(10, func() { e.matches(l) }), 0)
	}
}
