package engine

import (
	"context"
	"database/sql"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

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

// ready returns where a statement runs and its arguments in the form that the
// drivers accept.
func (db *DB) ready(ctx context.Context, query string, args []any) (statements, []any, error) {
	if err := db.checkWritten(ctx, query); err != nil {
		return nil, nil, err
	}
	plain, err := plainArgs(args)
	return db.statements(ctx), plain, err
}

// Exec runs a statement and returns the number of changed rows.
func Exec(ctx context.Context, db *DB, query string, args ...any) (int64, error) {
	if err := db.checkWritten(ctx, query); err != nil {
		return 0, err
	}
	changed, err := ExecUnaudited(ctx, db, query, args...)
	db.wrote(ctx, query, int(changed))
	return changed, err
}

// ExecUnaudited is Exec for changes that count neither as a new revision nor for
// the audit log: updates that only lock, and the time a key was last used.
func ExecUnaudited(ctx context.Context, db *DB, query string, args ...any) (int64, error) {
	args, err := plainArgs(args)
	if err != nil {
		return 0, err
	}
	result, err := db.statements(ctx).ExecContext(ctx, query, args...)
	if err != nil {
		return 0, mapError(ctx, err)
	}
	return result.RowsAffected()
}

// ExecForEach runs a statement that ends with a column, completed by the ids
// that the column may have.
func ExecForEach(ctx context.Context, db *DB, statement string, ids []int64) error {
	return InChunks(ids, func(ids []int64) error {
		var where Where
		AddList(&where, statement, ids)
		_, err := Exec(ctx, db, where.SQL(), where.Args...)
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
	db.wrote(ctx, query, 1)
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
	db.wrote(ctx, query, len(all))
	return all, nil
}

// Rows iterates over the rows of a query, holding one in memory at a time. An
// error ends the iteration. The loop must not use the database.
func Rows[T any](
	ctx context.Context, db *DB, scan func(Row) (T, error), query string, args ...any,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		fail := func(err error) {
			var zero T
			yield(zero, mapError(ctx, err))
		}
		on, args, err := db.ready(ctx, query, args)
		if err != nil {
			fail(err)
			return
		}
		rows, err := on.QueryContext(ctx, query, args...)
		if err != nil {
			fail(err)
			return
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			value, err := scan(rows)
			if err != nil {
				fail(err)
				return
			}
			if !yield(value, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			fail(err)
		}
	}
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

// InsertRows adds rows of equal length to a table. insert is the beginning of
// the statement, up to the columns.
func InsertRows(ctx context.Context, db *DB, insert string, rows [][]any) error {
	return PutRows(ctx, db, insert, rows, "")
}

// PutRows is InsertRows with the end of the statement, which says what happens
// to existing rows.
func PutRows(ctx context.Context, db *DB, insert string, rows [][]any, onConflict string) error {
	if len(rows) == 0 {
		return nil
	}
	for part := range slices.Chunk(rows, max(1, rowChunk/len(rows[0]))) {
		var values Where
		for _, row := range part {
			values.Parts = append(values.Parts, values.Tuple(row))
		}
		if _, err := Exec(ctx, db, insert+"\nVALUES "+strings.Join(values.Parts, ", ")+onConflict, values.Args...); err != nil {
			return err
		}
	}
	return nil
}

// LockWorkspace prevents other transactions from locking the workspace until the
// current one ends. It serialises changes that depend on more than one row, such
// as moves between folders.
func LockWorkspace(ctx context.Context, db *DB, workspaceID int64) error {
	_, err := ExecUnaudited(ctx, db, `
UPDATE workspace
SET created_at = created_at
WHERE id = $1`, workspaceID)
	return err
}
