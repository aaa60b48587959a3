package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/durable"
)

// compactIDs and compactRows are the parts in which logs and spans are copied, so
// that their order, which lets the engine skip most of the table, costs little.
const (
	compactIDs  = 200_000
	compactRows = 200_000
)

// Copy writes all rows to a new file. The engine marks deleted rows in the file,
// but leaves their values there; the new file has only what is left. Reads and
// Apply go on in the meantime: the copy is of one moment. Replace puts it in the place of
// the table.
func (t *Table) Copy(ctx context.Context) error {
	return t.read(ctx, func(db *sql.DB) (err error) {
		if err := t.file.removeFresh(); err != nil {
			return err
		}
		conn, err := db.Conn(ctx)
		if err != nil {
			return fmt.Errorf("copy the log table: %w", err)
		}
		defer func() { err = errors.Join(err, conn.Close()) }()
		exec := func(statement string, args ...any) error {
			if _, err := conn.ExecContext(ctx, statement, args...); err != nil {
				return fmt.Errorf("copy the log table: %w", err)
			}
			return nil
		}
		if err := exec("ATTACH " + quoted(t.file.path+freshSuffix) + " AS fresh" + attachOptions); err != nil {
			return err
		}
		defer func() {
			_, detachErr := conn.ExecContext(context.WithoutCancel(ctx), "DETACH fresh")
			err = errors.Join(err, detachErr)
		}()
		if err := exec("BEGIN"); err != nil {
			return err
		}
		if err := copyRows(ctx, conn, exec); err != nil {
			_, rollbackErr := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
			return errors.Join(err, rollbackErr)
		}
		if err := exec("COMMIT"); err != nil {
			return err
		}
		return exec("CHECKPOINT fresh")
	})
}

// copyRows copies the rows of all tables.
func copyRows(ctx context.Context, conn *sql.Conn, exec func(string, ...any) error) error {
	var lastID, lastSpan int64
	if err := conn.QueryRowContext(ctx, "SELECT coalesce((SELECT max(id) FROM logs.log), 0), coalesce((SELECT max(rowid) FROM logs.span), -1)").Scan(&lastID, &lastSpan); err != nil {
		return fmt.Errorf("copy the log table: %w", err)
	}
	for _, name := range []string{"log", "block", "applied", "deleted", "span", "closure", "schema_version"} {
		var statement string
		if err := conn.QueryRowContext(ctx, "SELECT sql FROM duckdb_tables() WHERE database_name = 'logs' AND table_name = ?", name).Scan(&statement); err != nil {
			return fmt.Errorf("copy the log table: %w", err)
		}
		if err := exec("USE fresh"); err != nil {
			return err
		}
		if err := errors.Join(exec(statement), exec("USE logs")); err != nil {
			return err
		}
	}
	for first := int64(0); first <= lastID; first += compactIDs {
		if err := exec("INSERT INTO fresh.log SELECT * FROM logs.log WHERE id >= ? AND id < ? ORDER BY id", first, first+compactIDs); err != nil {
			return err
		}
	}
	for first := int64(0); first <= lastSpan; first += compactRows {
		if err := exec("INSERT INTO fresh.span SELECT * FROM logs.span WHERE rowid >= ? AND rowid < ? ORDER BY block, slot", first, first+compactRows); err != nil {
			return err
		}
	}
	for _, name := range []string{"block", "applied", "closure", "schema_version"} {
		if err := exec("INSERT INTO fresh." + name + " FROM logs." + name); err != nil {
			return err
		}
	}
	return exec("INSERT INTO fresh.deleted FROM logs.deleted WHERE kind <> ?", deletedRows)
}

// Replace puts the copy in the place of the table, and returns its state: that of
// the moment of the copy. The caller applies what has come since. After an error the
// table is closed, and Restore opens the one or the other.
func (t *Table) Replace(ctx context.Context) (State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.shut(); err != nil {
		return State{}, fmt.Errorf("close the log table: %w", err)
	}
	if err := os.Rename(t.file.path+freshSuffix, t.file.path); err != nil {
		return State{}, fmt.Errorf("replace the log table: %w", err)
	}
	if err := durable.SyncFolder(filepath.Dir(t.file.path)); err != nil {
		return State{}, fmt.Errorf("replace the log table: %w", err)
	}
	t.unsaved = 0
	return t.load(ctx)
}
