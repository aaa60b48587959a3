package engine

import (
	"context"
	"database/sql"
)

// MaxAttempts is the maximum number of attempts of a transaction.
const MaxAttempts = maxAttempts

// Pool returns the connection pool.
func (db *DB) Pool() *sql.DB { return db.pool }

// watched passes each query to watch before it runs.
type watched struct {
	statements
	watch func(query string, args []any)
}

func (w watched) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	w.watch(query, args)
	return w.statements.QueryContext(ctx, query, args...)
}

func (w watched) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	w.watch(query, args)
	return w.statements.QueryRowContext(ctx, query, args...)
}

// Watched returns a context in which watch is called with each query.
func (db *DB) Watched(ctx context.Context, watch func(query string, args []any)) context.Context {
	return context.WithValue(ctx, txKey{db}, &transaction{tx: watched{db.pool, watch}})
}
