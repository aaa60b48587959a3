package catalog

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/promptuary/promptuary/internal/fault"
)

// class is what a driver's error means to the catalog, on any engine.
type class uint8

const (
	unknown class = iota
	duplicate
	missingReference
	contention
	tooLarge
	diskFull
	readOnly
	storageFailed
	unreachable
)

// errLostRace makes a transaction run again that found the work of another
// one half done.
var errLostRace = errors.New("lost a race with another transaction")

// lostRace is the fault of a transaction that loses again and again.
func lostRace() error { return fault.Busy(time.Second, errLostRace, "the catalog is busy") }

func retryable(err error) bool {
	return errors.Is(err, errLostRace) || classOf(err) == contention
}

// mendTime is when clients may come back after a failure that an operator has
// to mend.
const mendTime = 5 * time.Second

// mapError turns a driver's error into the fault a client may see, and leaves
// every other error, such as sql.ErrNoRows, as it is.
func mapError(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w (%w)", ctx.Err(), err)
	}
	switch classOf(err) {
	case duplicate:
		return fault.Wrap(fault.Conflict, err, "already exists")
	case missingReference:
		return fault.Wrap(fault.Conflict, err, "refers to something that does not exist, or is still referred to")
	case contention:
		return fault.Busy(time.Second, err, "the catalog is busy")
	case tooLarge:
		return fault.Wrap(fault.TooLarge, err, "a value is too large for the catalog")
	case diskFull:
		return fault.Busy(mendTime, err, "the catalog's disk is full")
	case readOnly:
		return fault.Busy(mendTime, err, "the catalog is read-only")
	case storageFailed:
		return fault.Busy(mendTime, err, "the catalog's storage failed")
	case unreachable:
		return fault.Busy(time.Second, err, "the catalog cannot be reached")
	}
	return err
}

// notFound returns a NotFound fault in place of sql.ErrNoRows and any other
// error as it is.
func notFound(err error, format string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.NotFoundf(format, args...)
	}
	return err
}

// missing returns a NotFound fault when err says that a reference is broken
// and any other error as it is.
func missing(err error, format string, args ...any) error {
	if classOf(err) == missingReference {
		return fault.Wrap(fault.NotFound, err, format, args...)
	}
	return err
}

// taken returns a Conflict fault with a better text when err is a duplicate
// and any other error as it is.
func taken(err error, format string, args ...any) error {
	if classOf(err) == duplicate {
		return fault.Wrap(fault.Conflict, err, format, args...)
	}
	return err
}

func classOf(err error) class {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return classOfSQLite(lite.Code())
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return classOfPostgres(pg.Code)
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) ||
		errors.Is(err, driver.ErrBadConn) || errors.Is(err, io.ErrUnexpectedEOF) {
		return unreachable
	}
	return unknown
}

func classOfSQLite(code int) class {
	switch code {
	case sqlite3.SQLITE_CONSTRAINT_UNIQUE, sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY, sqlite3.SQLITE_CONSTRAINT_ROWID:
		return duplicate
	case sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY:
		return missingReference
	case sqlite3.SQLITE_IOERR_SHMSIZE: // no room for the index of the write-ahead log
		return diskFull
	}
	switch code & 0xff { // the low byte is the family of the code
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return contention
	case sqlite3.SQLITE_TOOBIG:
		return tooLarge
	case sqlite3.SQLITE_FULL:
		return diskFull
	case sqlite3.SQLITE_READONLY:
		return readOnly
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CANTOPEN:
		return storageFailed
	}
	return unknown
}

// classOfPostgres reads an SQLSTATE; its first two characters are the family.
func classOfPostgres(code string) class {
	switch code {
	case "23505": // unique_violation
		return duplicate
	case "23503": // foreign_key_violation
		return missingReference
	case "40001", "40P01", "55P03": // serialization_failure, deadlock_detected, lock_not_available
		return contention
	case "53100": // disk_full
		return diskFull
	case "25006": // read_only_sql_transaction
		return readOnly
	}
	switch code[:min(2, len(code))] {
	case "54": // program_limit_exceeded
		return tooLarge
	case "08", "53", "57": // connection, resources, operator intervention
		return unreachable
	case "58", "XX": // system error, damaged data
		return storageFailed
	}
	return unknown
}
