// Package table is the DuckDB table of the embedded log store. It answers
// filters, sorting and analytics, and holds nothing that could not be rebuilt
// from the journal: one row of filter columns per log, the notes of annotated
// logs, the position of each journal block, and the place in the journal up to
// which records have been applied.
package table

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/logstore/embedded/tally"
)

// Options configure a table.
type Options struct {
	// MemoryMB is the memory limit of DuckDB.
	MemoryMB int
	// Threads is the number of DuckDB threads, 0 for all cores.
	Threads int
	Logger  *slog.Logger
}

// Table is the DuckDB database. Queries are safe for concurrent use; Restore,
// Apply and Checkpoint must be called by one goroutine at a time.
type Table struct {
	file file
	opts Options

	// mu is held shared while the database is used and exclusively to reopen
	// it, which DuckDB requires after a fatal error. A file must not be opened
	// while a connection of an older handle is alive.
	mu        sync.RWMutex
	connector *duckdb.Connector
	db        *sql.DB
	writer    driver.Conn
	recurring *chunk.Statements // of writer
	unsaved   int               // rows since the last checkpoint
	room      *tally.Room       // for analytics
	starts    starts            // of the logs in it
}

// New returns the table in dir. Restore opens it.
func New(dir string, opts Options) *Table {
	return &Table{file: *fileIn(dir, opts.Logger), opts: opts, room: tally.NewRoom()}
}

// Unsaved returns the number of rows applied since the last checkpoint.
func (t *Table) Unsaved() int { return t.unsaved }

// load opens the database and reads its state. On failure the database is
// closed.
func (t *Table) load(ctx context.Context) (State, error) {
	if err := t.open(ctx); err != nil {
		return State{}, err
	}
	st, err := readState(ctx, t.db)
	if err == nil {
		err = t.starts.read(ctx, t.db)
	}
	if err != nil {
		err = errors.Join(err, t.shut())
	}
	return st, err
}

// open attaches the file to an in-memory database, because only an attached
// file can be opened without a write-ahead log: the journal makes it redundant,
// and it would cost more than the writes themselves. After a crash the file is
// as of its last checkpoint and the journal supplies the rest.
func (t *Table) open(ctx context.Context) (err error) {
	// This program never writes a write-ahead log, and DuckDB may crash when it
	// reads a damaged one.
	if err := os.Remove(t.file.path + ".wal"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a foreign log beside the log table: %w", err)
	}
	attached := false
	attach := func(conn driver.ExecerContext) error {
		statements := []string{"USE logs"}
		if !attached {
			statements = []string{
				"ATTACH " + quoted(t.file.path) + " AS logs" + attachOptions,
				// A checkpoint while it is closed could not be undone; see keepUndo.
				"PRAGMA disable_checkpoint_on_shutdown",
				"USE logs", "SET allowed_paths = [" + strings.Join(t.file.freshFiles(), ", ") + "]",
				"SET enable_external_access = false", "SET lock_configuration = true",
			}
			attached = true
		}
		for _, statement := range statements {
			// Connections are also made after the context that opened the table
			// has ended, such as during shutdown.
			if _, err := conn.ExecContext(context.WithoutCancel(ctx), statement, nil); err != nil {
				return fmt.Errorf("%s: %w", statement, err)
			}
		}
		return nil
	}
	if err := spareFiles(); err != nil {
		return fmt.Errorf("open log table: %w", err)
	}
	if t.connector, err = duckdb.NewConnector(t.opts.settings(t.file.path+".tmp"), attach); err != nil {
		return fmt.Errorf("open log table: %w", err)
	}
	t.db = sql.OpenDB(t.connector)
	t.db.SetMaxIdleConns(runtime.NumCPU() + 2)
	if t.writer, err = t.connector.Connect(ctx); err != nil {
		return errors.Join(fmt.Errorf("open log table: %w", err), t.shut())
	}
	if t.recurring, err = chunk.NewStatements(t.writer); err != nil {
		return errors.Join(fmt.Errorf("open log table: %w", err), t.shut())
	}
	if err = t.createSchema(ctx); err != nil {
		return errors.Join(err, t.shut())
	}
	return nil
}

const attachOptions = " (RECOVERY_MODE no_wal_writes, STORAGE_VERSION 'latest')"

func quoted(path string) string { return "'" + strings.ReplaceAll(path, "'", "''") + "'" }

// spareFiles returns an error unless a few more files can be opened. Without
// any, DuckDB aborts the process when it starts.
func spareFiles() (err error) {
	for range 8 {
		file, openErr := os.Open(os.DevNull)
		if openErr != nil {
			return openErr
		}
		defer func() { err = errors.Join(err, file.Close()) }()
	}
	return nil
}

