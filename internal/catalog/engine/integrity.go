package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// CheckFile checks the integrity of a SQLite file without changing it, and
// returns what is wrong with it.
func CheckFile(ctx context.Context, path string) (problems []string, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the SQLite file: %w", err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path), OmitHost: true, RawQuery: "mode=ro"}
	db, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, fmt.Errorf("open the SQLite file: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	rows, err := db.QueryContext(ctx, "PRAGMA integrity_check")
	if err != nil {
		return checkFailure(err)
	}
	defer func() { _ = rows.Close() }() // rows.Err reports the same errors
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		if line != "ok" {
			problems = append(problems, line)
		}
	}
	if err := rows.Err(); err != nil {
		return checkFailure(err)
	}
	return problems, nil
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
