package logstoretest

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// ScanLogs implements query.Reader.
func (n *naive) ScanLogs(ctx context.Context, q query.ScanQuery) (*query.Scanned, error) {
	logs, err := n.selected(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if q.All {
		logs = nil
		for _, l := range n.logs {
			logs = append(logs, n.withTrace(l))
		}
	}
	found, bytes := &query.Scanned{}, int64(0)
	for _, l := range logs {
		if l.ID <= q.After || l.ID > q.Last {
			continue
		}
		own := copyOf(l)
		own.Index = reqlog.Index{}
		logged, repriced := n.logged[l.ID]
		if !repriced {
			logged = l.Price
		}
		found.Logs = append(found.Logs, query.ScannedLog{Log: own, Logged: logged})
		if bytes += l.BodySize(); q.Full(len(found.Logs), bytes) {
			found.Next = l.ID
			break
		}
	}
	return found, nil
}

// ScanSpans implements query.Reader.
func (n *naive) ScanSpans(ctx context.Context, q query.SpanScanQuery) (*query.ScannedSpans, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	cursor, err := query.ParseSpanCursor(q.After)
	if err != nil {
		return nil, err
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	if cursor.Closures {
		return n.scanClosures(q, cursor), nil
	}
	found, bytes := &query.ScannedSpans{Next: query.SpanCursor{Closures: true}.String()}, int64(0)
	for i, span := range n.spans {
		if int64(i) <= cursor.A || !q.All && span.Workspace != q.Workspace {
			continue
		}
		found.Spans = append(found.Spans, span)
		if bytes += span.DataSize(); q.Full(len(found.Spans), bytes) {
			found.Next = query.SpanCursor{A: int64(i)}.String()
			break
		}
	}
	return found, nil
}

func (n *naive) scanClosures(q query.SpanScanQuery, cursor query.SpanCursor) *query.ScannedSpans {
	found := &query.ScannedSpans{}
	sorted := slices.SortedFunc(slices.Values(n.closures), func(a, b reqlog.Closure) int { return cmp.Compare(a.Key(), b.Key()) })
	for _, c := range sorted {
		if c.Key() <= cursor.A || !q.All && c.Workspace != q.Workspace {
			continue
		}
		found.Closures = append(found.Closures, c)
		if q.Full(len(found.Closures), 0) {
			found.Next = query.SpanCursor{Closures: true, A: c.Key()}.String()
			break
		}
	}
	return found
}
