package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// SpanRow is a span, its key, and the place of its record in the journal.
type SpanRow struct {
	*reqlog.Span
	Key   int64
	Place journal.Place
}

// spanSchema creates the tables of spans and closed traces. A span of the trace
// and the logs that belong to it are found by keys, which are shorter than ids.
const spanSchema = `CREATE TABLE span (
	workspace BIGINT NOT NULL,
	key BIGINT NOT NULL,
	trace_key BIGINT NOT NULL,
	log_key BIGINT NOT NULL,
	trace_id VARCHAR NOT NULL,
	span_id VARCHAR NOT NULL,
	parent_id VARCHAR,
	name VARCHAR NOT NULL,
	kind VARCHAR NOT NULL,
	status VARCHAR NOT NULL,
	start_time BIGINT NOT NULL,
	end_time BIGINT NOT NULL,
	type VARCHAR,
	tool_name VARCHAR,
	model VARCHAR,
	user_id VARCHAR,
	session_id VARCHAR,
	workflow BIGINT,
	workflow_version BIGINT,
	output_text VARCHAR,
	exception_text VARCHAR,
	attributes VARCHAR NOT NULL,
	resource VARCHAR NOT NULL,
	block BIGINT NOT NULL,
	slot BIGINT NOT NULL
);
CREATE TABLE closure (
	workspace BIGINT NOT NULL,
	key BIGINT NOT NULL,
	trace_key BIGINT NOT NULL,
	trace_id VARCHAR NOT NULL,
	closed_at BIGINT NOT NULL
);
`

// spanWriter writes spans as rows.
type spanWriter struct {
	attributes, resource attributeTexts
}

// write writes the values of a span in the order of the columns.
func (w *spanWriter) write(a *chunk.Appender, s SpanRow) {
	for _, n := range [...]int64{s.Workspace, s.Key, reqlog.TraceKey(s.Workspace, s.TraceID), reqlog.LogKey(s.Workspace, s.LogSpanID)} {
		a.Int(n)
	}
	a.Text(s.TraceID)
	a.Text(s.SpanID)
	textOrNull(a, s.ParentID)
	a.Text(s.Name)
	a.Text(s.Kind)
	a.Text(s.Status)
	a.Int(int64(s.Start))
	a.Int(int64(s.End))
	x := &s.Index
	for _, text := range [...]string{x.Type, x.ToolName, x.Model, x.User, x.Session} {
		textOrNull(a, text)
	}
	idOrNull(a, x.Workflow)
	idOrNull(a, x.WorkflowVersion)
	textOrNull(a, x.OutputText)
	textOrNull(a, x.ExceptionText)
	a.Bytes(w.attributes.of(s.Attributes))
	a.Bytes(w.resource.of(s.Resource))
	a.Int(int64(s.Place.Block))
	a.Int(s.Place.Slot)
}

func textOrNull(a *chunk.Appender, text string) {
	if text == "" {
		a.Null()
		return
	}
	a.Text(text)
}

func idOrNull(a *chunk.Appender, id int64) {
	if id == 0 {
		a.Null()
		return
	}
	a.Int(id)
}

// changeSpans makes the changes of a batch to spans and closed traces.
func (t *Table) changeSpans(ctx context.Context, b *Batch) error {
	if len(b.ReplacedSpans) > 0 {
		q := newQuery()
		q.write("DELETE FROM span WHERE key IN ", q.list(b.ReplacedSpans))
		if err := t.exec(ctx, q.text(), q.args...); err != nil {
			return fmt.Errorf("replace spans: %w", err)
		}
	}
	var w spanWriter
	if err := t.appendRows("span", len(b.Spans), func(a *chunk.Appender, i int) { w.write(a, b.Spans[i]) }); err != nil {
		return err
	}
	return t.appendRows("closure", len(b.Closures), func(a *chunk.Appender, i int) {
		c := &b.Closures[i]
		a.Int(c.Workspace)
		a.Int(c.Key())
		a.Int(reqlog.TraceKey(c.Workspace, c.TraceID))
		a.Text(c.TraceID)
		a.Int(int64(c.At))
	})
}

// Keys calls use with the keys of all spans, logs with a span, and closed
// traces.
func (t *Table) Keys(ctx context.Context, use func(key int64)) error {
	return t.read(ctx, func(db *sql.DB) error {
		err := each(ctx, db, "SELECT key, 0 FROM span UNION ALL SELECT key, 0 FROM closure UNION ALL SELECT span_key, 0 FROM log WHERE span_key IS NOT NULL",
			func(key, _ int64) { use(key) })
		if err != nil {
			return fmt.Errorf("read keys: %w", err)
		}
		return nil
	})
}

// LookUp adds those of the closures, by key, that are stored to closed, and the
// first logs, by log key, to logIDs.
func (t *Table) LookUp(ctx context.Context, closures, logs []int64, closed map[int64]bool, logIDs map[int64]int64) error {
	return t.read(ctx, func(db *sql.DB) error {
		if len(closures) > 0 {
			q := newQuery()
			q.write("SELECT key, 0 FROM closure WHERE key IN ", q.list(closures))
			if err := each(ctx, db, q.text(), func(key, _ int64) { closed[key] = true }); err != nil {
				return fmt.Errorf("look up closed traces: %w", err)
			}
		}
		if len(logs) == 0 {
			return nil
		}
		q := newQuery()
		q.write("SELECT span_key, min(id) FROM log WHERE span_key IN ", q.list(logs), " GROUP BY span_key")
		if err := each(ctx, db, q.text(), func(key, id int64) { logIDs[key] = id }); err != nil {
			return fmt.Errorf("look up logs of spans: %w", err)
		}
		return nil
	})
}

