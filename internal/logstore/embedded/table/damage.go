package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
	"golang.org/x/sys/unix"
)

// Damaged reports whether an error of the engine says that the table's file
// does not hold what was written to it. The engine has one code for that and
// for a disk that is full or gone, so its message has to tell them apart.
func Damaged(err error) bool {
	engine, ok := errors.AsType[*duckdb.Error](err)
	if !ok || environmental(err) {
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

// Unreadable reports whether the file itself is the reason that it cannot be
// opened. Unlike Damaged it covers files that are no database at all.
func Unreadable(ctx context.Context, err error) bool {
	engine, ok := errors.AsType[*duckdb.Error](err)
	if !ok || ctx.Err() != nil || environmental(err) {
		return false
	}
	return engine.Type != duckdb.ErrorTypeOutOfMemory && engine.Type != duckdb.ErrorTypeInterrupt
}

// systemErrors are errors of the system that say nothing about a file's content.
var systemErrors = []error{
	unix.EMFILE, unix.ENFILE, unix.ENOMEM, unix.EACCES, unix.EPERM, unix.ENOSPC, unix.EDQUOT, unix.EROFS,
	unix.EIO, unix.EINTR, unix.EAGAIN, unix.EBUSY, unix.EISDIR, unix.ENOENT, unix.ENODEV, unix.ENXIO, unix.ESTALE, unix.ETXTBSY, unix.EFBIG,
}

// environmental reports whether the system is the reason for an error. The
// engine reports errors of the system only in its message, as strerror spells
// them.
func environmental(err error) bool {
	text := strings.ToLower(err.Error())
	return slices.ContainsFunc(systemErrors, func(known error) bool {
		return errors.Is(err, known) || strings.Contains(text, known.Error())
	}) || strings.Contains(text, "could not set lock on file") || strings.Contains(text, "conflicting lock")
}

// Restore opens the database and reads its state. If the file cannot be used, or
// found says that it is damaged, it is set aside and an empty table is created:
// the journal has everything. If the system is the reason, everything stays as
// it is.
func (t *Table) Restore(ctx context.Context, found error) (State, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	_ = t.shut() // errors of a broken handle do not matter
	t.unsaved = 0
	if err := t.file.undo(); err != nil {
		return State{}, fmt.Errorf("undo a checkpoint of the log table: %w", err)
	}
	if !Damaged(found) {
		if err := t.file.removeUnfinished(); err != nil {
			return State{}, fmt.Errorf("remove the unfinished log table: %w", err)
		}
		st, err := t.load(ctx)
		if !Unreadable(ctx, err) {
			return st, err
		}
		found = err
	}
	aside, err := t.file.setAside()
	if err != nil {
		return State{}, fmt.Errorf("set the damaged log table aside: %w", err)
	}
	t.opts.Logger.Warn("the log table is damaged; it is set aside and rebuilt from the journal", "error", found, "aside", aside)
	return t.load(ctx)
}
