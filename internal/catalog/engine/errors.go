package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/promptuary/promptuary/internal/fault"
)

// class is what an error of a driver means, on any engine.
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

// errLostRace makes a transaction run again that saw the unfinished work of
// another one.
var errLostRace = errors.New("lost a race with another transaction")

// LostRace returns the fault that makes a transaction run again, and that the
// caller gets when the last attempt fails, too.
func LostRace() error { return fault.Busy(time.Second, errLostRace, "The catalog is busy") }

func retryable(err error) bool {
	return errors.Is(err, errLostRace) || classOf(err) == contention
}

// repairTime is the retry delay after a failure that an operator has to fix.
const repairTime = 5 * time.Second

// mapError turns an error of a driver into a fault that clients may see. It
// returns any other error, such as sql.ErrNoRows, unchanged.
func mapError(ctx context.Context, err error) error {
	if err == nil || errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%w (%w)", ctx.Err(), err)
	}
	switch classOf(err) {
	case duplicate:
		return fault.Wrap(fault.Conflict, err, "Already exists")
	case missingReference:
		return fault.Wrap(fault.Conflict, err, "Refers to something that does not exist, or is still in use")
	case contention:
		return fault.Busy(time.Second, err, "The catalog is busy")
	case tooLarge:
		return fault.Wrap(fault.TooLarge, err, "A value is too large for the catalog")
	case diskFull:
		return errDiskFull(err)
	case readOnly:
		return fault.Busy(repairTime, err, "The catalog is read-only")
	case storageFailed:
		return fault.Busy(repairTime, err, "The catalog's storage failed")
	case unreachable:
		return fault.Busy(time.Second, err, "The catalog cannot be reached")
	}
	return err
}

// errDiskFull returns the fault of a change that finds no room on the disk. It
// wraps ENOSPC.
func errDiskFull(cause error) error {
	return fault.Busy(repairTime, fmt.Errorf("%w: %w", unix.ENOSPC, cause), "The catalog's disk is full")
}

// Wrap returns the value, or the zero value and the error wrapped with the name of
// the operation.
func Wrap[T any](value T, err error, operation string) (T, error) {
	if err != nil {
		var zero T
		return zero, WrapError(err, operation)
	}
	return value, nil
}

// WrapError returns the error wrapped with the name of the operation, or nil.
func WrapError(err error, operation string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", operation, err)
	}
	return nil
}

// NotFound returns a NotFound fault in place of sql.ErrNoRows, and any other
// error unchanged.
func NotFound(err error, format string, args ...any) error {
	if errors.Is(err, sql.ErrNoRows) {
		return fault.NotFoundf(format, args...)
	}
	return err
}

// Missing returns a NotFound fault in place of a violated foreign key, and any
// other error unchanged.
func Missing(err error, format string, args ...any) error {
	if IsMissingReference(err) {
		return fault.Wrap(fault.NotFound, err, format, args...)
	}
	return err
}

// Taken returns a Conflict fault with a better message in place of a duplicate
// key, and any other error unchanged.
func Taken(err error, format string, args ...any) error {
	if classOf(err) == duplicate {
		return fault.Wrap(fault.Conflict, err, format, args...)
	}
	return err
}

// IsMissingReference reports whether err is a violated foreign key.
func IsMissingReference(err error) bool { return classOf(err) == missingReference }

func classOf(err error) class {
	var lite *sqlite.Error
	if errors.As(err, &lite) {
		return classOfSQLite(lite.Code())
	}
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return classOfPostgres(pg.Code)
	}
	if errors.Is(err, unix.ENOSPC) {
		return diskFull
	}
	var connect *pgconn.ConnectError
	var network net.Error
	if errors.As(err, &connect) || errors.As(err, &network) || pgconn.SafeToRetry(err) {
		return unreachable
	}
	if slices.ContainsFunc(brokenConnection, func(broken error) bool { return errors.Is(err, broken) }) {
		return unreachable
	}
	return unknown
}

// brokenConnection are the errors of a connection that the server has closed,
// also in the middle of a transaction.
var brokenConnection = []error{
	driver.ErrBadConn, sql.ErrConnDone, io.EOF, io.ErrUnexpectedEOF, pgconn.ErrConnClosed, pgx.ErrTxClosed,
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
