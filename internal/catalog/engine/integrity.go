package engine

import (
	"context"
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// CheckFile checks the integrity of a SQLite file and its log without changing them,
// and returns what is wrong.
func CheckFile(ctx context.Context, path string) (problems []string, err error) {
	// SQLite leaves out what follows the damage of its log, finds the rest sound, and
	// forgets in its index that there was more.
	damage, err := checkWAL(path)
	if err != nil {
		return nil, err
	}
	if damage != "" {
		return []string{damage}, nil
	}
	reader, err := openReading(path)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	return findProblems(ctx, reader, "PRAGMA integrity_check")
}

// checkFailure tells a file that is too damaged to be checked from one that
// cannot be opened.
func checkFailure(err error) ([]string, error) {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		if code := e.Code() & 0xff; code == sqlite3.SQLITE_CORRUPT || code == sqlite3.SQLITE_NOTADB {
			return []string{err.Error()}, nil
		}
	}
	return nil, fmt.Errorf("check the SQLite file: %w", err)
}