// TraceRows is what the table contains of a trace.
type TraceRows struct {
	Spans   []FoundSpan
	Total   int64
	Closure *reqlog.Closure
}

// FoundSpan is where a span is in the journal, and the first log of it, 0 for
// none.
type FoundSpan struct {
	Key    int64
	SpanID string
	Place  journal.Place
	LogID  int64
}

// Trace returns the spans of a trace in the order of their start, then of
// their id.
func (t *Table) Trace(ctx context.Context, query query.TraceQuery) (*TraceRows, error) {
	found := &TraceRows{}
	return found, t.read(ctx, func(db *sql.DB) error {
		if err := found.readSpans(ctx, db, query); err != nil {
			return fmt.Errorf("read trace: %w", err)
		}
		var err error
		found.Closure, err = readClosure(ctx, db, query)
		return err
	})
}

func (r *TraceRows) readSpans(ctx context.Context, db *sql.DB, query query.TraceQuery) error {
	total, err := countSpans(ctx, db, query)
	if err != nil || total == 0 {
		return err
	}
	r.Total = total
	return spansQuery("trace_key", reqlog.TraceKey(query.Workspace, query.TraceID), query.Limit, placeColumns).rows(ctx, db, func(rows *sql.Rows) error {
		span, err := scanPlace(rows)
		r.Spans = append(r.Spans, span)
		return err
	})
}

func countSpans(ctx context.Context, db *sql.DB, query query.TraceQuery) (total int64, err error) {
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM span WHERE trace_key = ?", reqlog.TraceKey(query.Workspace, query.TraceID)).Scan(&total)
	return total, err
}

// idMask turns the key of a span into its id.
const idMask = "9007199254740991"

// spansQuery reads columns of the spans with a key, and the first log of each, 0
// for none, in the order of their start, then of their id.
func spansQuery(keyColumn string, key int64, limit int, columns string) *sqlQuery {
	q := newQuery()
	q.write("WITH found AS MATERIALIZED (SELECT start_time AS began, key & ", idMask, " AS number, log_key, ", columns, " FROM span WHERE ", keyColumn, " = ", q.bind(key),
		" ORDER BY began, number LIMIT ", q.bind(limit), "), ",
		"logs AS (SELECT span_key, min(id) AS id FROM log WHERE span_key IN (SELECT log_key FROM found) GROUP BY span_key) ",
		"SELECT ", columns, ", coalesce(logs.id, 0) FROM found LEFT JOIN logs ON logs.span_key = found.log_key ORDER BY began, number")
	return q
}

// placeColumns are what scanPlace reads.
const placeColumns = "key, span_id, block, slot"

func scanPlace(rows *sql.Rows) (s FoundSpan, err error) {
	err = rows.Scan(&s.Key, &s.SpanID, &s.Place.Block, &s.Place.Slot, &s.LogID)
	return s, err
}

// Span returns where a span is. The key of what was found is 0 if the
// span does not exist.
func (t *Table) Span(ctx context.Context, wanted reqlog.SpanQuery) (found FoundSpan, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		err := spansQuery("key", wanted.Key(), 1, placeColumns).rows(ctx, db, func(rows *sql.Rows) (err error) {
			found, err = scanPlace(rows)
			return err
		})
		if err != nil {
			return fmt.Errorf("find span: %w", err)
		}
		return nil
	})
	return found, err
}

// readClosure returns the end of a trace, nil while it is open.
func readClosure(ctx context.Context, db *sql.DB, query query.TraceQuery) (*reqlog.Closure, error) {
	closure := reqlog.Closure{Workspace: query.Workspace, TraceID: query.TraceID}
	var at int64
	err := db.QueryRowContext(ctx, "SELECT closed_at FROM closure WHERE key = ?", closure.Key()).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read closed trace: %w", err)
	}
	closure.At = reqlog.Micros(at)
	return &closure, nil
}

// SpansBetween returns the number of spans in the blocks from one position of the
// journal up to another.
func (t *Table) SpansBetween(ctx context.Context, from, to journal.Position) (count int64, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, "SELECT count(*) FROM span WHERE block >= ? AND block < ?", int64(from), int64(to)).Scan(&count)
	})
	return count, err
}

// CheckSpans reads every value of some of the spans, so that the engine checks
// what it reads from the file. It reports whether there are more.
func (t *Table) CheckSpans(ctx context.Context, first, count int64) (more bool, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		return db.QueryRowContext(ctx, `SELECT count(hash(span)) >= 0 AND coalesce((SELECT max(rowid) FROM span), -1) >= $2
			FROM span WHERE rowid >= $1 AND rowid < $2`, first, first+count).Scan(&more)
	})
	return more, err
}

// TracesOf returns the traces of logs by log key.
func (t *Table) TracesOf(ctx context.Context, logs []int64) (map[int64]string, error) {
	traces := make(map[int64]string, len(logs))
	return traces, t.read(ctx, func(db *sql.DB) error {
		q := newQuery()
		q.write("SELECT log_key, min(trace_id) FROM span WHERE log_key IN ", q.list(logs), " GROUP BY log_key")
		return q.rows(ctx, db, func(rows *sql.Rows) error {
			var key int64
			var id string
			err := rows.Scan(&key, &id)
			traces[key] = id
			return err
		})
	})
}
