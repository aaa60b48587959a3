package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/stdlib"

	"github.com/promptuary/promptuary/internal/catalog/table"
)

// Copied is what a copy has verified of a table.
type Copied struct {
	Table string
	Rows  int64
	// Checksum is that of all rows, whatever their order.
	Checksum string
}

// Copy copies everything in a SQLite database to an empty PostgreSQL database,
// with all ids, in one transaction: a copy that is interrupted leaves the target
// empty. Before it commits, it reads the copy back and compares the number of rows
// and the checksum of each table. Nobody can write to the source in the meantime.
// progress is called with the number of rows copied since the last call, and the
// number in all tables.
func Copy(ctx context.Context, from, to *DB, progress func(rows, total int64)) ([]Copied, error) {
	if from.dialect.name != "SQLite" || to.dialect.name != "PostgreSQL" {
		return nil, errors.New("a catalog can be copied only from SQLite to PostgreSQL")
	}
	source, err := from.pool.BeginTx(ctx, nil)
	if err != nil {
		return nil, mapError(ctx, err)
	}
	defer func() { _ = source.Rollback() }() // it writes nothing
	conn, err := to.pool.Conn(ctx)
	if err != nil {
		return nil, mapError(ctx, err)
	}
	defer func() { _ = conn.Close() }()
	target, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return nil, mapError(ctx, err)
	}
	defer func() { _ = target.Rollback() }() // a no-op after a commit
	c := &copying{from: source, to: target, conn: conn, progress: progress}
	copied, err := c.run(ctx)
	if err != nil {
		return nil, err
	}
	return copied, mapError(ctx, target.Commit())
}

// copying is a copy in progress.
type copying struct {
	from, to *sql.Tx
	// conn is the connection of to.
	conn     *sql.Conn
	progress func(rows, total int64)
	total    int64
}

func (c *copying) run(ctx context.Context) ([]Copied, error) {
	tables, err := c.tables(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.checkEmpty(ctx, tables); err != nil {
		return nil, err
	}
	if err := c.count(ctx, tables); err != nil {
		return nil, err
	}
	all := make([]Copied, len(tables))
	for i, name := range tables {
		if all[i], err = c.copyTable(ctx, name); err != nil {
			return nil, fmt.Errorf("copy the table %s: %w", name, err)
		}
	}
	return all, c.continueIDs(ctx)
}

// ownTables are not copied: SQLite counts revisions in memory, and the others
// describe running servers.
var ownTables = []string{table.WorkspaceRevision.Name, table.Server.Name, table.RateLimit.Name}

// tables returns the tables to copy, each after those that it refers to.
func (c *copying) tables(ctx context.Context) ([]string, error) {
	references, err := c.references(ctx)
	if err != nil {
		return nil, err
	}
	var ordered []string
	var add func(name string)
	add = func(name string) {
		if slices.Contains(ordered, name) || slices.Contains(ownTables, name) {
			return
		}
		for _, other := range references[name] {
			add(other)
		}
		ordered = append(ordered, name)
	}
	for _, t := range table.All() {
		add(t.Name)
	}
	return ordered, nil
}

// references returns the tables that a table refers to, without itself.
func (c *copying) references(ctx context.Context) (map[string][]string, error) {
	rows, err := c.to.QueryContext(ctx, `
SELECT a.relname, b.relname
FROM pg_constraint AS c
JOIN pg_class AS a ON a.oid = c.conrelid
JOIN pg_class AS b ON b.oid = c.confrelid
WHERE c.contype = 'f'
AND a.oid <> b.oid
AND c.connamespace = current_schema()::regnamespace`)
	if err != nil {
		return nil, mapError(ctx, err)
	}
	defer func() { _ = rows.Close() }()
	found := map[string][]string{}
	for rows.Next() {
		var name, other string
		if err := rows.Scan(&name, &other); err != nil {
			return nil, err
		}
		found[name] = append(found[name], other)
	}
	return found, mapError(ctx, rows.Err())
}

// checkEmpty refuses a target with content.
func (c *copying) checkEmpty(ctx context.Context, tables []string) error {
	for _, name := range tables {
		var used bool
		if err := c.to.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM `+name+`)`).Scan(&used); err != nil {
			return mapError(ctx, err)
		}
		if used {
			return fmt.Errorf("the target is not empty: its table %s has rows; create a new database", name)
		}
	}
	return nil
}

func (c *copying) count(ctx context.Context, tables []string) error {
	for _, name := range tables {
		var n int64
		if err := c.from.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+name).Scan(&n); err != nil {
			return mapError(ctx, err)
		}
		c.total += n
	}
	return nil
}

// copyTable copies a table in one statement, because rows may refer to later
// ones, and compares the copy with the original.
func (c *copying) copyTable(ctx context.Context, name string) (Copied, error) {
	columns, err := columnsOf(ctx, c.to, name)
	if err != nil {
		return Copied{}, err
	}
	rows, err := readTable(ctx, c.from, name, columns)
	if err != nil {
		return Copied{}, err
	}
	defer func() { _ = rows.Close() }()
	rows.read = func() { c.progress(1, c.total) }
	if err := c.load(ctx, name, rows); err != nil {
		return Copied{}, err
	}
	written, err := sumTable(ctx, c.to, name, columns)
	if err != nil {
		return Copied{}, err
	}
	if written != rows.sum {
		return Copied{}, fmt.Errorf("the copy differs: %v instead of %v", written, rows.sum)
	}
	return Copied{Table: name, Rows: written.rows, Checksum: written.String()}, nil
}

// load writes the rows to a table of the target.
func (c *copying) load(ctx context.Context, name string, rows *tableRows) error {
	return c.conn.Raw(func(driver any) error {
		conn, ok := driver.(*stdlib.Conn)
		if !ok {
			return fmt.Errorf("unexpected driver %T", driver)
		}
		_, err := conn.Conn().CopyFrom(ctx, []string{name}, rows.names(), rows)
		return mapError(ctx, err)
	})
}

// continueIDs makes the sequences of the target continue after the ids that the
// source has given, also if their rows are gone.
func (c *copying) continueIDs(ctx context.Context) error {
	rows, err := c.from.QueryContext(ctx, `SELECT name, seq FROM sqlite_sequence ORDER BY name`)
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
		if err := c.continueTable(ctx, name, last); err != nil {
			return err
		}
	}
	return mapError(ctx, rows.Err())
}

// continueTable has nothing to do for a table whose ids come from elsewhere, like
// that of the migrations.
func (c *copying) continueTable(ctx context.Context, name string, last int64) error {
	if last == 0 || !slices.ContainsFunc(table.All(), func(t table.Table) bool { return t.Name == name }) {
		return nil
	}
	_, err := c.to.ExecContext(ctx, `SELECT setval(pg_get_serial_sequence($1, 'id'), $2)`, name, last)
	if err != nil {
		return fmt.Errorf("continue the ids of %s: %w", name, mapError(ctx, err))
	}
	return nil
}
