package engine

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
)

// statements is what a transaction and the pool have in common.
type statements interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func (db *DB) statements(ctx context.Context) statements {
	if current := db.current(ctx); current != nil {
		return current.tx
	}
	return db.pool
}

// ready returns where a statement runs, and its arguments in the form that the
// drivers accept.
func (db *DB) ready(ctx context.Context, statement string, args []any) (statements, []any, error) {
	plain, err := plainArgs(args)
	if db.trace != nil {
		db.trace(statement, plain)
	}
	return db.statements(ctx), plain, err
}

// Exec runs a statement and returns the number of changed rows.
func Exec(ctx context.Context, db *DB, statement table.Statement, args ...any) (int64, error) {
	if err := db.checkWrite(ctx, statement.Table); err != nil {
		return 0, err
	}
	changed, err := ExecUnaudited(ctx, db, statement, args...)
	db.wrote(ctx, statement.Table, int(changed))
	return changed, err
}

// ExecUnaudited is Exec for changes that count neither as a new revision nor for
// the audit log: updates that only lock, and the time a key was last used.
func ExecUnaudited(ctx context.Context, db *DB, statement table.Statement, args ...any) (int64, error) {
	on, args, err := db.ready(ctx, statement.SQL, args)
	if err != nil {
		return 0, err
	}
	result, err := on.ExecContext(ctx, statement.SQL, args...)
	if err != nil {
		return 0, mapError(ctx, err)
	}
	return result.RowsAffected()
}

// ExecOne is Exec for a statement that returns one row, or sql.ErrNoRows.
func ExecOne[T any](
	ctx context.Context, db *DB, scan func(Row) (T, error), statement table.Statement, args ...any,
) (T, error) {
	if err := db.checkWrite(ctx, statement.Table); err != nil {
		var zero T
		return zero, err
	}
	value, err := QueryOne(ctx, db, scan, statement.SQL, args...)
	if err == nil {
		db.wrote(ctx, statement.Table, 1)
	}
	return value, err
}

// ExecAll is Exec for a statement that returns rows.
func ExecAll[T any](
	ctx context.Context, db *DB, scan func(Row) (T, error), statement table.Statement, args ...any,
) ([]T, error) {
	if err := db.checkWrite(ctx, statement.Table); err != nil {
		return nil, err
	}
	all, err := QueryAll(ctx, db, scan, statement.SQL, args...)
	db.wrote(ctx, statement.Table, len(all))
	return all, err
}

// ExecIn runs a statement that ends with a column, completed by the ids that the
// column may have.
func ExecIn(ctx context.Context, db *DB, statement table.Statement, ids []int64) error {
	return InChunks(ids, func(ids []int64) error {
		var where Where
		AddList(&where, statement.SQL, ids)
		_, err := Exec(ctx, db, table.Statement{Table: statement.Table, SQL: where.SQL()}, where.Args...)
		return err
	})
}

// QueryOne returns the first row of a query, or sql.ErrNoRows.
func QueryOne[T any](ctx context.Context, db *DB, scan func(Row) (T, error), query string, args ...any) (T, error) {
	var zero T
	on, args, err := db.ready(ctx, query, args)
	if err != nil {
		return zero, err
	}
	value, err := scan(on.QueryRowContext(ctx, query, args...))
	if err != nil {
		return zero, mapError(ctx, err)
	}
	return value, nil
}

// QueryAll returns all rows of a query, an empty slice when there are none.
func QueryAll[T any](ctx context.Context, db *DB, scan func(Row) (T, error), query string, args ...any) ([]T, error) {
	all := []T{}
	for value, err := range Rows(ctx, db, scan, query, args...) {
		if err != nil {
			return nil, err
		}
		all = append(all, value)
	}
	return all, nil
}

// QueryIn returns all rows of a query with a list of any length: before ends with
// the column that must have one of the values, and after is the rest. The args
// are the first arguments of the query, $1 and so on.
func QueryIn[T, V any](
	ctx context.Context, db *DB, scan func(Row) (T, error), before string, values []V, after string, args ...any,
) ([]T, error) {
	all := []T{}
	err := InChunks(values, func(values []V) error {
		where := Where{Args: slices.Clone(args)}
		AddList(&where, before, values)
		found, err := QueryAll(ctx, db, scan, where.SQL()+after, where.Args...)
		all = append(all, found...)
		return err
	})
	return all, err
}

// Rows iterates over the rows of a query, holding one in memory at a time. An
// error ends the iteration. The loop must not use the database.
func Rows[T any](
	ctx context.Context, db *DB, scan func(Row) (T, error), query string, args ...any,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		if err := eachRow(ctx, db, scan, query, args, yield); err != nil {
			var zero T
			yield(zero, mapError(ctx, err))
		}
	}
}

// eachRow passes rows to yield until it returns false.
func eachRow[T any](
	ctx context.Context, db *DB, scan func(Row) (T, error), query string, args []any, yield func(T, error) bool,
) error {
	on, args, err := db.ready(ctx, query, args)
	if err != nil {
		return err
	}
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		value, err := scan(rows)
		if err != nil {
			return err
		}
		if !yield(value, nil) {
			return nil
		}
	}
	return rows.Err()
}

// plainArgs checks the text of all arguments and converts them to the few types
// that both drivers store alike.
func plainArgs(args []any) ([]any, error) {
	plain := make([]any, len(args))
	for i, arg := range args {
		switch value := arg.(type) {
		case nil, int64, string, []byte:
			plain[i] = value
		case int:
			plain[i] = int64(value)
		case entity.Kind:
			plain[i] = string(value)
		case time.Time:
			plain[i] = value.UnixMicro()
		case time.Duration:
			plain[i] = value.Microseconds()
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
			if err := CheckText(text); err != nil {
				return nil, err
			}
		}
	}
	return plain, nil
}

// Chunk is the maximum number of values in one statement: SQLite searches each
// placeholder among all others.
const Chunk = 500

// rowChunk is the maximum number of values of inserted rows in one statement. A
// row has many values, so that the search would cost more than the rows.
const rowChunk = Chunk / 4

// InChunks calls do with at most Chunk values at a time.
func InChunks[T any](values []T, do func(values []T) error) error {
	for part := range slices.Chunk(values, Chunk) {
		if err := do(part); err != nil {
			return err
		}
	}
	return nil
}

// InsertRows adds rows of equal length to a table; columns are in parentheses.
func InsertRows(ctx context.Context, db *DB, into table.Table, columns string, rows [][]any) error {
	return PutRows(ctx, db, into, columns, rows, "")
}

// PutRows is InsertRows with the end of the statement, which says what happens
// to existing rows.
func PutRows(
	ctx context.Context, db *DB, into table.Table, columns string, rows [][]any, onConflict string,
) error {
	if len(rows) == 0 {
		return nil
	}
	for part := range slices.Chunk(rows, max(1, rowChunk/len(rows[0]))) {
		var values Where
		for _, row := range part {
			values.Parts = append(values.Parts, values.Tuple(row))
		}
		statement := into.Insert(columns + "\nVALUES " + strings.Join(values.Parts, ", ") + onConflict)
		if _, err := Exec(ctx, db, statement, values.Args...); err != nil {
			return err
		}
	}
	return nil
}
