package table

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Evaluates reports whether a filter, nil for none, can be evaluated on logs not yet
// applied to the table: it has no conditions on texts or traces.
func Evaluates(filter reqlog.Node) bool {
	return filter == nil || reqlog.FilterWriter[bool]{
		Cond: func(c reqlog.Cond, _ bool) bool { return c.Field.Spec().Column != "" },
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
func valueOf(field *reqlog.FieldSpec, name string, l *reqlog.Log) any {
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
	case field.Type == reqlog.TypeScore:
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
func valueHolds(c reqlog.Cond, value any) bool {
	if value == nil || c.Op == reqlog.OpIsNull {
		return value == nil && c.Op == reqlog.OpIsNull
	}
	to := func(i int) int {
		if len(c.Times) > 0 {
			return compareValues(value, int64(c.Times[i]))
		}
		return compareValues(value, number(c.Numbers[i]))
	}
	switch c.Op {
	case reqlog.OpGt, reqlog.OpAfter:
		return to(0) > 0
	case reqlog.OpGte:
		return to(0) >= 0
	case reqlog.OpLt, reqlog.OpBefore:
		return to(0) < 0
	case reqlog.OpLte:
		return to(0) <= 0
	case reqlog.OpBetween:
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

// ordered is a log with the value that a search sorts by.
type ordered struct {
	id  int64
	key any // nil for null
}

// order compares two logs in the order of a search, as OrderOfLogs of package logsql
// writes it.
func order(search reqlog.SearchQuery) func(a, b ordered) int {
	direction := -1
	if search.SortBy != "" && search.Ascending {
		direction = 1
	}
	return func(a, b ordered) int {
		switch {
		case a.key == nil && b.key == nil:
			return direction * cmp.Compare(a.id, b.id)
		case a.key == nil:
			return 1
		case b.key == nil:
			return -1
		default:
			return direction * cmp.Or(compareValues(a.key, b.key), cmp.Compare(a.id, b.id))
		}
	}
}

// searchRecent returns a page of the logs of the table and the recent ones together, and
// the number of all of them.
func (s *Selection) searchRecent(ctx context.Context, db *sql.DB, search reqlog.SearchQuery, recent []*reqlog.Log) (ids []int64, total int64, err error) {
	stored, err := s.total(ctx, db)
	if total = stored + int64(len(recent)); err != nil || total <= search.Offset() {
		return nil, total, err
	}
	field := cmp.Or(search.SortBy, reqlog.FieldStart).Spec()
	var all []ordered
	for _, l := range recent {
		all = append(all, ordered{l.ID, valueOf(field, search.SortKey, l)})
	}
	// Recent logs shift table rows back by at most len(recent) places.
	first := max(0, search.Offset()-int64(len(recent)))
	if first < stored {
		if all, err = s.orderedPage(ctx, db, search, first, search.Offset()+int64(search.PerPage)-first, all); err != nil {
			return nil, 0, err
		}
	}
	slices.SortFunc(all, order(search))
	from := min(search.Offset()-first, int64(len(all)))
	for _, one := range all[from:min(from+int64(search.PerPage), int64(len(all)))] {
		ids = append(ids, one.id)
	}
	return ids, total, nil
}

// orderedPage appends logs of the table in the order of a search.
func (s *Selection) orderedPage(ctx context.Context, db *sql.DB, search reqlog.SearchQuery, offset, limit int64, to []ordered) ([]ordered, error) {
	q := s.pageQuery(search, true)
	q.write(fmt.Sprintf(" LIMIT %d OFFSET %d", limit, offset))
	err := q.rows(ctx, db, func(rows *sql.Rows) error {
		var one ordered
		err := rows.Scan(&one.id, &one.key)
		to = append(to, one)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find page of logs: %w", err)
	}
	return to, nil
}
