package clickhouse

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/admission"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// admitSpans decides what to store of batches of spans.
func (s *Store) admitSpans(ctx context.Context, batches []*reqlog.SpanBatch) (*admission.Admission, error) {
	known := admission.Known{Closed: map[int64]bool{}, LogIDs: map[int64]int64{}}
	closures, logs := admission.Keys(batches)
	err := together(ctx,
		func(ctx context.Context) error { return s.closedTraces(ctx, closures, known.Closed) },
		func(ctx context.Context) error {
			found, err := s.logsOfSpans(ctx, workspacesOf(batches), logs)
			for key, logs := range found {
				known.LogIDs[key] = logs[0].id
			}
			return err
		},
	)
	if err != nil {
		return nil, err
	}
	return admission.Admit(batches, known), nil
}

// closedTraces adds the keys of closures that are stored.
func (s *Store) closedTraces(ctx context.Context, keys []int64, closed map[int64]bool) error {
	if len(keys) == 0 {
		return nil
	}
	q := newQuery("SELECT DISTINCT key FROM closure WHERE key IN ")
	q.write(q.bindInts(keys))
	err := s.read(ctx, q, func(rows *rowReader) error {
		var key int64
		err := rows.scan(&key)
		closed[key] = true
		return err
	})
	if err != nil {
		return fmt.Errorf("look up closed traces: %w", err)
	}
	return nil
}

func workspacesOf(batches []*reqlog.SpanBatch) (workspaces []int64) {
	for _, b := range batches {
		if !slices.Contains(workspaces, b.Workspace) {
			workspaces = append(workspaces, b.Workspace)
		}
	}
	return workspaces
}

// linkedLog is a log with a span id.
type linkedLog struct {
	id     int64
	ofSpan bool
}

// logsOfSpans returns logs by log key, in the order of their ids.
func (s *Store) logsOfSpans(ctx context.Context, workspaces, keys []int64) (map[int64][]linkedLog, error) {
	if len(keys) == 0 {
		return nil, nil
	}
	q := newQuery("SELECT span_key, id, of_span FROM log WHERE workspace IN ")
	q.write(q.bindInts(workspaces), " AND span_key IN ", q.bindInts(keys), " ORDER BY span_key, id")
	found := map[int64][]linkedLog{}
	err := s.read(ctx, q, func(rows *rowReader) error {
		var key int64
		var l linkedLog
		err := rows.scan(&key, &l.id, &l.ofSpan)
		found[key] = append(found[key], l)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("look up logs of spans: %w", err)
	}
	return found, nil
}

// keepFirst leaves one log of each span. Servers that receive the same span at the
// same moment all insert its log, and then look for others: the last one to look
// sees them all. The log with the lowest id stays, and its id is reported.
func (c *commit) keepFirst(ctx context.Context, spans *admission.Admission) error {
	var workspaces, keys, extra []int64
	for _, l := range spans.Logs {
		workspaces, keys = append(workspaces, l.Workspace), append(keys, reqlog.LogKey(l.Workspace, l.SpanID))
	}
	slices.Sort(workspaces)
	workspaces = slices.Compact(workspaces)
	found, err := c.logsOfSpans(ctx, workspaces, keys)
	if err != nil {
		return err
	}
	for _, logs := range found {
		for _, l := range logs[1:] {
			if l.ofSpan {
				extra = append(extra, l.id)
				spans.Replace(l.id, logs[0].id)
			}
		}
	}
	if len(extra) == 0 {
		return nil
	}
	return c.delete(ctx, workspaces, extra)
}

// delete removes logs.
func (c *commit) delete(ctx context.Context, workspaces, ids []int64) error {
	q := newQuery("DELETE FROM log WHERE workspace IN ")
	q.write(q.bindInts(workspaces), " AND id IN ", q.bindInts(ids))
	settings := c.writeSettings()
	settings.Set("lightweight_delete_mode", "lightweight_update")
	settings.Set("enable_lightweight_update", "1")
	if err := c.persist(ctx, statement{sql: q.text(), values: q.values, settings: settings}); err != nil {
		return fmt.Errorf("delete logs: %w", err)
	}
	return nil
}
