package catalog

import (
	"context"
	"database/sql"
)

// What the tests of this package need to see of its inside.
var (
	Fold     = fold
	LostRace = lostRace
)

// MaxAttempts is how often a transaction runs at most.
const MaxAttempts = maxAttempts

// DB is the pool of a catalog.
func (c *Catalog) DB() *sql.DB { return c.db }

// Exec runs a statement as the methods do.
func (c *Catalog) Exec(ctx context.Context, query string) error {
	_, err := c.exec(ctx, query)
	return err
}

// watched hands on each query before it runs.
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

// Watched returns a context in which watch learns of each query.
func (c *Catalog) Watched(ctx context.Context, watch func(query string, args []any)) context.Context {
	return context.WithValue(ctx, txKey{c}, &transaction{tx: watched{c.db, watch}})
}
