package embedded

import (
	"context"
	"errors"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// scanLogs is reqlog.Store.ScanLogs. The table returns the ids, whose logs are read
// from the journal in its order, each block once.
func (r *reader) scanLogs(ctx context.Context, query reqlog.ScanQuery) (*reqlog.Scanned, error) {
	ids, err := r.scanIDs(ctx, query)
	if err != nil {
		return nil, err
	}
	found, blocks, bytes := &reqlog.Scanned{}, r.archive.reader(), int64(0)
	for i, id := range ids {
		l, err := blocks.log(id)
		switch {
		case r.index.isDeleted(id): // since the table was asked
		case errors.Is(err, journal.ErrDamaged):
			found.Damaged = append(found.Damaged, id)
		case err != nil:
			return nil, err
		default:
			found.Logs = append(found.Logs, reqlog.ScannedLog{Log: l, Logged: l.Price})
			bytes += l.BodySize()
		}
		if query.Full(i+1, bytes) {
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

func (r *reader) scanIDs(ctx context.Context, query reqlog.ScanQuery) ([]int64, error) {
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

// scanSpans is reqlog.Store.ScanSpans. The order is that of the journal.
func (r *reader) scanSpans(ctx context.Context, query reqlog.SpanScanQuery) (*reqlog.ScannedSpans, error) {
	cursor, err := reqlog.ParseSpanCursor(query.After)
	if err != nil {
		return nil, err
	}
	if _, err := r.queue.await(ctx); err != nil {
		return nil, err
	}
	if cursor.Closures {
		return r.scanClosures(ctx, query, cursor)
	}
	rows, err := r.table.ScanSpans(ctx, query, journal.Place{Block: journal.Position(cursor.A), Slot: cursor.B})
	if err != nil {
		return nil, r.alarms.tableError(err)
	}
	found, blocks, bytes := &reqlog.ScannedSpans{Next: reqlog.SpanCursor{Closures: true}.String()}, r.archive.reader(), int64(0)
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
		if query.Full(i+1, bytes) {
			found.Next = reqlog.SpanCursor{A: int64(row.Place.Block), B: row.Place.Slot}.String()
			break
		}
	}
	return found, nil
}

func (r *reader) scanClosures(ctx context.Context, query reqlog.SpanScanQuery, cursor reqlog.SpanCursor) (*reqlog.ScannedSpans, error) {
	closures, err := r.table.ScanClosures(ctx, query, cursor.A)
	if err != nil {
		return nil, r.alarms.tableError(err)
	}
	found := &reqlog.ScannedSpans{Closures: closures}
	if n := len(closures); query.Full(n, 0) {
		found.Next = reqlog.SpanCursor{Closures: true, A: closures[n-1].Key()}.String()
	}
	return found, nil
}
