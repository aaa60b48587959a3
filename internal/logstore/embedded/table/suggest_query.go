package table

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"unicode/utf8"

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

// Suggest returns values of a field in the selection, as reqlog.Store describes.
func (t *Table) Suggest(ctx context.Context, sel *Selection, suggest reqlog.SuggestQuery) ([]string, error) {
	values := []string{}
	err := t.read(ctx, func(db *sql.DB) error {
		if sel.UpTo > suggestWindow && isList(suggest.Field) {
			sel.after = sel.UpTo - suggestWindow
			newest, err := sel.count(ctx, db)
			if err != nil {
				return err
			}
			if newest < enoughLogs {
				sel.after = 0
			}
		}
		return sel.suggestQuery(suggest).rows(ctx, db, func(rows *sql.Rows) error {
			var value string
			err := rows.Scan(&value)
			values = append(values, value)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("suggest values: %w", err)
	}
	return values, nil
}

func isList(field reqlog.Field) bool {
	typ := field.Type()
	return typ == reqlog.TypeArray || typ == reqlog.TypeNested
}

func (s *Selection) suggestQuery(suggest reqlog.SuggestQuery) *query {
	q := newQuery()
	q.write("SELECT value FROM (SELECT ", suggestedValue(suggest), " AS value FROM ")
	if isList(suggest.Field) {
		q.write("(SELECT unnest(", suggest.Field.Spec().Column, ") AS element FROM log WHERE ")
		s.where(q)
		q.write(")")
	} else {
		q.write("log WHERE ")
		s.where(q)
	}
	if suggest.Key != "" {
		q.write(" WHERE starts_with(element, ", q.bind(document.PairText(suggest.Key, "")), ")")
	}
	q.write(") WHERE value <> ''")
	if suggest.Prefix != "" {
		q.write(" AND starts_with(lower(value), lower(", q.bind(suggest.Prefix), "))")
	}
	q.write(" GROUP BY value ORDER BY count(*) DESC, value LIMIT ", strconv.Itoa(suggest.Limit))
	return q
}

func suggestedValue(suggest reqlog.SuggestQuery) string {
	switch {
	case suggest.Key != "":
		return "substr(element, " + strconv.Itoa(utf8.RuneCountInString(document.PairText(suggest.Key, ""))+1) + ")"
	case isList(suggest.Field):
		return "element"
	default:
		return suggest.Field.Spec().Column + "::VARCHAR"
	}
}
