package engine

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"time"
)

const (
	// thoroughUpTo is the size of a SQLite file up to which indexes are compared with
	// their tables, which searches an index for each row: 4 seconds for 400,000 rows
	// in 0.5 GB, where reading every page takes 1 second.
	thoroughUpTo = 1 << 30
	// scrubRest is how long the check rests after each table, as a multiple of the time
	// that the table took.
	scrubRest = 4
)

// Scrub checks the integrity of a SQLite database that is in use, and returns what
// is wrong with it: nothing with PostgreSQL, which is not checked. It neither blocks
// writers nor takes a connection from them, but SQLite cannot shorten its log while
// a table is read. So it checks table by table, and lets the log and the disk rest
// in between. It ends soon after ctx does.
func (db *DB) Scrub(ctx context.Context) (problems []string, err error) {
	if db.dialect.file == "" {
		return nil, nil
	}
	if db.ReadsOnly() {
		// A further connection would keep the others from writing again.
		return nil, errDiskFull(fmt.Errorf("the catalog is open for reading only"))
	}
	size, err := db.Size(ctx)
	if err != nil {
		return nil, err
	}
	reader, err := openReading(db.dialect.file)
	if err != nil {
		return nil, err
	}
	defer func() { _ = reader.Close() }() // it has only read
	tables, err := readLines(ctx, reader, `SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 UNION ALL SELECT 'sqlite_schema'`)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return checkFailure(err)
	}
	check := `SELECT * FROM pragma_quick_check(?)`
	if size <= thoroughUpTo {
		check = `SELECT * FROM pragma_integrity_check(?)`
	}
	for _, table := range tables {
		began := time.Now()
		found, err := findProblems(ctx, reader, check, table)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
		if err := rest(ctx, scrubRest*time.Since(began)); err != nil {
			return nil, err
		}
	}
	return problems, nil
}

// rest waits, unless ctx ends.
func rest(ctx context.Context, wait time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(wait):
		return nil
	}
}

// openReading opens a SQLite file without changing it.
func openReading(path string) (*sql.DB, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the SQLite file: %w", err)
	}
	address := url.URL{Scheme: "file", Path: filepath.ToSlash(path), OmitHost: true, RawQuery: "mode=ro&_busy_timeout=10000"}
	reader, err := sql.Open("sqlite", address.String())
	if err != nil {
		return nil, fmt.Errorf("open the SQLite file: %w", err)
	}
	reader.SetMaxOpenConns(1)
	return reader, nil
}

// findProblems runs a check of SQLite and returns what it finds.
func findProblems(ctx context.Context, reader *sql.DB, check string, args ...any) (problems []string, err error) {
	lines, err := readLines(ctx, reader, check, args...)
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return checkFailure(err)
	}
	for _, line := range lines {
		if line != "ok" {
			problems = append(problems, line)
		}
	}
	return problems, nil
}

func readLines(ctx context.Context, reader *sql.DB, query string, args ...any) (lines []string, err error) {
	rows, err := reader.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports the same errors
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, rows.Err()
}
