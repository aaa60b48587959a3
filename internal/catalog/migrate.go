package catalog

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrationFiles embed.FS

// migrationTable records which migrations were applied.
const migrationTable = "catalog_migration"

// migrateAttempts bounds how often a process tries again that lost the race
// with another one for the same migration.
const migrateAttempts = 5

func (c *Catalog) migrate(ctx context.Context) error {
	for attempt := 1; ; attempt++ {
		err := c.migrateOnce(ctx)
		if err == nil {
			return nil
		}
		// SQLite has no lock that outlives a transaction: of two processes
		// that start on an empty file, one fails and then finds the work done.
		if c.engine.locker != nil || attempt == migrateAttempts {
			return fmt.Errorf("migrate: %w", mapError(ctx, err))
		}
	}
}

func (c *Catalog) migrateOnce(ctx context.Context) error {
	files, err := fs.Sub(migrationFiles, c.engine.migrations)
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithTableName(migrationTable)}
	if c.engine.locker != nil {
		options = append(options, goose.WithSessionLocker(c.engine.locker))
	}
	provider, err := goose.NewProvider(c.engine.dialect, c.db, files, options...)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return err
	}
	return refuseNewer(ctx, provider)
}

func refuseNewer(ctx context.Context, provider *goose.Provider) error {
	current, known, err := provider.GetVersions(ctx)
	if err != nil {
		return err
	}
	if current > known {
		return fmt.Errorf("a newer program has migrated this catalog to version %d, this one knows %d", current, known)
	}
	return nil
}

// advisoryLock lets one replica migrate while the others wait. Unlike goose's
// own locker it blocks in the server instead of asking every few seconds.
type advisoryLock struct{}

// advisoryLockID is an arbitrary number that only this program's migrations use.
const advisoryLockID int64 = 0x70726f6d7074

func (advisoryLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, advisoryLockID)
	return err
}

func (advisoryLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `SELECT pg_advisory_unlock($1)`, advisoryLockID)
	return err
}
