package duckdb

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Suggest implements reqlog.Store.
func (s *Store) Suggest(ctx context.Context, suggest reqlog.SuggestQuery) ([]string, error) {
	sel, err := s.selection(ctx, suggest.Query)
	if err != nil {
		return nil, err
	}
	values := []string{}
	err = s.table.read(ctx, func(db *sql.DB) error {
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

func (s *selection) suggestQuery(suggest reqlog.SuggestQuery) *query {
	q := newQuery()
	q.write("SELECT value FROM (")
	s.valueCounts(q, suggest.Field, suggest.Key)
	q.write(") WHERE value <> ''")
	if suggest.Prefix != "" {
		q.write(" AND starts_with(lower(value), lower(", q.bind(suggest.Prefix), "))")
	}
	q.write(" GROUP BY value ORDER BY sum(n) DESC, value LIMIT ", strconv.Itoa(suggest.Limit))
	return q
}

// valueCounts writes a query of values and how many logs have each; a value
// can come in several rows.
func (s *selection) valueCounts(q *query, field reqlog.Field, key string) {
	switch reqlog.FieldTypes[field] {
	case reqlog.TypeNested:
		prefix := pairText(key, "")
		q.write("SELECT substr(pair, ", strconv.Itoa(utf8.RuneCountInString(prefix)+1), ") AS value, count(*) AS n",
			" FROM (SELECT unnest(", nested[field].pairs, ") AS pair FROM log WHERE ")
		s.where(q)
		q.write(") WHERE starts_with(pair, ", q.bind(prefix), ") GROUP BY ALL")
	case reqlog.TypeArray:
		// Few lists occur very often, so counting whole lists first leaves
		// little to unnest.
		q.write("SELECT unnest(list) AS value, n FROM (SELECT ", columns[field], " AS list, count(*) AS n FROM log WHERE ")
		s.where(q)
		q.write(" GROUP BY ALL)")
	default:
		q.write("SELECT ", columns[field], "::VARCHAR AS value, count(*) AS n FROM log WHERE ")
		s.where(q)
		q.write(" GROUP BY ALL")
	}
}
