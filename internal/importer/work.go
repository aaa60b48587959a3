package importer

import (
	"context"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer/source"
	"github.com/promptuary/promptuary/internal/job"
)

// resumable is how imports are loaded and saved.
func (s *Service) resumable() job.Resumable[Import] {
	return job.Resumable[Import]{
		InTx: s.store.InTx, Load: s.store.GetImport, Active: (*Import).Active,
		Save: func(ctx context.Context, now, next Import) error { return s.store.SaveImport(ctx, now.State, next, "") },
	}
}

// Work runs or resumes a job.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	return s.resumable().Run(ctx, task, func(ctx context.Context, w *job.Work[Import]) error {
		defer task.Turn(ctx, s.turns)()
		x := &execution{Work: w, service: s}
		switch server := x.Now.Options.Server != nil; {
		case server && x.Now.State == Checking:
			return x.checkServer(ctx)
		case server:
			return x.runServer(ctx)
		case x.Now.State == Checking:
			return x.check(ctx)
		default:
			return x.run(ctx)
		}
	})
}

// execution is the work on an import.
type execution struct {
	*job.Work[Import]
	service *Service

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
	x.file = newPartReader(x.Always, x.service.store, x.Now.ID, FileContent, x.Now.Parts)
	x.hash = sha256.New()
	x.rows, err = source.NewReader(io.TeeReader(x.file, x.hash), x.Now.Options)
	return err
}

// save stores the progress with a part of the report.
func (x *execution) save(next Import, content Content, number int64, report []byte) error {
	return x.Save(next, func(ctx context.Context) error {
		if len(report) == 0 {
			return nil
		}
		return x.service.store.PutPart(ctx, next.ID, content, number, pack(report))
	})
}

// end stores the end of the job. An import that has ended needs its file no more.
func (x *execution) end(next Import, also ...func(ctx context.Context) error) error {
	next.Failure = job.Storable(next.Failure)
	return x.End(next, append(also, func(ctx context.Context) error {
		if next.Open() {
			return nil
		}
		for _, content := range []Content{FileContent, KeyContent, PlanContent, LinkContent} {
			if err := x.service.store.DeleteParts(ctx, next.ID, content); err != nil {
				return err
			}
		}
		return nil
	})...)
}

// run writes the logs, batch by batch. The progress is saved after each.
func (x *execution) run(ctx context.Context) error {
	err := x.Continue(ctx)
	if err == nil {
		err = x.open()
	}
	if err == nil {
		err = x.skip()
	}
	x.unsure = true
	if err == nil {
		err = x.Parts(ctx, x.part)
	}
	return x.settle(ctx, err)
}

// settle stores how an import ended, unless it has to be tried again.
func (x *execution) settle(ctx context.Context, err error) error {
	failure, permanent := job.Failure(err)
	switch {
	case err == nil:
		return x.stop(Done, "")
	case job.IsCancelled(ctx, err):
		return x.stop(Cancelled, "")
	case permanent:
		return x.stop(Failed, failure)
	default:
		return err
	}
}

// skip skips the rows that were handled before.
func (x *execution) skip() error {
	for range x.Now.Run.Rows {
		if err := x.rows.Skip(); err != nil {
			return fmt.Errorf("skip rows that were imported: %w", err)
		}
	}
	return nil
}

// part handles the next batch, and reports whether there are more.
func (x *execution) part() (more bool, err error) {
	b, err := x.next()
	if err != nil {
		return false, err
	}
	if err := x.dropExisting(b); err != nil {
		return false, err
	}
	next := x.Now
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
	return !b.ended, x.save(next, RunReport, next.Run.Reports, report)
}

// write writes a batch and returns the number of its logs. New logs of others have
// precedence: it waits while there are too many of them.
func (x *execution) write(b *batch, p *Progress) (count int, err error) {
	err = x.Write(func() (err error) {
		count, err = x.tryWrite(b, p)
		x.unsure = x.unsure || fault.Is(err, fault.Unavailable)
		return err
	})
	return count, err
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
	rows := fresh.imported(x.Now.ID, p.Commits)
	outcomes, err := x.service.logs.Import(x.Always, x.Now.Workspace, rows)
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
	next, now := x.Now, x.service.clock()
	next.State, next.Failure, next.EndedAt = state, failure, &now
	return x.end(next)
}
