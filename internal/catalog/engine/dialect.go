package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
)

// dialect is what opening and migrating need to know about a database engine;
// nothing else depends on which one it is.
type dialect struct {
	name         string
	versionQuery string
	sizeQuery    string
	goose        goose.Dialect
	// migrations is the folder of the migrations.
	migrations string
	// locker prevents other processes from migrating at the same time.
	locker lock.SessionLocker
	// check rejects a database that the catalog cannot work with.
	check func(context.Context, *sql.DB) error
	// intact returns an error if what is written now would be lost. It runs
	// before each commit. It may be nil.
	intact func() error
	// connector opens connections that can only read, if need be. It may be nil.
	connector *sqliteConnector
	// file is the path of a SQLite file, "" otherwise.
	file string
	// rewrite are the statements that write the whole database again, without what
	// was replaced or deleted.
	rewrite []string
}

const (
	sqliteReaders = 8
	postgresConns = 16
)

// sqliteOptions are applied to every connection of the pool; a PRAGMA statement
// would reach only one of them.
var sqliteOptions = url.Values{
	"mode":          {"rw"}, // a deleted file must not be replaced by an empty one
	"_busy_timeout": {"10000"},
	"_foreign_keys": {"1"},
	"_journal_mode": {"WAL"},
	"_synchronous":  {"FULL"},
	"_txlock":       {"immediate"},
	"_dqs":          {"0"},
	"_error_rc":     {"1"},
}

func connectSQLite(path string) (*DB, error) {
	switch {
	case path == "":
		return nil, errors.New("the path of the SQLite file is empty")
	case strings.HasPrefix(path, ":memory:"):
		return nil, errors.New("an in-memory SQLite catalog is not supported: each connection would see its own")
	case strings.HasPrefix(path, "//") && !strings.HasPrefix(path, "///"):
		return nil, errors.New("write sqlite:<path> for a relative path, sqlite:///<path> for an absolute one")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the SQLite file: %w", err)
	}
	file, err := createPrivate(path)
	if err != nil {
		return nil, err
	}
	if err := flushFile(path + "-wal"); err != nil {
		return nil, err
	}
	if err := requireWAL(path); err != nil {
		return nil, err
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path), OmitHost: true, RawQuery: sqliteOptions.Encode()}
	connector, err := newSQLiteConnector(path, address)
	if err != nil {
		return nil, err
	}
	pool := sql.OpenDB(connector)
	pool.SetMaxOpenConns(sqliteReaders + 1)
	pool.SetMaxIdleConns(sqliteReaders + 1)
	return &DB{
		pool: pool,
		// Writers queue here instead of polling the lock of the file.
		writers:   fair.New(fair.Options{Slots: 1}),
		revisions: &memoryRevisions{},
		dialect: dialect{
			name:         "SQLite",
			versionQuery: `SELECT sqlite_version()`,
			sizeQuery:    `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`,
			goose:        goose.DialectSQLite3,
			migrations:   "sqlite",
			intact:       func() error { return checkSame(path, file) },
			connector:    connector,
			file:         path,
			rewrite:      []string{`VACUUM`, `PRAGMA wal_checkpoint(TRUNCATE)`},
		},
	}, nil
}

// createPrivate creates a missing file that only its owner can read, and returns
// what identifies the file. SQLite would apply the umask; it gives its side files
// the same mode.
func createPrivate(path string) (os.FileInfo, error) {
	file, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("create the SQLite file: %w", err)
	}
	info, err := file.Stat()
	return info, errors.Join(err, file.Close())
}

// flushFile makes the content of a file durable, if there is one. SQLite serves
// what a process wrote to the log, even if it was killed before it flushed it.
func flushFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open the log of the SQLite file: %w", err)
	}
	if err := errors.Join(file.Sync(), file.Close()); err != nil {
		return fmt.Errorf("flush the log of the SQLite file: %w", err)
	}
	return nil
}

// checkSame returns a fault if the path no longer leads to the file: SQLite would
// write to a file that nobody can open again.
func checkSame(path string, file os.FileInfo) error {
	current, err := os.Stat(path)
	if err == nil && os.SameFile(file, current) {
		return nil
	}
	return fault.Busy(repairTime, err, "the catalog's file was moved or deleted")
}

func connectPostgres(dsn string) (*DB, error) {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, err // pgx redacts the password
	}
	if config.RuntimeParams["application_name"] == "" {
		config.RuntimeParams["application_name"] = "promptuary"
	}
	pool := stdlib.OpenDB(*config)
	pool.SetMaxOpenConns(postgresConns)
	pool.SetMaxIdleConns(postgresConns)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	pool.SetConnMaxLifetime(30 * time.Minute)
	return &DB{
		pool: pool,
		// Some connections stay free for reads while writers wait for locks.
		writers:   fair.New(fair.Options{Slots: postgresConns - 4}),
		revisions: storedRevisions{},
		dialect: dialect{
			name:         "PostgreSQL",
			versionQuery: `SHOW server_version`,
			sizeQuery:    `SELECT pg_database_size(current_database())`,
			goose:        goose.DialectPostgres,
			migrations:   "postgres",
			locker:       advisoryLock{},
			check:        checkEncoding,
		},
	}, nil
}

func checkEncoding(ctx context.Context, pool *sql.DB) error {
	var encoding string
	if err := pool.QueryRowContext(ctx, `SHOW server_encoding`).Scan(&encoding); err != nil {
		return mapError(ctx, err)
	}
	if encoding != "UTF8" {
		return fmt.Errorf("the PostgreSQL database has the encoding %s: create it with ENCODING 'UTF8'", encoding)
	}
	return nil
}
