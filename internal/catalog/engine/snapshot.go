package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// Snapshot copies a SQLite database, as it is at one moment, to a new file, while
// others write to it. At that moment it calls instant, during which nobody can
// change the database.
func Snapshot(ctx context.Context, db *DB, path string, instant func() error) (err error) {
	conn, err := db.pool.Conn(ctx)
	if err != nil {
		return mapError(ctx, err)
	}
	defer func() { _ = conn.Close() }()
	if err := db.freeze(ctx, conn, instant); err != nil {
		return fmt.Errorf("begin a snapshot of the catalog: %w", mapError(ctx, err))
	}
	defer func() {
		_, endErr := conn.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		err = errors.Join(err, endErr)
	}()
	if err := conn.Raw(func(driver any) error { return copyPages(ctx, driver, path) }); err != nil {
		return fmt.Errorf("copy the catalog: %w", mapError(ctx, err))
	}
	return nil
}

// freeze begins a transaction that reads the database as it is now, and calls
// instant while nobody can write.
func (db *DB) freeze(ctx context.Context, reading *sql.Conn, instant func() error) error {
	writing, err := db.pool.BeginTx(ctx, nil) // it locks the database
	if err != nil {
		return err
	}
	defer func() { _ = writing.Rollback() }() // it writes nothing
	if _, err := reading.ExecContext(ctx, `BEGIN`); err != nil {
		return err
	}
	// The transaction sees what there is when it first reads.
	var tables int
	err = reading.QueryRowContext(ctx, `SELECT COUNT(*) FROM sqlite_master`).Scan(&tables)
	if err == nil {
		err = instant()
	}
	if err != nil {
		_, endErr := reading.ExecContext(context.WithoutCancel(ctx), `ROLLBACK`)
		return errors.Join(err, endErr)
	}
	return nil
}

// copiedPages is the number of pages that are copied before a check whether to go
// on.
const copiedPages = 1024

func copyPages(ctx context.Context, driver any, path string) (err error) {
	source, ok := driver.(interface {
		NewBackup(target string) (*sqlite.Backup, error)
	})
	if !ok {
		return fmt.Errorf("unexpected driver %T", driver)
	}
	backup, err := source.NewBackup(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backup.Finish()) }()
	for {
		more, err := backup.Step(copiedPages)
		if err != nil || !more {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
}
