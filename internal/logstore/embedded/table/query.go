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
type sqlQuery struct {
	sql  strings.Builder
	args []any
}

func newQuery() *sqlQuery { return &sqlQuery{} }

// queryOf returns the query that write writes.
func queryOf(write func(*sqlQuery) string) *sqlQuery {
	q := newQuery()
	q.write(write(q))
	return q
}

func (q *sqlQuery) write(parts ...string) {
	for _, part := range parts {
		q.sql.WriteString(part)
	}
}

func (q *sqlQuery) text() string { return q.sql.String() }

// bind adds a value and returns the placeholder that stands for it.
func (q *sqlQuery) bind(value any) string {
	q.args = append(q.args, value)
	return "$" + strconv.Itoa(len(q.args))
}

// list writes whole numbers as a parenthesised list; they need no binding.
func (q *sqlQuery) list(ids []int64) string {
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
func (q *sqlQuery) bindList(values []string) string {
	marks := make([]string, len(values))
	for i, v := range values {
		marks[i] = q.bind(v)
	}
	return strings.Join(marks, ", ")
}

// rows runs the query and calls scan for each row.
func (q *sqlQuery) rows(ctx context.Context, db *sql.DB, scan func(*sql.Rows) error) error {
	rows, err := db.QueryContext(ctx, q.text(), q.args...)
	if err != nil {
		return err
	}
	return scanAll(rows, func() error { return scan(rows) })
}

// scan runs the query and calls read for each row.
func (q *sqlQuery) scan(ctx context.Context, db *sql.DB, read func(logsql.Scan) error) error {
	return q.rows(ctx, db, func(rows *sql.Rows) error { return read(rows.Scan) })
}
