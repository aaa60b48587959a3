package embedded

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"github.com/promptuary/promptuary/internal/fault"
)

// damaged reports whether an error of the engine says that the table's file
// does not hold what was written to it. The engine has one code for that and
// for a disk that is full or gone, so its words must tell them apart.
func damaged(err error) bool {
	engine, ok := errors.AsType[*duckdb.Error](err)
	if !ok {
		return false
	}
	switch engine.Type {
	case duckdb.ErrorTypeSerialization:
		return true
	case duckdb.ErrorTypeIO, duckdb.ErrorTypeFatal, duckdb.ErrorTypeInternal:
		return strings.Contains(engine.Msg, "Corrupt database file") || strings.Contains(engine.Msg, "checksum")
	}
	return false
}

// read lets use work with the table. Damage that it comes across is mended in
// the background, while this and further reads are refused or wait.
func (s *Store) read(ctx context.Context, use func(*sql.DB) error) error {
	err := s.table.read(ctx, use)
	if errors.Is(err, errTableClosed) {
		return fault.Busy(retryAfter, err, "The log table cannot be used at present")
	}
	if !damaged(err) {
		return err
	}
	select {
	case s.damage <- err:
	default: // somebody else came across it as well
	}
	return fault.Busy(retryAfter, err, "The log table is damaged and is being built anew")
}

// mend builds the table anew after a reader came across damage.
func (s *Store) mend(ctx context.Context, cause error) {
	err := s.rebuild(ctx, cause)
	select {
	case <-s.damage: // reported before it was mended
	default:
	}
	s.settle(err)
	if err != nil {
		s.log.Error("cannot build the log table anew", "error", err)
	}
}

// restore opens the database and reads its state. One that cannot be used, or
// was found damaged, is set aside and begun anew: nothing is lost with it. An
// error that is not the file's fault leaves everything as it is.
func (t *table) restore(ctx context.Context, found error) (state, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.shut() // a broken handle's last words do not matter
	t.unsaved = 0
	if !damaged(found) {
		st, err := t.load(ctx)
		if err == nil || !t.unusable(ctx, err) {
			return st, err
		}
		found = err
	}
	aside := t.path + ".damaged-" + strconv.FormatInt(time.Now().UnixMilli(), 10)
	t.opts.Logger.Warn("the log table is damaged; it is set aside and built anew from the journal", "error", found, "aside", aside)
	if err := os.Rename(t.path, aside); err != nil {
		return state{}, fmt.Errorf("set the damaged log table aside: %w", err)
	}
	return t.load(ctx)
}

// unusable reports whether it is the file's fault that it cannot be opened:
// it exists, may be read and written, and there is memory to do so.
func (t *table) unusable(ctx context.Context, err error) bool {
	engine, ok := errors.AsType[*duckdb.Error](err)
	if ctx.Err() != nil || ok && (engine.Type == duckdb.ErrorTypeOutOfMemory || engine.Type == duckdb.ErrorTypeInterrupt) {
		return false
	}
	file, err := os.OpenFile(t.path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	return file.Close() == nil
}
