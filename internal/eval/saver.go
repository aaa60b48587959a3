package eval

import (
	"context"
	"fmt"
	"time"
)

const (
	// saveRows and saveBytes are how much is stored at once.
	saveRows  = 500
	saveBytes = 4 << 20
	// saveAhead is how many rows wait for their turn; each can be large.
	saveAhead = 8
	// saveEvery is how often progress is stored while steps take their time.
	saveEvery = 250 * time.Millisecond
)

// saver stores rows of a run in batches, as long as the process has the job.
// One goroutine, that of loop, does it.
type saver struct {
	execution *execution
	requests  chan saveRequest
	// failed is closed when nothing can be stored any more; err says why.
	failed chan struct{}
	err    error

	rows    []Row
	size    int
	more    Progress
	running int64
	waiting []chan error
}

// saveRequest is a row to be stored.
type saveRequest struct {
	row Row
	// more is how many more cells are in each state than when the row was
	// stored before.
	more Progress
	// done, unless nil, is told when the row is stored.
	done chan error
}

func newSaver(x *execution) *saver {
	return &saver{execution: x, requests: make(chan saveRequest, saveAhead), failed: make(chan struct{})}
}

// save has a row stored before long.
func (s *saver) save(r saveRequest) {
	select {
	case s.requests <- r:
	case <-s.failed: // nobody will
	}
}

// saveNow returns when a row is stored.
func (s *saver) saveNow(r saveRequest) error {
	r.done = make(chan error, 1)
	select {
	case s.requests <- r:
	case <-s.failed:
		return s.err
	}
	select {
	case err := <-r.done:
		return err
	case <-s.failed:
		return s.err
	}
}

// loop stores rows until there are no more requests, or it fails.
func (s *saver) loop(ctx context.Context) error {
	ticker := time.NewTicker(saveEvery)
	defer ticker.Stop()
	for open := true; open; {
		due := true
		select {
		case r, more := <-s.requests:
			if open = more; open {
				s.take(r)
				due = s.full() || len(s.waiting) > 0 && len(s.requests) == 0
			}
		case <-ticker.C:
		}
		if !due {
			continue
		}
		if err := s.flush(ctx); err != nil {
			s.err = err
			close(s.failed)
			return err
		}
	}
	return nil
}

func (s *saver) take(r saveRequest) {
	s.rows = append(s.rows, r.row)
	s.size += len(r.row.Cells)
	s.more.Completed += r.more.Completed
	s.more.Failed += r.more.Failed
	s.running += r.more.Running
	if r.done != nil {
		s.waiting = append(s.waiting, r.done)
	}
}

func (s *saver) full() bool { return len(s.rows) >= saveRows || s.size >= saveBytes }

// flush stores what was taken, in one transaction that holds the job.
func (s *saver) flush(ctx context.Context) error {
	if len(s.rows) == 0 {
		return nil
	}
	s.more.Running = s.running
	x := s.execution
	err := x.service.entities.InTx(ctx, func(ctx context.Context) error {
		if err := x.task.Hold(ctx); err != nil {
			return err
		}
		return x.service.store.SaveReportRows(ctx, x.run.ID, s.rows, s.more)
	})
	if err != nil {
		return fmt.Errorf("save rows of run %d: %w", x.run.ID, err)
	}
	for _, done := range s.waiting {
		done <- nil
	}
	clear(s.rows)
	s.rows, s.size, s.more, s.waiting = s.rows[:0], 0, Progress{}, s.waiting[:0]
	return nil
}