// settings returns those of DuckDB, with a folder for what does not fit into memory.
func (o Options) settings(temporary string) string {
	threads := o.Threads
	if threads == 0 {
		threads = runtime.NumCPU()
	}
	return "?" + url.Values{
		"threads":                  {strconv.Itoa(threads)},
		"memory_limit":             {strconv.Itoa(o.MemoryMB) + "MB"},
		"temp_directory":           {temporary},
		"preserve_insertion_order": {"false"},
		// Late materialization fetches rows by numbers that a concurrent
		// checkpoint may reassign: a page would show logs that do not match.
		"disabled_optimizers":          {"late_materialization"},
		"autoinstall_known_extensions": {"false"},
		"autoload_known_extensions":    {"false"},
	}.Encode()
}

// shut closes every connection and the database.
func (t *Table) shut() error {
	var err error
	if t.recurring != nil {
		t.recurring.Close()
		t.recurring = nil
	}
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

// Close writes the table to its file and closes it.
func (t *Table) Close() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.db == nil {
		return nil
	}
	err := t.file.keepUndo(context.Background(), t.db)
	if err == nil {
		err = t.checkpointNow(context.Background())
	}
	if err == nil {
		err = t.file.forgetUndo()
	}
	return errors.Join(err, t.shut())
}

// ErrClosed is returned while the table is not open.
var ErrClosed = errors.New("the log table is closed")

// read calls use with the open database.
func (t *Table) read(ctx context.Context, use func(*sql.DB) error) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.db == nil {
		return ErrClosed
	}
	err := use(t.db)
	if err != nil && ctx.Err() != nil {
		return ctx.Err() // rather than how DuckDB reports the interruption
	}
	return err
}

// exec runs a statement on the writing connection.
func (t *Table) exec(ctx context.Context, query string, args ...any) error {
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: arg}
	}
	_, err := t.writer.(driver.ExecerContext).ExecContext(ctx, query, named)
	return err
}

// CheckpointRows is the number of rows worth a checkpoint while logs keep
// arriving. It is the size of DuckDB's row groups: with fewer, the same rows
// would be compressed repeatedly.
const CheckpointRows = 122_880

const (
	// checkpointPatience is how long a checkpoint waits for a moment without
	// readers before it is postponed.
	checkpointPatience = 2 * time.Second
	// maxUnsaved is the number of unsaved rows from which on readers wait for
	// the checkpoint rather than the other way round.
	maxUnsaved = 4 * CheckpointRows
)

// Checkpoint writes the changes in memory to the file, or postpones it if
// readers are active. A failure loses nothing, because the journal has the
// records, but DuckDB then rejects all work until the database is reopened.
func (t *Table) Checkpoint(ctx context.Context) error {
	done, err := t.Save(ctx, t.unsaved < maxUnsaved)
	if done {
		t.unsaved = 0
	}
	return err
}

// Save writes the table to its file. If it may be postponed, it waits only for a while
// until there are no readers.
func (t *Table) Save(ctx context.Context, later bool) (done bool, err error) {
	// Readers need not wait for it: nobody else changes the file.
	if err := t.read(ctx, func(db *sql.DB) error { return t.file.keepUndo(ctx, db) }); err != nil {
		return false, fmt.Errorf("copy what a checkpoint overwrites: %w", err)
	}
	if done, err = t.saveAlone(ctx, later); err != nil {
		return false, fmt.Errorf("checkpoint: %w", err) // Restore undoes it
	}
	return done, t.file.forgetUndo()
}

// saveAlone makes a checkpoint while there are no readers: rows move, and a concurrent
// query could miss one or return it twice. If it may be postponed, it does not block
// readers.
func (t *Table) saveAlone(ctx context.Context, later bool) (done bool, err error) {
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
		return false, ErrClosed
	}
	if err = t.checkpointNow(ctx); later && busy(err) {
		return false, nil
	}
	return err == nil, err
}

// checkpointNow lets DuckDB write the table to its file. One of its threads may not be
// quite done with a transaction whose commit has returned; it is given a moment.
func (t *Table) checkpointNow(ctx context.Context) error {
	for deadline := time.Now().Add(checkpointPatience); ; time.Sleep(time.Millisecond) {
		_, err := t.db.ExecContext(ctx, "CHECKPOINT logs")
		if !busy(err) || time.Now().After(deadline) {
			return err
		}
	}
}

// busy reports whether a checkpoint was refused because of a transaction.
func busy(err error) bool {
	engine, ok := errors.AsType[*duckdb.Error](err)
	return ok && engine.Type == duckdb.ErrorTypeTransaction
}

// Version returns the name and version of the engine.
func Version(ctx context.Context) (string, error) {
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return "", fmt.Errorf("open engine: %w", err)
	}
	var version string
	err = db.QueryRowContext(ctx, "SELECT version()").Scan(&version)
	return "DuckDB " + version, errors.Join(err, db.Close())
}
