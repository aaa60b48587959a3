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

	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// resumable is how deletions are loaded and saved.
func (s *Service) resumable() job.Resumable[Deletion] {
	return job.Resumable[Deletion]{
		InTx: s.store.InTx, Load: s.store.GetDeletion, Active: (*Deletion).Active,
		Save: func(ctx context.Context, now, next Deletion) error { return s.store.SaveDeletion(ctx, now.State, next) },
	}
}

// Work runs or resumes a job.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	return s.resumable().Run(ctx, task, func(ctx context.Context, w *job.Work[Deletion]) error {
		return (&execution{Work: w, service: s}).run(ctx)
	})
}

// execution is the work on a deletion.
type execution struct {
	*job.Work[Deletion]
	service *Service
	query   query.Input
}

// run hides logs part by part, and then removes them from the files. A part is
// counted before it is hidden, so that the count is right when the process is lost
// in between: the next one hides the rest of the part.
func (x *execution) run(ctx context.Context) (err error) {
	if x.Now.State == Running {
		err = x.hide(ctx)
		failure, permanent := job.Failure(err)
		isCancelled := job.IsCancelled(ctx, err)
		if err != nil && !permanent && !isCancelled {
			return err
		}
		next := x.Now
		next.State, next.Done, next.Cancelled = Reclaiming, next.Upto, next.Cancelled || isCancelled
		if !isCancelled {
			next.Failure = failure
		}
		if err := x.Save(next); err != nil {
			return err
		}
	}
	return x.reclaim(ctx)
}

func (x *execution) hide(ctx context.Context) (err error) {
	if x.query, err = x.Now.query(); err != nil {
		return err
	}
	if err := x.repeat(); err != nil {
		return err
	}
	if err := x.Parts(ctx, x.part); err != nil {
		return err
	}
	return x.hideTraces(ctx)
}

func (x *execution) find(after, last int64) ([]int64, error) {
	found, err := x.service.logs.Usages(x.Always, x.Now.Workspace, x.query, after, last, x.service.partLogs)
	ids := make([]int64, len(found))
	for i := range found {
		ids[i] = found[i].ID
	}
	return ids, err
}

// repeat hides what is left of the part that a lost process had counted.
func (x *execution) repeat() error {
	for after := max(x.Now.Done, x.Now.After); after < x.Now.Upto; {
		ids, err := x.find(after, x.Now.Upto)
		if err != nil || len(ids) == 0 {
			return err
		}
		if err := x.delete(x.Now.of(ids)); err != nil {
			return err
		}
		after = ids[len(ids)-1]
	}
	return nil
}

// part counts and hides the next part, and reports whether there was one.
func (x *execution) part() (more bool, err error) {
	ids, err := x.find(max(x.Now.Upto, x.Now.After), x.Now.Last)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	next := x.Now
	next.Done, next.Upto = x.Now.Upto, ids[len(ids)-1]
	if err := next.add(ids); err != nil {
		return false, err
	}
	if err := x.Save(next); err != nil {
		return false, err
	}
	return true, x.delete(x.Now.of(ids))
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
	if x.Now.User == "" {
		return nil
	}
	return x.Parts(ctx, func() (more bool, err error) {
		ids, _, err := x.service.logs.TracesOfUser(x.Always, x.Now.Workspace, x.Now.User, tracesAtOnce)
		if err != nil || len(ids) == 0 {
			return false, err
		}
		if err := x.delete(reqlog.Deletion{Traces: ids}); err != nil {
			return false, err
		}
		next := x.Now
		next.Traces += int64(len(ids))
		return true, x.Save(next)
	})
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

// saveEvery is the time between two notes of the progress in the files.
const saveEvery = 2 * time.Second

// delete hides a part. New logs have precedence: it waits while there are too many
// of them.
func (x *execution) delete(d reqlog.Deletion) error {
	d.Workspace = x.Now.Workspace
	return x.Write(func() error { return x.service.logs.Delete(x.Always, d) })
}

// reclaim removes what is hidden from the files, and ends the deletion. If that
// fails, because the disk is full for example, the job is tried again later.
func (x *execution) reclaim(ctx context.Context) error {
	if err := x.ContinueAlways(ctx); err != nil {
		return err
	}
	working, stop := context.WithCancelCause(x.Always)
	defer stop(nil)
	defer context.AfterFunc(ctx, func() {
		if cause := context.Cause(ctx); !errors.Is(cause, job.ErrCancelled) {
			stop(cause)
		}
	})()
	saved, before := time.Now(), x.Now.Reclaimed
	var lost error
	done, err := x.service.logs.Reclaim(working, func(part float64, done reqlog.Reclaimed) {
		next := x.Now
		next.ReclaimedPart, next.Reclaimed = part, before
		next.Reclaimed.Add(done)
		// A file that is done is not rewritten after a crash, so that only the
		// stored progress knows of it.
		if lost != nil || next.Reclaimed.Files == x.Now.Reclaimed.Files && time.Since(saved) < saveEvery {
			return
		}
		saved = time.Now()
		if lost = x.Save(next); lost != nil {
			stop(lost)
		}
	})
	if lost != nil {
		return lost
	}
	next := x.Now
	next.Reclaimed = before
	next.Reclaimed.Add(done)
	if err != nil {
		return errors.Join(err, x.Save(next))
	}
	return x.end(next)
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
	return x.End(next)
}
