package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// ScanIDs returns the ids of the first logs of a scan, in their order. Without a
// selection they are those of all workspaces.
func (t *Table) ScanIDs(ctx context.Context, sel *Selection, query query.ScanQuery) (ids []int64, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		// Ids are dense, as a rule, so that a part of the table is enough.
		near := query
		near.Last = min(query.Last, query.After+scanWindow*int64(query.Limit))
		if ids, err = scanIDs(ctx, db, sel, near); err != nil || len(ids) == query.Limit || near.Last == query.Last {
			return err
		}
		ids, err = scanIDs(ctx, db, sel, query)
		return err
	})
	return ids, err
}

// scanWindow is how many ids are looked at first for each log that is wanted.
const scanWindow = 16

func scanIDs(ctx context.Context, db *sql.DB, sel *Selection, query query.ScanQuery) (ids []int64, err error) {
	q := scanQuery(sel, query)
	err = q.rows(ctx, db, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		ids = append(ids, id)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("scan logs: %w", err)
	}
	return ids, nil
}

func scanQuery(sel *Selection, scan query.ScanQuery) *sqlQuery {
	q := newQuery()
	q.write("SELECT id FROM log WHERE ")
	if sel == nil {
		q.write("id > ", q.bind(scan.After), " AND id <= ", q.bind(scan.Last))
	} else {
		part := *sel
		part.after, part.UpTo = scan.After, min(sel.UpTo, scan.Last)
		q.write(part.where(q))
	}
	q.write(" ORDER BY id LIMIT ", q.bind(scan.Limit))
	return q
}

// ScannedSpan is where a span is in the journal.
type ScannedSpan struct {
	Key   int64
	Ref   reqlog.SpanRef
	Place journal.Place
}

// ScanSpans returns the spans behind a place in the journal, in the order of
// their places.
func (t *Table) ScanSpans(ctx context.Context, query query.SpanScanQuery, after journal.Place) (found []ScannedSpan, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		return spanScanQuery(query, after).rows(ctx, db, func(rows *sql.Rows) error {
			var s ScannedSpan
			err := rows.Scan(&s.Key, &s.Ref.Workspace, &s.Ref.TraceID, &s.Ref.SpanID, &s.Place.Block, &s.Place.Slot)
			found = append(found, s)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("scan spans: %w", err)
	}
	return found, nil
}

// ScanClosures returns the ends of traces with keys above one, in the order of
// their keys.
func (t *Table) ScanClosures(ctx context.Context, query query.SpanScanQuery, after int64) (found []reqlog.Closure, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		return closureScanQuery(query, after).rows(ctx, db, func(rows *sql.Rows) error {
			var c reqlog.Closure
			err := rows.Scan(&c.Workspace, &c.TraceID, &c.At)
			found = append(found, c)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("scan closed traces: %w", err)
	}
	return found, nil
}

func spanScanQuery(scan query.SpanScanQuery, after journal.Place) *sqlQuery {
	q := newQuery()
	block, slot := q.bind(int64(after.Block)), q.bind(after.Slot)
	q.write("SELECT key, workspace, trace_id, span_id, block, slot FROM span WHERE (block > ", block, " OR block = ", block, " AND slot > ", slot, ")")
	ofWorkspace(q, scan)
	q.write(" ORDER BY block, slot LIMIT ", q.bind(scan.Limit))
	return q
}

func closureScanQuery(scan query.SpanScanQuery, after int64) *sqlQuery {
	q := newQuery()
	q.write("SELECT workspace, trace_id, closed_at FROM closure WHERE key > ", q.bind(after))
	ofWorkspace(q, scan)
	q.write(" ORDER BY key LIMIT ", q.bind(scan.Limit))
	return q
}

func ofWorkspace(q *sqlQuery, scan query.SpanScanQuery) {
	if !scan.All {
		q.write(" AND workspace = ", q.bind(scan.Workspace))
	}
}
