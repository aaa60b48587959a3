package deletion

import (
	"context"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Work runs or resumes a job.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	always := context.WithoutCancel(ctx)
	d, err := s.store.GetDeletion(always, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && !d.Active() {
		return s.store.InTx(always, task.End) // deleted with its workspace, or ended
	}
	if err != nil {
		return err
	}
	x := &execution{service: s, task: task, d: d, always: always}
	err = x.run(ctx)
	switch {
	case errors.Is(err, job.ErrLost) || errors.Is(context.Cause(ctx), job.ErrLost):
		return job.ErrLost
	case err != nil && errors.Is(context.Cause(ctx), job.ErrStopped):
		return job.ErrStopped
	default:
		return err
	}
}

// execution is the work on a deletion.
type execution struct {
	service *Service
	task    *job.Task
	d       Deletion
	query   reqlog.QueryInput
	// always is the context of work that must not be interrupted.
	always context.Context // lives as long as the job
}

// run hides logs part by part, and then removes them from the files. A part is
// counted before it is hidden, so that the count is right when the process is lost
// in between: the next one hides the rest of the part.
func (x *execution) run(ctx context.Context) (err error) {
	if x.d.State == Running {
		err = x.hide(ctx)
		if err != nil && !permanent(err) {
			return err
		}
		next := x.d
		next.State, next.Done = Reclaiming, next.Upto
		if err != nil {
			next.Failure = err.Error()
		}
		if err := x.save(next); err != nil {
			return err
		}
	}
	return x.reclaim(ctx)
}

// permanent reports whether trying again would fail in the same way.
func permanent(err error) bool {
	return fault.Is(err, fault.BadRequest) || fault.Is(err, fault.Invalid) || fault.Is(err, fault.NotFound)
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

func (x *execution) hide(ctx context.Context) (err error) {
	if x.query, err = x.d.query(); err != nil {
		return err
	}
	if err := x.repeat(); err != nil {
		return err
	}
	for more := true; more; {
		if halted := x.halted(ctx); halted != nil {
			return halted
		}
		if errors.Is(context.Cause(ctx), job.ErrCancelled) {
			next := x.d
			next.Cancelled = true
			return x.save(next)
		}
		if more, err = x.part(); err != nil {
			return err
		}
	}
	return x.hideTraces(ctx)
}

func (x *execution) find(after, last int64) ([]int64, error) {
	found, err := x.service.logs.Usages(x.always, x.d.Workspace, x.query, after, last, x.service.partLogs)
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	return ids, err
}

// repeat hides what is left of the part that a lost process had counted.
func (x *execution) repeat() error {
	for after := max(x.d.Done, x.d.After); after < x.d.Upto; {
		ids, err := x.find(after, x.d.Upto)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := x.delete(x.d.of(ids)); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
	return nil
}

// part counts and hides the next part, and reports whether there was one.
func (x *execution) part() (more bool, err error) {
	ids, err := x.find(max(x.d.Upto, x.d.After), x.d.Last)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	next := x.d
	next.Done, next.Upto = x.d.Upto, ids[len(ids)-1]
	if err := next.add(ids); err != nil {
		return false, err
	}
	if err := x.save(next); err != nil {
		return false, err
	}
	return true, x.delete(x.d.of(ids))
}

// of returns the deletion of a part of the logs.
func (d *Deletion) of(ids []int64) reqlog.Deletion {
	part := reqlog.Deletion{Logs: ids, TextsOnly: d.TextsOnly, WithTraces: d.WithTraces}
	if d.MetadataKey != "" {
		part.RemovedPaths = []string{d.MetadataKey}
	}
	if d.ScoreName != "" {
		part.RemovedScores = []string{d.ScoreName}
	}
	return part
}

// hideTraces hides the traces of the user that no log led to.
func (x *execution) hideTraces(ctx context.Context) error {
	for x.d.User != "" {
		if halted := x.halted(ctx); halted != nil {
			return halted
		}
		ids, _, err := x.service.logs.TracesOfUser(x.always, x.d.Workspace, x.d.User, tracesAtOnce)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := x.delete(reqlog.Deletion{Traces: ids}); err != nil {
			return err
		}
		next := x.d
		next.Traces += int64(len(ids))
		if err := x.save(next); err != nil {
			return err
		}
	}
	return nil
}

// tracesAtOnce is the number of traces that are hidden at once. A trace can have
// many spans.
const tracesAtOnce = 100

// add counts logs.
func (p *Progress) add(ids []int64) error {
	digest, err := p.digest()
	if err != nil {
		return err
	}
	for _, id := range ids {
		_, _ = digest.Write(append(strconv.AppendInt(nil, id, 10), '\n')) // it never fails
	}
	if p.Digest, err = digest.(encoding.BinaryMarshaler).MarshalBinary(); err != nil {
		return fmt.Errorf("digest of ids: %w", err)
	}
	if p.Logs == 0 {
		p.FirstID = ids[0]
	}
	p.Logs += int64(len(ids))
	p.LastID = ids[len(ids)-1]
	return nil
}

func (p *Progress) digest() (hash.Hash, error) {
	digest := sha256.New()
	if len(p.Digest) == 0 {
		return digest, nil
	}
	if err := digest.(encoding.BinaryUnmarshaler).UnmarshalBinary(p.Digest); err != nil {
		return nil, fmt.Errorf("digest of ids: %w", err)
	}
	return digest, nil
}

// IDsDigest returns the SHA-256 of the ids of the logs, each in decimal with a
// newline after it, in rising order.
func (p *Progress) IDsDigest() (string, error) {
	digest, err := p.digest()
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(digest.Sum(nil)), nil
}

const (
	// attempts is how often a part is tried while the store accepts no more, and
	// pause the time in between. Then the job waits longer.
	attempts = 20
	pause    = 500 * time.Millisecond
	// saveEvery is the time between two notes of the progress in the files.
	saveEvery = 2 * time.Second
)

// delete hides a part. New logs have precedence: it waits while there are too many
// of them.
func (x *execution) delete(d reqlog.Deletion) error {
	d.Workspace = x.d.Workspace
	for attempt := 1; ; attempt++ {
		err := x.service.logs.Delete(x.always, d)
		if attempt == attempts || !fault.Is(err, fault.Unavailable) {
			return err
		}
		select {
		case <-x.task.Stopping():
			return job.ErrStopped
		case <-time.After(pause):
		}
	}
}

// reclaim removes what is hidden from the files, and ends the deletion. If that
// fails, because the disk is full for example, the job is tried again later.
func (x *execution) reclaim(ctx context.Context) error {
	if halted := x.halted(ctx); halted != nil {
		return halted
	}
	working, stop := context.WithCancelCause(x.always)
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); !errors.Is(cause, job.ErrCancelled) {
			stop(cause)
		}
	})()
	saved, before := time.Now(), x.d.Reclaimed
	var lost error
	done, err := x.service.logs.Reclaim(working, func(part float64, done reqlog.Reclaimed) {
		next := x.d
		next.ReclaimedPart, next.Reclaimed = part, before
		next.Reclaimed.Add(done)
		// A file that is done is not written again after a crash, so that only the
		// stored progress knows of it.
		if lost != nil || next.Reclaimed.Files == x.d.Reclaimed.Files && time.Since(saved) < saveEvery {
			return
		}
		saved = time.Now()
		if lost = x.save(next); lost != nil {
			stop(lost)
		}
	})
	if lost != nil {
		return lost
	}
	next := x.d
	next.Reclaimed = before
	next.Reclaimed.Add(done)
	if err != nil {
		return errors.Join(err, x.save(next))
	}
	return x.end(next)
}

// save stores the progress while the process holds the job.
func (x *execution) save(next Deletion) error {
	err := x.service.store.InTx(x.always, func(ctx context.Context) error {
		if err := x.task.Hold(ctx); err != nil {
			return err
		}
		return x.service.store.SaveDeletion(ctx, x.d.State, next)
	})
	if err == nil {
		x.d = next
	}
	return err
}

// end stores the end and ends the job.
func (x *execution) end(next Deletion) error {
	now := x.service.clock()
	next.State, next.EndedAt, next.ReclaimedPart = Done, &now, 1
	switch {
	case next.Failure != "":
		next.State = Failed
	case next.Cancelled:
		next.State = Cancelled
	}
	return x.service.store.InTx(x.always, func(ctx context.Context) error {
		if err := x.task.Hold(ctx); err != nil {
			return err
		}
		if err := x.service.store.SaveDeletion(ctx, x.d.State, next); err != nil {
			return err
		}
		return x.task.End(ctx)
	})
}
