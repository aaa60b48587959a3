package table

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Evaluates reports whether a filter, nil for none, can be evaluated on logs not yet
// applied to the table: it has no conditions on texts or traces.
func Evaluates(filter query.Node) bool {
	return filter == nil || query.FilterWriter[bool]{
		Cond: func(c query.Cond, _ bool) bool { return c.Field.Spec().Column != "" },
		Join: func(_ bool, parts []bool) bool { return !slices.Contains(parts, false) },
	}.Write(filter)
}

// matching returns the recent logs that match the query, or ErrTooMuch.
func (s *Selection) matching(ctx context.Context) ([]*reqlog.Log, error) {
	if len(s.Recent) == 0 {
		return nil, nil
	}
	return newEvaluator(s.Query.Filter).find(ctx, s.Query.Workspace, s.Recent)
}

// valueOf returns the value of a field as DuckDB returns that of its column: a whole
// number, a number or a text, nil for null. For scores, name selects the score.
func valueOf(field *query.FieldSpec, name string, l *reqlog.Log) any {
	orNil := func(value any, ok bool) any {
		if !ok {
			return nil
		}
		return value
	}
	switch {
	case field.Int != nil:
		n, ok := field.Int(l)
		return orNil(n, ok)
	case field.Float != nil:
		n, ok := field.Float(l)
		return orNil(n, ok)
	case field.Time != nil:
		return int64(field.Time(l))
	case field.Type == query.TypeScore:
		for _, p := range field.Pairs(l) {
			if p.Key == name {
				n, err := strconv.ParseInt(p.Value, 10, 64)
				return orNil(n, err == nil)
			}
		}
		return nil
	default:
		word, ok := field.Word(l)
		return orNil(word, ok)
	}
}

// valueHolds compares a number or a time, nil for null.
func valueHolds(c query.Cond, value any) bool {
	if value == nil || c.Op == query.OpIsNull {
		return value == nil && c.Op == query.OpIsNull
	}
	to := func(i int) int {
		if len(c.Times) > 0 {
			return compareValues(value, int64(c.Times[i]))
		}
		return compareValues(value, number(c.Numbers[i]))
	}
	switch c.Op {
	case query.OpGt, query.OpAfter:
		return to(0) > 0
	case query.OpGte:
		return to(0) >= 0
	case query.OpLt, query.OpBefore:
		return to(0) < 0
	case query.OpLte:
		return to(0) <= 0
	case query.OpBetween:
		return to(0) >= 0 && to(1) <= 0
	default:
		return to(0) == 0
	}
}

// number is how a number of a client is bound: see number in package logsql.
func number(n float64) any {
	if n == math.Trunc(n) && math.Abs(n) < 1<<53 {
		return int64(n)
	}
	return n
}

// compareValues compares two numbers or two texts.
func compareValues(a, b any) int {
	if x, ok := a.(string); ok {
		return cmp.Compare(x, b.(string))
	}
	x, whole := a.(int64)
	y, alsoWhole := b.(int64)
	if whole && alsoWhole {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(float(a), float(b))
}

func float(n any) float64 {
	if whole, ok := n.(int64); ok {
		return float64(whole)
	}
	return n.(float64)
}
