package embedded

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// get is requests.Store.Get. A log that was never changed and has no span is
// read from the journal alone.
func (r *reader) get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	l, err := r.archive.reader().first(ctx, workspace, id)
	if err != nil || !r.hasLater(l) {
		return l, err
	}
	if _, err := r.queue.await(ctx); err != nil {
		return nil, err
	}
	return l, r.addLater(ctx, []*reqlog.Log{l})
}

// hasLater reports whether something of the log may not be in its record: see
// addLater.
func (r *reader) hasLater(l *reqlog.Log) bool { return r.index.isChanged(l.ID) || l.SpanID != "" }

// firsts returns the logs with the ids as they were originally written, without
// bodies, and the ids of those that are damaged.
func (r *reader) firsts(ctx context.Context, workspace int64, ids []int64) (logs []*reqlog.Log, damaged []int64, err error) {
	reader := r.archive.reader()
	logs = make([]*reqlog.Log, 0, len(ids))
	for _, id := range ids {
		l, err := reader.first(ctx, workspace, id)
		if r.index.isDeleted(id) {
			continue // since the table was asked
		}
		if fault.Is(err, fault.Damaged) || fault.Is(err, fault.NotFound) { // the table contains it
			damaged = append(damaged, id)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		l.Input, l.Output, l.Parameters = nil, nil, nil
		logs = append(logs, l)
	}
	return logs, damaged, nil
}

// addLater sets what is not in the records of the logs: their current notes and
// prices, and their traces.
func (r *reader) addLater(ctx context.Context, logs []*reqlog.Log) error {
	if err := r.addChanges(ctx, logs); err != nil {
		return err
	}
	return r.addTraces(ctx, logs)
}

// addChanges sets the current notes and prices of logs that were changed.
func (r *reader) addChanges(ctx context.Context, logs []*reqlog.Log) error {
	var ids []int64
	for _, l := range logs {
		if r.index.isChanged(l.ID) {
			ids = append(ids, l.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	current, err := r.archive.current(ctx, ids)
	for _, l := range logs {
		changed := current[l.ID]
		if changed.notes != nil {
			l.Notes = *changed.notes
		}
		if changed.price != nil {
			l.Price = *changed.price
		}
	}
	return err
}
