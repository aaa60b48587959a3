package embedded

import (
	"context"
	"errors"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// scanLogs is requests.Store.ScanLogs. The table returns the ids, whose logs are read
// from the journal in its order, each block once.
func (r *reader) scanLogs(ctx context.Context, q query.ScanQuery) (*query.Scanned, error) {
	ids, err := r.scanIDs(ctx, q)
	if err != nil {
		return nil, err
	}
	found, blocks, bytes := &query.Scanned{}, r.archive.reader(), int64(0)
	for i, id := range ids {
		l, err := blocks.log(id)
		switch {
		case r.index.isDeleted(id): // since the table was asked
		case errors.Is(err, journal.ErrDamaged):
			found.Damaged = append(found.Damaged, id)
		case err != nil:
			return nil, err
		default:
			found.Logs = append(found.Logs, query.ScannedLog{Log: l, Logged: l.Price})
			bytes += l.BodySize()
		}
		if q.Full(i+1, bytes) {
			found.Next = id
			break
		}
	}
	logs := make([]*reqlog.Log, len(found.Logs))
	for i := range found.Logs {
		logs[i] = found.Logs[i].Log
	}
	return found, r.addLater(ctx, logs)
}

func (r *reader) scanIDs(ctx context.Context, query query.ScanQuery) ([]int64, error) {
	if !query.All {
		return ask(ctx, r, query.Query, func(sel *table.Selection) ([]int64, error) {
			return r.table.ScanIDs(ctx, sel, query)
		})
	}
	if _, err := r.queue.await(ctx); err != nil {
		return nil, err
	}
	ids, err := r.table.ScanIDs(ctx, nil, query)
	return ids, r.alarms.tableError(err)
}

// scanSpans is requests.Store.ScanSpans. The order is that of the journal.
func (r *reader) scanSpans(ctx context.Context, q query.SpanScanQuery) (*query.ScannedSpans, error) {
	cursor, err := query.ParseSpanCursor(q.After)
	if err != nil {
		return nil, err
	}
	if _, err := r.queue.await(ctx); err != nil {
		return nil, err
	}
	if cursor.Closures {
		return r.scanClosures(ctx, q, cursor)
	}
	rows, err := r.table.ScanSpans(ctx, q, journal.Place{Block: journal.Position(cursor.A), Slot: cursor.B})
	if err != nil {
		return nil, r.alarms.tableError(err)
	}
	found, blocks, bytes := &query.ScannedSpans{Next: query.SpanCursor{Closures: true}.String()}, r.archive.reader(), int64(0)
	for i, row := range rows {
		span, err := blocks.span(row)
		switch {
		case errors.Is(err, journal.ErrDamaged):
			found.Damaged = append(found.Damaged, row.Ref)
		case err != nil:
			return nil, err
		default:
			found.Spans = append(found.Spans, span)
			bytes += span.DataSize()
		}
		if q.Full(i+1, bytes) {
			found.Next = query.SpanCursor{A: int64(row.Place.Block), B: row.Place.Slot}.String()
			break
		}
	}
	return found, nil
}

func (r *reader) scanClosures(ctx context.Context, q query.SpanScanQuery, cursor query.SpanCursor) (*query.ScannedSpans, error) {
	closures, err := r.table.ScanClosures(ctx, q, cursor.A)
	if err != nil {
		return nil, r.alarms.tableError(err)
	}
	found := &query.ScannedSpans{Closures: closures}
	if n := len(closures); q.Full(n, 0) {
		found.Next = query.SpanCursor{Closures: true, A: closures[n-1].Key()}.String()
	}
	return found, nil
}
