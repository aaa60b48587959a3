package embedded

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// table is the DuckDB database. It holds nothing that could not be built anew
// from the journal.
type table struct {
	path string
	opts Options

	// mu is held shared while the database is used and exclusively to open it
	// again, which DuckDB needs after a fatal error. A path must not be opened
	// while a connection of an older handle lives.
	mu        sync.RWMutex
	connector *duckdb.Connector
	db        *sql.DB
	writer    driver.Conn
	unsaved   int // rows since the last checkpoint; the applying goroutine's own
}

const fileName = "logs.duckdb"

func newTable(dir string, opts Options) *table {
	return &table{path: filepath.Join(dir, fileName), opts: opts}
}

// load opens the database and reads its state; when it cannot, the database is
// closed.
func (t *table) load(ctx context.Context) (state, error) {
	if err := t.open(ctx); err != nil {
		return state{}, err
	}
	st, err := readState(ctx, t.db)
	if err != nil {
		err = errors.Join(err, t.shut())
	}
	return st, err
}

// open attaches the file to a database in memory, because only an attached
// file can be told not to keep a log of its own: the journal is log enough,
// and a second one would cost more than the writing itself. After a crash the
// file is as it was at the last checkpoint and the journal brings the rest.
func (t *table) open(ctx context.Context) (err error) {
	// A log that something else left beside the file is none of ours, and
	// DuckDB may crash when it reads a damaged one.
	if err := os.Remove(t.path + ".wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a foreign log beside the log table: %w", err)
	}
	attached := false
	attach := func(conn driver.ExecerContext) error {
		statements := []string{"USE logs"}
		if !attached {
			statements = []string{
				"ATTACH '" + strings.ReplaceAll(t.path, "'", "''") + "' AS logs (RECOVERY_MODE no_wal_writes, STORAGE_VERSION 'latest')",
				"USE logs", "SET enable_external_access = false", "SET lock_configuration = true",
			}
			attached = true
		}
		for _, statement := range statements {
			// Connections are made long after the context that opened the
			// table has ended, such as while the program stops.
			if _, err := conn.ExecContext(context.WithoutCancel(ctx), statement, nil); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}
	if t.connector, err = duckdb.NewConnector(t.settings(), attach); err != nil {
		return fmt.Errorf("open log table: %w", err)
	}
	t.db = sql.OpenDB(t.connector)
	t.db.SetMaxIdleConns(runtime.NumCPU() + 2)
	if t.writer, err = t.connector.Connect(ctx); err != nil {
		return errors.Join(fmt.Errorf("open log table: %w", err), t.shut())
	}
	if err = t.createSchema(ctx); err != nil {
		return errors.Join(err, t.shut())
	}
	return nil
}

func (t *table) settings() string {
	threads := t.opts.Threads
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	return "?" + url.Values{
		"threads":                  {strconv.Itoa(threads)},
		"memory_limit":             {strconv.Itoa(t.opts.MemoryMB) + "MB"},
		"temp_directory":           {t.path + ".tmp"},
		"preserve_insertion_order": {"false"},
		// It fetches rows by numbers that a checkpoint may have given to others
		// in the meantime: a page then shows logs that do not match.
		"disabled_optimizers":          {"late_materialization"},
		"autoinstall_known_extensions": {"false"},
		"autoload_known_extensions":    {"false"},
	}.Encode()
}

// shut closes every connection and the database.
func (t *table) shut() error {
	var err error
	if t.writer != nil {
		err = t.writer.Close()
		t.writer = nil
	}
	if t.db != nil {
		err = errors.Join(err, t.db.Close())
		t.db = nil
	}
	return err
}

func (t *table) close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.db == nil {
		return nil
	}
	_, err := t.db.Exec("CHECKPOINT logs")
	return errors.Join(err, t.shut())
}

var errTableClosed = errors.New("the log table is closed")

// read lets use work with the database while it stays open.
func (t *table) read(ctx context.Context, use func(*sql.DB) error) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.db == nil {
		return errTableClosed
	}
	err := use(t.db)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // what DuckDB says about being interrupted is no error of its own
	}
	return err
}

// exec runs a statement on the writing connection.
func (t *table) exec(ctx context.Context, query string, args ...any) error {
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	_, err := t.writer.(driver.ExecerContext).ExecContext(ctx, query, named)
	return err
}

// apply makes the batch's changes in one transaction.
func (t *table) apply(ctx context.Context, b *batch) error {
	t.mu.RLock()
	err := errTableClosed
	if t.db != nil {
		err = t.transact(ctx, func() error { return t.change(ctx, b) })
	}
	t.mu.RUnlock()
	if err != nil {
		return err
	}
	t.unsaved += len(b.rows)
	return nil
}

// checkpointRows is how many rows are written to the file at once while logs
// keep coming. It is the size of DuckDB's row groups: a smaller number would
// have the same rows compressed again and again.
const checkpointRows = 122_880

