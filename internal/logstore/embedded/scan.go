package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// ScanLogs implements reqlog.Store. The table returns the ids, whose logs are read
// from the journal in its order, each block once.
func (s *Store) ScanLogs(ctx context.Context, query reqlog.ScanQuery) (*reqlog.Scanned, error) {
	ids, err := s.scanIDs(ctx, query)
	if err != nil {
		return nil, err
	}
	found, reader, bytes := &reqlog.Scanned{}, blockReader{store: s}, int64(0)
	for i, id := range ids {
		l, err := reader.log(id)
		switch {
		case s.isDeleted(id): // since the table was asked
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
	return found, s.addLater(ctx, logs)
}

func (s *Store) scanIDs(ctx context.Context, query reqlog.ScanQuery) ([]int64, error) {
	if !query.All {
		return ask(ctx, s, query.Query, func(sel *table.Selection) ([]int64, error) {
			return s.table.ScanIDs(ctx, sel, query)
		})
	}
	if _, err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	ids, err := s.table.ScanIDs(ctx, nil, query)
	return ids, s.tableError(err)
}

// blockReader reads records of the journal and keeps the block of the last one.
type blockReader struct {
	store *Store
	block journal.Block
}

// at returns the block at a position.
func (r *blockReader) at(position journal.Position) (journal.Block, error) {
	if r.block.Records != nil && r.block.Position == position {
		return r.block, nil
	}
	block, err := r.store.journal.Read(position)
	if err == nil {
		r.block = block
	}
	return block, err
}

// log returns a log that the table has, as it was written.
func (r *blockReader) log(id int64) (*reqlog.Log, error) {
	r.store.mu.Lock()
	position, ok := r.store.blocks.find(id)
	r.store.mu.Unlock()
	if !ok {
		return nil, fmt.Errorf("log %d: %w", id, journal.ErrDamaged)
	}
	block, err := r.at(position)
	if err != nil {
		return nil, fmt.Errorf("read log %d: %w", id, err)
	}
	for _, raw := range block.Records {
		if one := record(raw); one.valid() && one.kind() == recordLog && one.id() == id {
			l, err := decodeLog(one)
			if err == nil && r.store.isStripped(id) {
				l.DropTexts()
			}
			return l, err
		}
	}
	return nil, fmt.Errorf("log %d: %w", id, journal.ErrDamaged)
}

// ScanSpans implements reqlog.Store. The order is that of the journal.
func (s *Store) ScanSpans(ctx context.Context, query reqlog.SpanScanQuery) (*reqlog.ScannedSpans, error) {
	cursor, err := reqlog.ParseSpanCursor(query.After)
	if err != nil {
		return nil, err
	}
	if _, err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	if cursor.Closures {
		return s.scanClosures(ctx, query, cursor)
	}
	rows, err := s.table.ScanSpans(ctx, query, journal.Place{Block: journal.Position(cursor.A), Slot: cursor.B})
	if err != nil {
		return nil, s.tableError(err)
	}
	found, reader, bytes := &reqlog.ScannedSpans{Next: reqlog.SpanCursor{Closures: true}.String()}, blockReader{store: s}, int64(0)
	for i, row := range rows {
		span, err := reader.span(row)
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

// span returns a span that the table has.
func (r *blockReader) span(row table.ScannedSpan) (*reqlog.Span, error) {
	block, err := r.at(row.Place.Block)
	if err != nil {
		return nil, fmt.Errorf("read span %s: %w", row.Ref.SpanID, err)
	}
	one, err := spanRecord(block, row.Place, row.Key, row.Ref.Workspace)
	if err != nil {
		return nil, err
	}
	return decodeSpan(one)
}

func (s *Store) scanClosures(ctx context.Context, query reqlog.SpanScanQuery, cursor reqlog.SpanCursor) (*reqlog.ScannedSpans, error) {
	closures, err := s.table.ScanClosures(ctx, query, cursor.A)
	if err != nil {
		return nil, s.tableError(err)
	}
	found := &reqlog.ScannedSpans{Closures: closures}
	if n := len(closures); query.Full(n, 0) {
		found.Next = reqlog.SpanCursor{Closures: true, A: closures[n-1].Key()}.String()
	}
	return found, nil
}
