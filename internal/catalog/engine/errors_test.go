package engine

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/promptuary/promptuary/internal/fault"
)

func TestPostgresErrorsAreRecognisedByCode(t *testing.T) {
	t.Parallel()
	tests := map[string]fault.Kind{
		"23505": fault.Conflict,
		"23503": fault.Conflict,
		"40001": fault.Unavailable,
		"40P01": fault.Unavailable,
		"53100": fault.Unavailable,
		"53300": fault.Unavailable,
		"25006": fault.Unavailable,
		"57P01": fault.Unavailable,
		"08006": fault.Unavailable,
		"58030": fault.Unavailable,
		"54000": fault.TooLarge,
		"42601": fault.Internal,
		"":      fault.Internal,
	}
	for code, kind := range tests {
		err := mapError(t.Context(), fmt.Errorf("wrapped: %w", &pgconn.PgError{Code: code}))
		if fault.KindOf(err) != kind {
			t.Errorf("code %q: got %v, want kind %d", code, err, kind)
		}
	}
}

func TestSQLiteErrorsAreRecognisedByCode(t *testing.T) {
	t.Parallel()
	tests := map[int]class{
		2067: duplicate,        // SQLITE_CONSTRAINT_UNIQUE
		1555: duplicate,        // SQLITE_CONSTRAINT_PRIMARYKEY
		787:  missingReference, // SQLITE_CONSTRAINT_FOREIGNKEY
		5:    contention,       // SQLITE_BUSY
		517:  contention,       // SQLITE_BUSY_SNAPSHOT
		6:    contention,       // SQLITE_LOCKED
		13:   diskFull,         // SQLITE_FULL
		8:    readOnly,         // SQLITE_READONLY
		1032: readOnly,         // SQLITE_READONLY_DBMOVED
		778:  storageFailed,    // SQLITE_IOERR_WRITE
		11:   storageFailed,    // SQLITE_CORRUPT
		18:   tooLarge,         // SQLITE_TOOBIG
		1:    unknown,          // SQLITE_ERROR
		1299: unknown,          // SQLITE_CONSTRAINT_NOTNULL
	}
	for code, want := range tests {
		if got := classOfSQLite(code); got != want {
			t.Errorf("code %d: got class %d, want %d", code, got, want)
		}
	}
}

func TestOtherErrors(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, lost := range []error{
		driver.ErrBadConn, sql.ErrConnDone, pgconn.ErrConnClosed, pgx.ErrTxClosed, fmt.Errorf("receive message: %w", io.EOF), io.ErrUnexpectedEOF,
	} {
		if err := mapError(ctx, lost); !fault.Is(err, fault.Unavailable) {
			t.Errorf("a lost connection: got %v, want Unavailable", err)
		}
	}
	if err := mapError(ctx, sql.ErrNoRows); !errors.Is(err, sql.ErrNoRows) {
		t.Errorf("no rows: got %v", err)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	err := mapError(cancelled, &pgconn.PgError{Code: "57014"})
	if !errors.Is(err, context.Canceled) || fault.Is(err, fault.Unavailable) {
		t.Errorf("a cancelled query: got %v, want the context's error", err)
	}
}

func TestRejectsUnsupportedArguments(t *testing.T) {
	t.Parallel()
	if _, err := plainArgs([]any{int64(1), true}); err == nil {
		t.Error("a bool was accepted, but the engines store it differently")
	}
}