const (
	// checkpointPatience is how long a checkpoint waits for a moment without
	// readers before it is left for later.
	checkpointPatience = 2 * time.Second
	// maxUnsaved is how many rows may wait for a checkpoint; from then on
	// readers wait for it instead.
	maxUnsaved = 4 * checkpointRows
)

// checkpoint writes what is only in memory to the file, or leaves it for later
// when readers are in the way. What it fails to write stays in the journal, so a
// failure is no loss; but DuckDB refuses to work with the database from then on,
// until it is opened again.
func (t *table) checkpoint(ctx context.Context) error {
	done, err := t.writeOut(ctx, t.unsaved < maxUnsaved)
	if done {
		t.unsaved = 0
	}
	return err
}

// writeOut writes the table to its file while nobody reads: rows change places,
// and a query at that moment can miss one or find it twice. Where it may be left
// for later it only waits for a while, without keeping others from reading.
func (t *table) writeOut(ctx context.Context, later bool) (done bool, err error) {
	for deadline := time.Now().Add(checkpointPatience); later && !t.mu.TryLock(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			return false, nil
		}
	}
	if !later {
		t.mu.Lock()
	}
	defer t.mu.Unlock()
	if t.db == nil {
		return false, errTableClosed
	}
	if _, err := t.db.ExecContext(ctx, "CHECKPOINT logs"); err != nil {
		return false, fmt.Errorf("checkpoint: %w", err)
	}
	return true, nil
}

func (t *table) transact(ctx context.Context, work func() error) error {
	if err := t.exec(ctx, "BEGIN"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := work(); err != nil {
		return errors.Join(err, t.exec(ctx, "ROLLBACK"))
	}
	if err := t.exec(ctx, "COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (t *table) change(ctx context.Context, b *batch) error {
	if len(b.replaced) > 0 {
		q := newQuery()
		q.write("DELETE FROM log WHERE id IN ", q.list(b.replaced))
		if err := t.exec(ctx, q.text(), q.args...); err != nil {
			return fmt.Errorf("replace rows: %w", err)
		}
	}
	if err := t.appendRows("log", len(b.rows), func(i int) ([]driver.Value, error) {
		return row(b.rows[i], b.annotated[b.rows[i].ID])
	}); err != nil {
		return err
	}
	if err := t.appendRows("block", len(b.blocks.positions), func(i int) ([]driver.Value, error) {
		return []driver.Value{b.blocks.firstIDs[i], int64(b.blocks.positions[i])}, nil
	}); err != nil {
		return err
	}
	return t.exec(ctx, "UPDATE applied SET block = ?, records = ?", int64(b.next.block), b.next.slot)
}

func (t *table) appendRows(name string, count int, values func(i int) ([]driver.Value, error)) error {
	if count == 0 {
		return nil
	}
	appender, err := duckdb.NewAppenderFromConn(t.writer, "", name)
	if err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	for i := range count {
		row, err := values(i)
		if err == nil {
			err = appender.AppendRow(row...)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("append to %s: %w", name, err), appender.Close())
		}
	}
	return appender.Close()
}

// state is what the table says about itself when it is opened.
type state struct {
	blocks    blockIndex
	annotated idSet
	owners    owners
	next      place // the first record that is not applied
}

func readState(ctx context.Context, db *sql.DB) (state, error) {
	var st state
	if err := db.QueryRowContext(ctx, "SELECT block, records FROM applied").Scan(&st.next.block, &st.next.slot); err != nil {
		return st, fmt.Errorf("read applied position: %w", err)
	}
	if err := each(ctx, db, "SELECT first_id, position FROM block ORDER BY first_id", func(id, position int64) {
		st.blocks.add(id, journal.Position(position))
	}); err != nil {
		return st, fmt.Errorf("read blocks: %w", err)
	}
	var last, lowest, highest sql.NullInt64
	if err := db.QueryRowContext(ctx, "SELECT max(id), min(workspace), max(workspace) FROM log").Scan(&last, &lowest, &highest); err != nil {
		return st, fmt.Errorf("read last id: %w", err)
	}
	st.blocks.lastID = max(st.blocks.lastID, last.Int64)
	if last.Valid {
		st.owners.add(lowest.Int64)
		st.owners.add(highest.Int64)
	}
	err := each(ctx, db, "SELECT id, 0 FROM log WHERE notes IS NOT NULL", func(id, _ int64) { st.annotated.add(id) })
	return st, err
}

// each runs a query of two whole numbers a row.
func each(ctx context.Context, db *sql.DB, query string, use func(a, b int64)) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	return scanAll(rows, func() error {
		var a, b int64
		err := rows.Scan(&a, &b)
		use(a, b)
		return err
	})
}

// scanAll calls scan for each row and closes the rows.
func scanAll(rows *sql.Rows, scan func() error) error {
	defer func() { _ = rows.Close() }() // rows.Err tells all that Close does
	for rows.Next() {
		if err := scan(); err != nil {
			return err
		}
	}
	return rows.Err()
}
