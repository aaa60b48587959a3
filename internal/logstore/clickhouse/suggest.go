package clickhouse

import (
	"context"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// suggestWindow and enoughLogs bound the work of suggesting values of lists,
// which would otherwise grow with the number of logs: if at least enoughLogs of
// the newest suggestWindow logs match, only these are read.
const (
	suggestWindow = 100_000
	enoughLogs    = 10_000
)

// Suggest implements reqlog.Store.
func (s *Store) Suggest(ctx context.Context, suggest reqlog.SuggestQuery) ([]string, error) {
	sel, err := s.selection(ctx, suggest.Query)
	if err != nil {
		return nil, err
	}
	values := []string{}
	if err = s.narrow(ctx, sel, suggest.Field); err == nil {
		err = s.read(ctx, suggestQuery(sel, suggest), func(rows *rowReader) error {
			var value string
			err := rows.scan(&value)
			values = append(values, value)
			return err
		})
	}
	if err != nil {
		return nil, s.explain(fmt.Errorf("suggest values: %w", err))
	}
	return values, nil
}

// narrow restricts the selection to the newest logs, if there are enough.
func (s *Store) narrow(ctx context.Context, sel *selection, field reqlog.Field) error {
	last := s.lastID.Load()
	if last <= suggestWindow || !isList(field) {
		return nil
	}
	sel.after = last - suggestWindow
	newest, err := s.count(ctx, sel)
	if newest < enoughLogs {
		sel.after = 0
	}
	return err
}

func isList(field reqlog.Field) bool {
	typ := field.Type()
	return typ == reqlog.TypeArray || typ == reqlog.TypeNested
}

func suggestQuery(sel *selection, suggest reqlog.SuggestQuery) *query {
	q := newQuery("SELECT value FROM (SELECT ", suggestedValue(suggest), " AS value FROM ")
	if isList(suggest.Field) {
		q.write("(SELECT arrayJoin(", suggest.Field.Spec().Column, ") AS element FROM log WHERE ")
		sel.where(q)
		q.write(")")
	} else {
		q.write("log WHERE ")
		sel.where(q)
	}
	if suggest.Key != "" {
		q.write(" WHERE startsWith(element, ", q.bind(document.PairText(suggest.Key, "")), ")")
	}
	q.write(") WHERE value <> ''")
	if suggest.Prefix != "" {
		q.write(" AND startsWith(", lowered("value"), ", ", lowered(q.bind(suggest.Prefix)), ")")
	}
	q.write(" GROUP BY value ORDER BY count() DESC, value LIMIT ", strconv.Itoa(suggest.Limit))
	return q
}

func suggestedValue(suggest reqlog.SuggestQuery) string {
	switch {
	case suggest.Key != "":
		return "substring(element, " + strconv.Itoa(len(document.PairText(suggest.Key, ""))+1) + ")"
	case isList(suggest.Field):
		return "toString(element)"
	default:
		return "toString(" + suggest.Field.Spec().Column + ")"
	}
}
