package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
)

// Inspection is a table file opened for reading, which it does not change.
type Inspection struct {
	db *sql.DB
	// Current reports whether the table has the schema of this version. An older
	// one is rebuilt at the next start.
	Current bool
	State   State
}

// Inspect opens the table in dir for reading and reads all of it.
func Inspect(ctx context.Context, dir string, opts Options) (_ *Inspection, err error) {
	t := New(dir, opts)
	if err := spareFiles(); err != nil {
		return nil, fmt.Errorf("open log table: %w", err)
	}
	connector, err := duckdb.NewConnector(t.opts.settings(t.file.path+".tmp"), nil)
	if err != nil {
		return nil, fmt.Errorf("open log table: %w", err)
	}
	in := &Inspection{db: sql.OpenDB(connector)}
	in.db.SetMaxOpenConns(1)
	defer func() {
		if err != nil {
			err = errors.Join(err, in.Close())
		}
	}()
	if err := in.attach(ctx, "logs", t.file.path); err != nil {
		return nil, err
	}
	if _, err := in.db.ExecContext(ctx, "USE logs"); err != nil {
		return nil, fmt.Errorf("open log table: %w", err)
	}
	var version int64
	if err := in.db.QueryRowContext(ctx, "SELECT coalesce(max(version), 0) FROM schema_version").Scan(&version); err != nil {
		return nil, fmt.Errorf("read schema version: %w", err)
	}
	if in.Current = version == tableVersion; !in.Current {
		return in, nil
	}
	if in.State, err = readState(ctx, in.db); err != nil {
		return nil, err
	}
	return in, in.readAll(ctx)
}

func (in *Inspection) attach(ctx context.Context, name, path string) error {
	_, err := in.db.ExecContext(ctx, "ATTACH '"+strings.ReplaceAll(path, "'", "''")+"' AS "+name+" (READ_ONLY)")
	if err != nil {
		return fmt.Errorf("open log table: %w", err)
	}
	return nil
}

// readAll reads every value, which checks the checksums of all blocks.
func (in *Inspection) readAll(ctx context.Context) error {
	for _, name := range []string{"log", "span", "closure"} {
		var count int64
		if err := in.db.QueryRowContext(ctx, "SELECT count(hash("+name+")) FROM "+name).Scan(&count); err != nil {
			return fmt.Errorf("read log table: %w", err)
		}
	}
	return nil
}

// Close closes the file.
func (in *Inspection) Close() error { return in.db.Close() }

// Log is what the table contains of a log whose journal block is damaged.
type Log struct {
	ID, Workspace int64
	// Start is in microseconds since 1970.
	Start int64
}

// Logs returns the logs with ids from first to last.
func (in *Inspection) Logs(ctx context.Context, first, last int64) ([]Log, error) {
	return in.logs(ctx, fmt.Sprintf("SELECT id, workspace, start_time FROM log WHERE id BETWEEN %d AND %d ORDER BY id", first, last))
}

func (in *Inspection) logs(ctx context.Context, query string) ([]Log, error) {
	rows, err := in.db.QueryContext(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("read log table: %w", err)
	}
	var found []Log
	err = scanAll(rows, func() error {
		var l Log
		err := rows.Scan(&l.ID, &l.Workspace, &l.Start)
		found = append(found, l)
		return err
	})
	return found, err
}

// Comparison is how a table differs from one that was built from the journal.
type Comparison struct {
	// Different is the number of logs, spans and closed traces in the journal whose
	// row is missing or has other values.
	Different int64
	// Extra are the logs that the journal does not have, or cannot be read from
	// it.
	Extra []Log
	// ExtraSpans are such spans, and ExtraClosures the number of such closed
	// traces.
	ExtraSpans    []Span
	ExtraClosures int64
}

// Span is what the table contains of a span whose journal block is damaged.
type Span struct {
	Workspace       int64
	TraceID, SpanID string
	// Start is in microseconds since 1970.
	Start int64
}

// Compare compares the table with the one in another folder, which was built
// from the journal. If changes of logs may be lost, rows that were changed do not
// count as different.
func (in *Inspection) Compare(ctx context.Context, built string, changesLost bool) (c Comparison, err error) {
	if err := in.attach(ctx, "built", filepath.Join(built, FileName)); err != nil {
		return c, err
	}
	query := "SELECT count(*) FROM (FROM built.log EXCEPT FROM logs.log) AS other"
	if changesLost {
		query += " WHERE other.repricing IS NULL AND other.id NOT IN (SELECT id FROM logs.log WHERE notes IS NOT NULL OR repricing IS NOT NULL)"
	}
	if err := in.db.QueryRowContext(ctx, query).Scan(&c.Different); err != nil {
		return c, fmt.Errorf("compare log tables: %w", err)
	}
	if c.Extra, err = in.logs(ctx, "SELECT id, workspace, start_time FROM logs.log WHERE id NOT IN (SELECT id FROM built.log) ORDER BY id"); err != nil {
		return c, err
	}
	return c, in.compareSpans(ctx, &c)
}

// compareSpans compares spans and closed traces.
func (in *Inspection) compareSpans(ctx context.Context, c *Comparison) error {
	var spans, closures int64
	err := in.db.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM (FROM built.span EXCEPT FROM logs.span)),
		(SELECT count(*) FROM (FROM built.closure EXCEPT FROM logs.closure)),
		(SELECT count(*) FROM logs.closure WHERE key NOT IN (SELECT key FROM built.closure))`).Scan(&spans, &closures, &c.ExtraClosures)
	if err != nil {
		return fmt.Errorf("compare spans: %w", err)
	}
	c.Different += spans + closures
	rows, err := in.db.QueryContext(ctx, `SELECT workspace, trace_id, span_id, start_time FROM logs.span
		WHERE key NOT IN (SELECT key FROM built.span) ORDER BY workspace, trace_id, start_time, span_id`)
	if err != nil {
		return fmt.Errorf("compare spans: %w", err)
	}
	return scanAll(rows, func() error {
		var s Span
		err := rows.Scan(&s.Workspace, &s.TraceID, &s.SpanID, &s.Start)
		c.ExtraSpans = append(c.ExtraSpans, s)
		return err
	})
}
