package importer

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/job"
)

// Work runs or resumes a job.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	always := context.WithoutCancel(ctx)
	i, err := s.store.GetImport(always, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && !i.Active() {
		return s.store.InTx(always, task.End) // deleted with its workspace, or ended
	}
	if err != nil {
		return err
	}
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-ctx.Done():
	case <-task.Stopping():
	}
	x := &execution{service: s, task: task, i: i, always: always}
	switch server := i.Options.Server != nil; {
	case server && i.State == Checking:
		err = x.checkServer(ctx)
	case server:
		err = x.runServer(ctx)
	case i.State == Checking:
		err = x.check(ctx)
	default:
		err = x.run(ctx)
	}
	switch {
	case errors.Is(err, job.ErrLost) || errors.Is(context.Cause(ctx), job.ErrLost):
		return job.ErrLost
	case errors.Is(context.Cause(ctx), job.ErrStopped):
		return job.ErrStopped
	default:
		return err
	}
}

// execution is the work on an import.
type execution struct {
	service *Service
	task    *job.Task
	i       Import
	// always is the context of work that must not be interrupted.
	always context.Context // lives as long as the job

	file *partReader
	rows *source.Reader
	hash hash.Hash
	// stored are the rows that a lost process wrote after it had saved its progress
	// for the last time.
	stored map[int64]bool
	// unsure says that it is not known whether the last batch was written.
	unsure bool
}

// open opens the file.
func (x *execution) open() (err error) {
	x.file = newPartReader(x.always, x.service.store, x.i.ID, FileContent, x.i.Parts)
	x.hash = sha256.New()
	x.rows, err = source.NewReader(io.TeeReader(x.file, x.hash), x.i.Options)
	return err
}

// wrong returns the message of an error that is in the file, which trying again would
// not change.
func wrong(err error) (message string, isWrong bool) {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok || known.Kind != fault.BadRequest {
		return "", false
	}
	return known.Message, true
}

// halted returns the reason to leave the job to another process, nil if there is
// none.
func (x *execution) halted(ctx context.Context) error {
	select {
	case <-x.task.Stopping():
		return job.ErrStopped
	default:
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, job.ErrCancelled) {
		return cause
	}
	return nil
}

func cancelled(ctx context.Context) bool { return errors.Is(context.Cause(ctx), job.ErrCancelled) }

// save stores the progress with a part of the report while the process holds the job.
func (x *execution) save(from State, next Import, content Content, number int64, report []byte) error {
	err := x.service.store.InTx(x.always, func(ctx context.Context) error {
		if err := x.task.Hold(ctx); err != nil {
			return err
		}
		if len(report) > 0 {
			if err := x.service.store.PutPart(ctx, next.ID, content, number, pack(report)); err != nil {
				return err
			}
		}
		return x.service.store.SaveImport(ctx, from, next, "")
	})
	if err == nil {
		x.i = next
	}
	return err
}

// end stores the end of the job. An import that has ended needs its file no more.
func (x *execution) end(from State, next Import) error {
	return x.service.store.InTx(x.always, func(ctx context.Context) error { return x.endIn(ctx, from, next) })
}

// endIn stores the end of the job in a transaction.
func (x *execution) endIn(ctx context.Context, from State, next Import) error {
	if err := x.task.Hold(ctx); err != nil {
		return err
	}
	if !next.Open() {
		for _, content := range []Content{FileContent, KeyContent, PlanContent, LinkContent} {
			if err := x.service.store.DeleteParts(ctx, next.ID, content); err != nil {
				return err
			}
		}
	}
	if err := x.service.store.SaveImport(ctx, from, next, ""); err != nil {
		return err
	}
	return x.task.End(ctx)
}

// run writes the logs, batch by batch. The progress is saved after each.
func (x *execution) run(ctx context.Context) error {
	err := x.open()
	if err == nil {
		err = x.skip()
	}
	x.unsure = true
	for ended := false; err == nil && !ended; {
		if halted := x.halted(ctx); halted != nil {
			return halted
		}
		if cancelled(ctx) {
			return x.stop(Cancelled, "")
		}
		ended, err = x.part()
	}
	if message, isWrong := wrong(err); isWrong {
		return x.stop(Failed, message)
	}
	if err != nil {
		return err
	}
	return x.stop(Done, "")
}

// skip skips the rows that were handled before.
func (x *execution) skip() error {
	for range x.i.Run.Rows {
		if err := x.rows.Skip(); err != nil {
			return fmt.Errorf("skip rows that were imported: %w", err)
		}
	}
	return nil
}

// part handles the next batch.
func (x *execution) part() (ended bool, err error) {
	b, err := x.next()
	if err != nil {
		return false, err
	}
	if err := x.dropExisting(b); err != nil {
		return false, err
	}
	next := x.i
	next.Run.Commits++
	logs, err := x.write(b, &next.Run)
	if err != nil {
		return false, err
	}
	next.Run.Format, next.Run.Bytes = x.rows.Format(), x.file.bytes
	next.Run.count(b, logs)
	var report []byte
	for _, e := range b.report {
		report = appendEntry(report, e)
	}
	if len(report) > 0 {
		next.Run.Reports++
	}
	return b.ended, x.save(Running, next, RunReport, next.Run.Reports, report)
}

const (
	// attempts is how often a batch is tried while the store accepts no more, and
	// pause the time in between. Then the job waits longer.
	attempts = 20
	pause    = 500 * time.Millisecond
)

// write writes a batch and returns the number of its logs. New logs of others have
// precedence: it waits while there are too many of them.
func (x *execution) write(b *batch, p *Progress) (count int, err error) {
	for attempt := 1; ; attempt++ {
		count, err = x.tryWrite(b, p)
		if attempt == attempts || !fault.Is(err, fault.Unavailable) {
			return count, err
		}
		x.unsure = true
		select {
		case <-x.task.Stopping():
			return 0, job.ErrStopped
		case <-time.After(pause):
		}
	}
}

// tryWrite writes the rows of a batch that are not stored yet.
func (x *execution) tryWrite(b *batch, p *Progress) (int, error) {
	if x.unsure {
		if err := x.findStored(p.Commits); err != nil {
			return 0, err
		}
		x.unsure = false
	}
	done := b.dropStored(x.stored)
	fresh := *b
	fresh.report = nil
	rows := fresh.imported(x.i.ID, p.Commits)
	outcomes, err := x.service.logs.Import(x.always, x.i.Workspace, rows)
	if err != nil {
		b.restore(done)
		return 0, err
	}
	logs := fresh.settle(rows, outcomes)
	b.report = append(b.report, fresh.report...)
	for _, l := range logs {
		p.LastID = max(p.LastID, l.ID)
	}
	return len(logs) + len(done), nil
}

// stop stores the end of the import.
func (x *execution) stop(state State, failure string) error {
	next, now := x.i, x.service.clock()
	next.State, next.Failure, next.EndedAt = state, failure, &now
	return x.end(Running, next)
}
