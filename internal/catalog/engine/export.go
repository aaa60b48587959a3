package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog/table"
)

// Export copies everything in a PostgreSQL database, as it is at one moment, to an
// empty SQLite database, with all ids, while others write to it. It calls instant
// just before that moment. It reads each table back and compares the number of
// rows and a checksum.
func Export(ctx context.Context, from, to *DB, instant func() error) error {
	if from.dialect.name != "PostgreSQL" || to.dialect.name != "SQLite" {
		return errors.New("a catalog can be exported only from PostgreSQL to SQLite")
	}
	source, err := from.pool.BeginTx(ctx, &sql.TxOptions{Isolation: sql.LevelRepeatableRead, ReadOnly: true})
	if err != nil {
		return mapError(ctx, err)
	}
	defer func() { _ = source.Rollback() }() // it writes nothing
	target, err := to.pool.BeginTx(ctx, nil)
	if err != nil {
		return mapError(ctx, err)
	}
	defer func() { _ = target.Rollback() }() // a no-op after a commit
	// The first query of the source, after this, chooses the moment.
	if err := instant(); err != nil {
		return err
	}
	// Rows may refer to later ones.
	if _, err := target.ExecContext(ctx, `PRAGMA defer_foreign_keys = ON`); err != nil {
		return mapError(ctx, err)
	}
	for _, t := range table.All() {
		if slices.Contains(ownTables, t.Name) {
			continue
		}
		if err := exportTable(ctx, source, target, t.Name); err != nil {
			return fmt.Errorf("copy the table %s: %w", t.Name, err)
		}
	}
	if err := exportIDs(ctx, source, target); err != nil {
		return fmt.Errorf("continue the ids: %w", err)
	}
	return mapError(ctx, target.Commit())
}

func exportTable(ctx context.Context, source, target *sql.Tx, name string) error {
	columns, err := columnsOf(ctx, source, name)
	if err != nil {
		return err
	}
	rows, err := readTable(ctx, source, name, columns)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	places := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
	insert, err := target.PrepareContext(ctx, `INSERT INTO `+name+` (`+strings.Join(rows.names(), ", ")+`) VALUES (`+places+`)`)
	if err != nil {
		return mapError(ctx, err)
	}
	defer func() { _ = insert.Close() }()
	for rows.Next() {
		if _, err := insert.ExecContext(ctx, rows.values...); err != nil {
			return mapError(ctx, err)
		}
	}
	if err := rows.Err(); err != nil {
		return mapError(ctx, err)
	}
	written, err := sumTable(ctx, target, name, columns)
	if err == nil && written != rows.sum {
		err = fmt.Errorf("the copy differs: %v instead of %v", written, rows.sum)
	}
	return err
}

// exportIDs makes the ids of the target continue after those that the source has
// given, also if their rows are gone.
func exportIDs(ctx context.Context, source, target *sql.Tx) error {
	rows, err := source.QueryContext(ctx, `
SELECT t.relname, COALESCE(pg_sequence_last_value(s.oid), 0)
FROM pg_class AS s
JOIN pg_depend AS d ON d.objid = s.oid AND d.deptype IN ('a', 'i')
JOIN pg_class AS t ON t.oid = d.refobjid
WHERE s.relkind = 'S'
AND t.relnamespace = current_schema()::regnamespace`)
	if err != nil {
		return mapError(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var name string
		var last int64
		if err := rows.Scan(&name, &last); err != nil {
			return err
		}
		if err := continueAfter(ctx, target, name, last); err != nil {
			return mapError(ctx, err)
		}
	}
	return mapError(ctx, rows.Err())
}

// continueAfter sets the last id of a table whose ids SQLite counts.
func continueAfter(ctx context.Context, target *sql.Tx, name string, last int64) error {
	if _, err := target.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = ? AND seq < ?`, name, last); err != nil {
		return err
	}
	_, err := target.ExecContext(ctx, `
INSERT INTO sqlite_sequence (name, seq)
SELECT name, ?
FROM sqlite_master
WHERE type = 'table'
AND name = ?
AND sql LIKE '%AUTOINCREMENT%'
AND NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE sqlite_sequence.name = sqlite_master.name)`, last, name)
	return err
}
