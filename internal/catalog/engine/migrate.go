package engine

import (
	"context"
	"database/sql"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

// migrationTable records the applied migrations.
const migrationTable = "catalog_migration"

// migrateAttempts limits the attempts of a process that loses the race for the
// same migration.
const migrateAttempts = 5

func (db *DB) migrate(ctx context.Context, migrations fs.FS) error {
	for attempt := 1; ; attempt++ {
		err := db.migrateOnce(ctx, migrations)
		if err == nil {
			return nil
		}
		if db.ReadsOnly() {
			return fmt.Errorf("migrate: %w", errDiskFull(err))
		}
		// SQLite has no lock that outlives a transaction: of two processes that
		// start on an empty file, one fails and then finds the migrations applied.
		if db.dialect.locker != nil || attempt == migrateAttempts {
			return fmt.Errorf("migrate: %w", mapError(ctx, err))
		}
	}
}

func (db *DB) migrateOnce(ctx context.Context, migrations fs.FS) error {
	files, err := fs.Sub(migrations, db.dialect.migrations)
	if err != nil {
		return err
	}
	options := []goose.ProviderOption{goose.WithDisableGlobalRegistry(true), goose.WithTableName(migrationTable)}
	if db.dialect.locker != nil {
		options = append(options, goose.WithSessionLocker(db.dialect.locker))
	}
	provider, err := goose.NewProvider(db.dialect.goose, db.pool, files, options...)
	if err != nil {
		return err
	}
	if db.unmigrated {
		return refuseOther(ctx, provider)
	}
	if _, err := provider.Up(ctx); err != nil {
		return err
	}
	return refuseNewer(ctx, provider)
}

// refuseOther returns an error unless the database has the version of the program.
func refuseOther(ctx context.Context, provider *goose.Provider) error {
	current, known, err := provider.GetVersions(ctx)
	if err == nil && current < known {
		err = fmt.Errorf("an older program uses this catalog: it has the version %d, this one needs %d; use the program that serves it, or start this one once", current, known)
	}
	if err != nil {
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
// own locker it blocks in the server instead of polling every few seconds.
type advisoryLock struct{}

// advisoryLockID is an arbitrary number that only these migrations use.
const advisoryLockID int64 = 0x70726f6d7074

func (advisoryLock) SessionLock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock($1)`, advisoryLockID)
	return err
}

func (advisoryLock) SessionUnlock(ctx context.Context, conn *sql.Conn) error {
	_, err := conn.ExecContext(ctx, `SELECT pg_advisory_unlock($1)`, advisoryLockID)
	return err
}
