package table

import (
	"context"
	"database/sql"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
)

// query is an SQL text under construction with its bound values. Nothing that
// a client sent is ever part of the text.
type query struct {
	sql  strings.Builder
	args []any
}

func newQuery() *query { return &query{} }

// queryOf returns the query that write writes.
func queryOf(write func(*query) string) *query {
	q := newQuery()
	q.write(write(q))
	return q
}

func (q *query) write(parts ...string) {
	for _, part := range parts {
		q.sql.WriteString(part)
	}
}

func (q *query) text() string { return q.sql.String() }

// bind adds a value and returns the placeholder that stands for it.
func (q *query) bind(value any) string {
	q.args = append(q.args, value)
	return "$" + strconv.Itoa(len(q.args))
}

// list writes whole numbers as a parenthesised list; they need no binding.
func (q *query) list(ids []int64) string {
	text := []byte{'('}
	for i, id := range ids {
		if i > 0 {
			text = append(text, ',')
		}
		text = strconv.AppendInt(text, id, 10)
	}
	return string(append(text, ')'))
}

// bindList returns a list expression of bound values, (…) around it left to
// the caller.
func (q *query) bindList(values []string) string {
	marks := make([]string, len(values))
	for i, v := range values {
		marks[i] = q.bind(v)
	}
	return strings.Join(marks, ", ")
}

// rows runs the query and calls scan for each row.
func (q *query) rows(ctx context.Context, db *sql.DB, scan func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, q.text(), q.args...)
	if err != nil {
		return err
	}
	return scanAll(rows, func() error { return scan(rows) })
}

// scan runs the query and calls read for each row.
func (q *query) scan(ctx context.Context, db *sql.DB, read func(logsql.Scan) error) error {
	return q.rows(ctx, db, func(rows *sql.Rows) error { return read(rows.Scan) })
}
