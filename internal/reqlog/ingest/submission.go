package ingest

import (
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// submission is one call that waits for its commit. Its logs are only read: the
// store gets copies, because it owns them afterwards.
type submission struct {
	workspace int64
	logs      []*reqlog.Log
	changes   []reqlog.Change
	prices    []reqlog.PriceChange
	deletions []reqlog.Deletion
	spans     *reqlog.SpanBatch // nil for none
	bytes     int64
	// ids, at and stored are set before a nil error is sent on done.
	ids    []int64
	at     reqlog.Micros
	stored *reqlog.SpanBatch // the copy of spans that was written
	done   chan error
}

func (s *submission) entries() int {
	if s.spans == nil {
		return len(s.logs) + len(s.changes) + len(s.prices) + len(s.deletions)
	}
	return max(1, len(s.spans.Spans)) + s.countLogs()
}

// counted says what entries counts, for messages.
func (s *submission) counted() string {
	if s.spans == nil {
		return "logs"
	}
	return "spans and request logs together"
}

// countLogs returns the number of logs, including those of spans.
func (s *submission) countLogs() int {
	count := len(s.logs)
	if s.spans != nil {
		for _, l := range s.spans.Logs {
			if l != nil {
				count++
			}
		}
	}
	return count
}

// stamp runs in the goroutine of the caller: logs must not change after a
// caller has stopped waiting.
func (s *submission) stamp() {
	for i, l := range s.logs {
		l.ID, l.CreatedAt = s.ids[i], s.at
	}
}

// addTo adds copies of what the submission writes to a batch.
func (s *submission) addTo(batch *reqlog.Batch) {
	batch.Changes = append(batch.Changes, s.changes...)
	batch.Prices = append(batch.Prices, s.prices...)
	batch.Deletions = append(batch.Deletions, s.deletions...)
	next := 0
	stamped := func(l *reqlog.Log) *reqlog.Log {
		own := *l
		own.ID, own.CreatedAt = s.ids[next], s.at
		next++
		return &own
	}
	for _, l := range s.logs {
		batch.Logs = append(batch.Logs, stamped(l))
	}
	if s.spans == nil {
		return
	}
	own := *s.spans
	own.Logs = make([]*reqlog.Log, len(s.spans.Logs))
	for i, l := range s.spans.Logs {
		if l != nil {
			own.Logs[i] = stamped(l)
		}
	}
	own.Close = slices.Clone(s.spans.Close)
	for i := range own.Close {
		own.Close[i].At = s.at
	}
	s.stored = &own
	batch.Spans = append(batch.Spans, &own)
}
