// Package catalog keeps everything a team manages: workspaces, keys, and the
// entities of every kind with their versions, labels and external ids. It
// runs over SQLite (a file) or PostgreSQL with one SQL text for both; what
// differs between them is confined to opening, migrating and reading errors.
package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"time"
)

// Catalog is an open catalog. It is safe for concurrent use; any number of
// processes may have the same catalog open.
type Catalog struct {
	db     *sql.DB
	engine engine
	// writers holds one token per transaction that may run at once.
	writers chan struct{}
	// retries holds one token: transactions that lost run again one by one,
	// or they would keep getting in each other's way.
	retries chan struct{}
	now     func() time.Time
	// revisions tells caches of changes.
	revisions revisions
	// uncached counts the revisions that no cache can have.
	uncached atomic.Int64
}

// Option changes how a catalog is opened.
type Option func(*Catalog)

// WithClock makes the catalog take the time from now instead of time.Now.
func WithClock(now func() time.Time) Option {
	return func(c *Catalog) { c.now = now }
}

// scheme matches the name before the colon of an address. Two letters at
// least, so that a Windows drive is not taken for one.
var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// Open opens the catalog at dsn and brings its tables up to date:
// "sqlite:<path>" or a plain path is a SQLite file, made when missing (its
// folder must exist); "postgres://…" or "postgresql://…" is a PostgreSQL
// database, which must exist and use UTF8. Several processes may open one
// catalog at the same moment. A catalog migrated by a newer program is
// refused. The caller closes the catalog.
func Open(ctx context.Context, dsn string, options ...Option) (*Catalog, error) {
	c, err := connect(dsn)
	if err != nil {
		return nil, fmt.Errorf("open catalog: %w", err)
	}
	c.retries = make(chan struct{}, 1)
	c.now = time.Now
	for _, option := range options {
		option(c)
	}
	if err := c.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open catalog: %w", err), c.db.Close())
	}
	return c, nil
}

// connect picks the engine by the form of dsn, without dialling yet. Its
// errors never repeat dsn, which may hold a password.
func connect(dsn string) (*Catalog, error) {
	name := ""
	if found := scheme.FindStringSubmatch(dsn); found != nil {
		name = strings.ToLower(found[1])
	}
	switch name {
	case "":
		return connectSQLite(dsn)
	case "sqlite":
		return connectSQLite(dsn[len("sqlite:"):])
	case "postgres", "postgresql":
		return connectPostgres(dsn)
	}
	return nil, fmt.Errorf("unknown kind of catalog %q: want sqlite:<path>, a plain path, or postgres://…", name)
}

func (c *Catalog) prepare(ctx context.Context) error {
	if err := c.reach(ctx); err != nil {
		return err
	}
	if c.engine.check != nil {
		if err := c.engine.check(ctx, c.db); err != nil {
			return err
		}
	}
	return c.migrate(ctx)
}

// reach makes a first connection. It tries again because SQLite does not wait
// while another process gives a new file its journal.
func (c *Catalog) reach(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := mapError(ctx, c.db.PingContext(ctx))
		if !retryable(err) || attempt == maxAttempts {
			return err
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// Close ends all connections. Calls after it fail.
func (c *Catalog) Close() error {
	if err := c.db.Close(); err != nil {
		return fmt.Errorf("close catalog: %w", err)
	}
	return nil
}

// Ping reads from the catalog and returns a fault.Unavailable when it cannot
// be reached.
func (c *Catalog) Ping(ctx context.Context) error {
	_, err := queryOne(ctx, c, scanInt, `SELECT COUNT(*) FROM id_block`)
	if err != nil {
		return fmt.Errorf("ping catalog: %w", err)
	}
	return nil
}

// Engine names the engine and its version for people: "SQLite 3.46.1" or
// "PostgreSQL 15.14". It is the bare name when the version cannot be read.
func (c *Catalog) Engine(ctx context.Context) string {
	version, err := queryOne(ctx, c, scanString, c.engine.versionQuery)
	if err != nil {
		return c.engine.name
	}
	version, _, _ = strings.Cut(version, " ")
	return c.engine.name + " " + version
}
