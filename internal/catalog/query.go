package catalog

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// row is one result to scan: *sql.Row or *sql.Rows.
type row interface{ Scan(dest ...any) error }

// statements is what a transaction and the pool have in common.
type statements interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (c *Catalog) statements(ctx context.Context) statements {
	if current := c.current(ctx); current != nil {
		return current.tx
	}
	return c.db
}

// ready returns where a statement runs and its arguments as the drivers take
// them.
func (c *Catalog) ready(ctx context.Context, query string, args []any) (statements, []any, error) {
	if err := c.checkWritten(ctx, query); err != nil {
		return nil, nil, err
	}
	plain, err := plainArgs(args)
	return c.statements(ctx), plain, err
}

// exec runs a statement and returns how many rows it changed.
func (c *Catalog) exec(ctx context.Context, query string, args ...any) (int64, error) {
	if err := c.checkWritten(ctx, query); err != nil {
		return 0, err
	}
	changed, err := c.execUntold(ctx, query, args...)
	c.wrote(ctx, query, int(changed))
	return changed, err
}

// execUntold is exec for what neither caches nor people need to be told of:
// updates that only lock, and when a key was used.
func (c *Catalog) execUntold(ctx context.Context, query string, args ...any) (int64, error) {
	args, err := plainArgs(args)
	if err != nil {
		return 0, err
	}
	result, err := c.statements(ctx).ExecContext(ctx, query, args...)
	if err != nil {
		return 0, mapError(ctx, err)
	}
	return result.RowsAffected()
}

// queryOne returns the first row of a query, sql.ErrNoRows when there is none.
func queryOne[T any](ctx context.Context, c *Catalog, scan func(row) (T, error), query string, args ...any) (T, error) {
	var zero T
	on, args, err := c.ready(ctx, query, args)
	if err != nil {
		return zero, err
	}
	value, err := scan(on.QueryRowContext(ctx, query, args...))
	if err != nil {
		return zero, mapError(ctx, err)
	}
	c.wrote(ctx, query, 1)
	return value, nil
}

// queryAll returns all rows of a query, an empty slice when there is none.
func queryAll[T any](ctx context.Context, c *Catalog, scan func(row) (T, error), query string, args ...any) ([]T, error) {
	on, args, err := c.ready(ctx, query, args)
	if err != nil {
		return nil, err
	}
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, mapError(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	all := []T{}
	for rows.Next() {
		value, err := scan(rows)
		if err != nil {
			return nil, mapError(ctx, err)
		}
		all = append(all, value)
	}
	c.wrote(ctx, query, len(all))
	return all, mapError(ctx, rows.Err())
}

// plainArgs checks the text of all arguments and brings them to the few types
// that both drivers take alike.
func plainArgs(args []any) ([]any, error) {
	plain := make([]any, len(args))
	for i, arg := range args {
		switch value := arg.(type) {
		case nil, int64, string, []byte:
			plain[i] = value
		case int:
			plain[i] = int64(value)
		case Kind:
			plain[i] = string(value)
		case time.Time:
			plain[i] = value.UnixMicro()
		case *int64:
			if value != nil {
				plain[i] = *value
			}
		case *string:
			if value != nil {
				plain[i] = *value
			}
		case *time.Time:
			if value != nil {
				plain[i] = value.UnixMicro()
			}
		default:
			return nil, fmt.Errorf("catalog: argument %d has the unsupported type %T", i+1, arg)
		}
		if text, ok := plain[i].(string); ok {
			if err := checkText(text); err != nil {
				return nil, err
			}
		}
	}
	return plain, nil
}

// conditions collects the parts of a WHERE clause with their arguments.
type conditions struct {
	parts []string
	args  []any
}

// add appends a condition; each ? in it stands for one of the values.
func (w *conditions) add(condition string, values ...any) {
	for _, value := range values {
		condition = strings.Replace(condition, "?", w.arg(value), 1)
	}
	w.parts = append(w.parts, condition)
}

// arg returns the placeholder of a further argument.
func (w *conditions) arg(value any) string {
	w.args = append(w.args, value)
	return "$" + strconv.Itoa(len(w.args))
}

// tuple returns the placeholders of further arguments in brackets.
func (w *conditions) tuple(values []any) string {
	places := make([]string, len(values))
	for i, value := range values {
		places[i] = w.arg(value)
	}
	return "(" + strings.Join(places, ", ") + ")"
}

// where returns the conditions joined by AND; there must be one at least.
func (w *conditions) where() string { return strings.Join(w.parts, "\nAND ") }

// chunk is how many values one statement takes at most: SQLite looks up each
// placeholder among all of them.
const chunk = 500

// rowChunk is how many values of rows one statement takes at most. Rows are
// many values each, so that the look-ups would cost more than the rows.
const rowChunk = chunk / 4

// inChunks calls do with the values, so many at a time.
func inChunks[T any](values []T, do func(values []T) error) error {
	for part := range slices.Chunk(values, chunk) {
		if err := do(part); err != nil {
			return err
		}
	}
	return nil
}

// addList appends "column IN (…)"; no value at all matches nothing.
func addList[T any](w *conditions, column string, values []T) {
	places := make([]string, len(values))
	for i, value := range values {
		places[i] = w.arg(value)
	}
	if len(places) == 0 {
		places = []string{"NULL"}
	}
	w.parts = append(w.parts, column+" IN ("+strings.Join(places, ", ")+")")
}

// insertRows adds rows of equal length to a table. The text begins the
// statement and ends with the columns.
func (c *Catalog) insertRows(ctx context.Context, insert string, rows [][]any) error {
	return c.putRows(ctx, insert, rows, "")
}

// putRows is insertRows with a text that ends the statement and says what
// becomes of rows that are there.
func (c *Catalog) putRows(ctx context.Context, insert string, rows [][]any, onConflict string) error {
	if len(rows) == 0 {
		return nil
	}
	for part := range slices.Chunk(rows, max(1, rowChunk/len(rows[0]))) {
		var values conditions
		for _, row := range part {
			values.parts = append(values.parts, values.tuple(row))
		}
		if _, err := c.exec(ctx, insert+"\nVALUES "+strings.Join(values.parts, ", ")+onConflict, values.args...); err != nil {
			return err
		}
	}
	return nil
}

// flag returns a truth as both engines store it.
func flag(set bool) int64 {
	if set {
		return 1
	}
	return 0
}

// at scans a column of microseconds.
type at struct{ time *time.Time }

func (a at) Scan(value any) error {
	micros, ok := value.(int64)
	if !ok {
		return fmt.Errorf("scan a time: got %T", value)
	}
	*a.time = time.UnixMicro(micros).UTC()
	return nil
}

// maybeAt scans a column of microseconds that may be NULL.
type maybeAt struct{ time **time.Time }

func (a maybeAt) Scan(value any) error {
	if value == nil {
		*a.time = nil
		return nil
	}
	*a.time = new(time.Time)
	return at{*a.time}.Scan(value)
}

func scanInt(r row) (int64, error) {
	var value int64
	err := r.Scan(&value)
	return value, err
}

func scanString(r row) (string, error) {
	var value string
	err := r.Scan(&value)
	return value, err
}
