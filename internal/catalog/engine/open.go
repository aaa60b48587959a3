// Package engine runs the catalog's SQL. One SQL text serves SQLite (a file)
// and PostgreSQL; what differs between them is confined to opening, migrating
// and recognising errors. The stores of the catalog are built on it.
package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/fair"
)

// DB is an open database. It is safe for concurrent use; any number of
// processes may have the same database open.
type DB struct {
	pool    *sql.DB
	dialect dialect
	// writers has a slot for each concurrent transaction. Workspaces take turns, so
	// that one with many or large transactions does not delay the others.
	writers *fair.Queue
	// retries has one slot: transactions that lost a conflict run again one by one,
	// or they would keep conflicting with each other.
	retries   *fair.Queue
	now       func() time.Time
	trace     func(statement string, args []any)
	revisions revisions
	// uncached counts the revisions handed out inside transactions.
	uncached atomic.Int64
	// unmigrated makes a database of another version an error.
	unmigrated bool
}

// Option changes how a database is opened.
type Option func(*DB)

// WithClock makes the database take the time from now instead of time.Now.
func WithClock(now func() time.Time) Option {
	return func(db *DB) { db.now = now }
}

// WithTrace makes the database call trace with every statement before it runs.
// trace may be called from several goroutines.
func WithTrace(trace func(statement string, args []any)) Option {
	return func(db *DB) { db.trace = trace }
}

// WithoutMigrations makes Open refuse a database that is not of this program's
// version, instead of migrating it: a server of another version may be using it.
func WithoutMigrations() Option {
	return func(db *DB) { db.unmigrated = true }
}

// scheme matches the scheme of an address. It has at least two letters, so that
// a Windows drive does not match.
var scheme = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9+.-]+):`)

// Open opens the database at dsn and applies the migrations, which are in the
// folders "sqlite" and "postgres": "sqlite:<path>" or a plain path is a SQLite
// file, created when missing (its folder must exist); "postgres://…" or
// "postgresql://…" is a PostgreSQL database, which must exist and use UTF8.
// Several processes may open one database at the same time. A database migrated
// by a newer program is refused. The caller closes the database.
func Open(ctx context.Context, dsn string, migrations fs.FS, options ...Option) (*DB, error) {
	db, err := connect(dsn)
	if err != nil {
		return nil, err
	}
	db.retries = fair.New(fair.Options{Slots: 1})
	db.now = time.Now
	for _, option := range options {
		option(db)
	}
	if err := db.prepare(ctx, migrations); err != nil {
		return nil, errors.Join(err, db.pool.Close())
	}
	return db, nil
}

// connect picks the engine by the form of dsn, without dialling yet. Its errors
// never contain dsn, which may include a password.
func connect(dsn string) (*DB, error) {
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

func (db *DB) prepare(ctx context.Context, migrations fs.FS) error {
	if err := db.reach(ctx); err != nil {
		return err
	}
	if db.dialect.check != nil {
		if err := db.dialect.check(ctx, db.pool); err != nil {
			return err
		}
	}
	return db.migrate(ctx, migrations)
}

// reach makes the first connection. It retries because SQLite does not wait
// while another process switches a new file to write-ahead logging.
func (db *DB) reach(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := mapError(ctx, db.pool.PingContext(ctx))
		if !retryable(err) || attempt == maxAttempts {
			return err
		}
		if err := pause(ctx, attempt); err != nil {
			return err
		}
	}
}

// Close closes all connections. Later calls fail.
func (db *DB) Close() error {
	if err := db.pool.Close(); err != nil {
		return fmt.Errorf("close catalog: %w", err)
	}
	return nil
}

// Now returns the time that rows are stamped with.
func (db *DB) Now() time.Time { return db.now() }

// Ping reads from the database and returns a fault of kind Unavailable when it
// cannot be reached, or only be read because the disk is full.
func (db *DB) Ping(ctx context.Context) error {
	_, err := QueryOne(ctx, db, ScanInt, `SELECT COUNT(*) FROM id_block`)
	if err == nil {
		err = errors.Join(db.checkIntact(), db.Writable(ctx))
	}
	if err != nil {
		return fmt.Errorf("ping catalog: %w", err)
	}
	return nil
}

// checkIntact returns a fault if what is written now would be lost.
func (db *DB) checkIntact() error {
	if db.dialect.intact == nil {
		return nil
	}
	return db.dialect.intact()
}

// Rewrite removes from the files of the database what was replaced or deleted,
// if the engine leaves it there. PostgreSQL does so by itself.
func (db *DB) Rewrite(ctx context.Context) error {
	for _, statement := range db.dialect.rewrite {
		if _, err := db.pool.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("rewrite the catalog: %w", mapError(ctx, err))
		}
	}
	return nil
}

// Engine returns the name and the version of the database engine, such as
// "PostgreSQL" and "15.14". The version is empty when it cannot be read.
func (db *DB) Engine(ctx context.Context) (name, version string) {
	version, err := QueryOne(ctx, db, ScanString, db.dialect.versionQuery)
	if err != nil {
		return db.dialect.name, ""
	}
	version, _, _ = strings.Cut(version, " ")
	return db.dialect.name, version
}

// Size returns the size of the database in bytes, including space that it will
// reuse.
func (db *DB) Size(ctx context.Context) (int64, error) {
	size, err := QueryOne(ctx, db, ScanInt, db.dialect.sizeQuery)
	if err != nil {
		return 0, fmt.Errorf("read the size of the catalog: %w", err)
	}
	return size, nil
}
