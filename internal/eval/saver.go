package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
)

const (
	// saveRows and saveBytes limit one batch.
	saveRows  = 500
	saveBytes = 4 << 20
	// saveAhead is the number of queued rows; each can be large.
	saveAhead = 8
	// saveEvery is the interval for storing progress during slow steps.
	saveEvery = 250 * time.Millisecond
)

// saver stores rows of a run in batches while the process holds the job. The
// goroutine of loop does all the work.
type saver struct {
	execution *execution
	requests  chan saveRequest
	// failed is closed when storing has failed; err has the reason.
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
	// more is the change of the cell counts since the row was last stored.
	more Progress
	// done, unless nil, receives the result of storing the row.
	done chan error
}

func newSaver(x *execution) *saver {
	return &saver{execution: x, requests: make(chan saveRequest, saveAhead), failed: make(chan struct{})}
}

// save queues a row to be stored.
func (s *saver) save(r saveRequest) {
	select {
	case s.requests <- r:
	case <-s.failed: // loop no longer receives
	}
}

// saveNow stores a row and returns when it is stored.
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

// run stores rows until there are no more requests or storing fails. Then nobody
// waits for it any more.
func (s *saver) run(ctx context.Context) error {
	err := guard.Run("evaluation", func() error { return s.loop(ctx) })
	if err != nil {
		s.err = err
		close(s.failed)
	}
	return err
}

// loop stores rows until there are no more requests or storing fails.
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
	s.more.Waiting += r.more.Waiting
	s.running += r.more.Running
	if r.done != nil {
		s.waiting = append(s.waiting, r.done)
	}
}

func (s *saver) full() bool { return len(s.rows) >= saveRows || s.size >= saveBytes }

// flush stores the batch in one transaction that holds the job.
func (s *saver) flush(ctx context.Context) error {
	if len(s.rows) == 0 {
		return nil
	}
	x := s.execution
	s.more.Running, s.more.Workflows = s.running, x.workflows.take()
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
