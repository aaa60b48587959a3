package table

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"
)

// Damaged reports whether an error of the engine says that the table's file
// does not hold what was written to it. The engine has one code for that and
// for a disk that is full or gone, so its words must tell them apart.
func Damaged(err error) bool {
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

// Restore opens the database and reads its state. One that cannot be used, or
// was found damaged, is set aside and begun anew: nothing is lost with it. An
// error that is not the file's fault leaves everything as it is.
func (t *Table) Restore(ctx context.Context, found error) (State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.shut() // a broken handle's last words do not matter
	t.unsaved = 0
	if !Damaged(found) {
		st, err := t.load(ctx)
		if err == nil || !t.unusable(ctx, err) {
			return st, err
		}
		found = err
	}
	aside := t.path + ".damaged-" + strconv.FormatInt(time.Now().UnixMilli(), 10)
	t.opts.Logger.Warn("the log table is damaged; it is set aside and built anew from the journal", "error", found, "aside", aside)
	if err := os.Rename(t.path, aside); err != nil {
		return State{}, fmt.Errorf("set the damaged log table aside: %w", err)
	}
	return t.load(ctx)
}

// unusable reports whether it is the file's fault that it cannot be opened:
// it exists, may be read and written, and there is memory to do so.
func (t *Table) unusable(ctx context.Context, err error) bool {
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
