package exporter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/export/target"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Work runs or resumes a run.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	x, store := &execution{service: s}, s.options.Store
	runs := job.Resumable[Run]{
		InTx: store.InTx, Load: store.GetRun, Active: (*Run).Active,
		Save: func(ctx context.Context, _, next Run) error { return store.SaveRun(ctx, x.e, next) },
	}
	return runs.Run(ctx, task, func(ctx context.Context, w *job.Work[Run]) (err error) {
		x.Work = w
		if x.e, err = store.GetExport(w.Always, w.Now.Workspace, w.Now.Export); err != nil {
			return err
		}
		defer task.Turn(ctx, s.turns)()
		return x.settle(ctx, x.run(ctx))
	})
}

// execution is the work on a run.
type execution struct {
	*job.Work[Run]
	service *Service
	e       Export
	kind    kind
	read    reader
	to      target.Target
}

// run writes the files that are missing, and the manifest.
func (x *execution) run(ctx context.Context) (err error) {
	x.kind = kinds[x.e.Source]
	if x.read, err = x.e.reader(); err != nil {
		return err
	}
	if x.to, err = x.service.open(&x.e); err != nil {
		return err
	}
	if err := x.Continue(ctx); err != nil {
		return err
	}
	if err := x.begin(ctx); err != nil {
		return err
	}
	for x.Now.Upto < x.Now.Last {
		if err := x.Continue(ctx); err != nil {
			return err
		}
		if err := x.next(ctx); err != nil {
			return err
		}
	}
	if !x.kind.hasIDs() && len(x.Now.Files) == 0 {
		if err := x.whole(ctx); err != nil {
			return err
		}
	}
	return x.manifest(ctx)
}

// open opens the target of an export.
func (s *Service) open(e *Export) (target.Target, error) {
	store, err := s.openStore(e)
	return target.Target{Store: store, Prefix: kinds[e.Source].prefix}, err
}

func (s *Service) openStore(e *Export) (blob.Store, error) {
	if !e.isBucket() {
		root, rest, err := s.folder(e.Address) // the operator may have changed the folders
		if err != nil || rest == "" {
			return blob.NewFolder(root), err
		}
		return blob.Below(blob.NewFolder(root), rest)
	}
	bucket, prefix, err := blob.ParseBucket(e.Address)
	if err != nil {
		return nil, err
	}
	credentials, err := s.unseal(e)
	if err != nil {
		return nil, err
	}
	return s.options.OpenBucket(blob.BucketOptions{Bucket: bucket, Prefix: prefix, Region: e.Region, Endpoint: e.Endpoint, Credentials: credentials})
}

// begin fixes what the run is about, before anything is written. Files that a run
// before has left without a manifest belong to this one.
func (x *execution) begin(ctx context.Context) error {
	next := x.Now
	next.State, next.Failure, next.RetryAt = Running, "", nil
	if next.Begun {
		return x.Save(next)
	}
	next.Begun = true
	ending := x.kind.last
	if x.e.Incremental {
		ending = x.kind.settled
	}
	if x.kind.hasIDs() {
		last, err := ending(ctx, x.service.options.Exports, x.e.Workspace)
		if err != nil {
			return err
		}
		next.Last = last
	}
	if x.e.Incremental {
		parts, err := x.to.Prepare(ctx, x.settings())
		if err != nil {
			return err
		}
		if err := x.adopt(ctx, &next, parts); err != nil {
			return err
		}
		next.After = max(next.Listed, target.LastID(parts))
		next.Last = max(next.Last, next.After)
	}
	next.Upto = next.After
	return x.Save(next)
}

// maxRuns is more than the number of runs that are kept.
const maxRuns = 1000

// adopt adds the files of the target that no manifest lists. A run that failed may
// have written its manifest although it did not learn of it.
func (x *execution) adopt(ctx context.Context, r *Run, parts []target.Part) error {
	r.Listed = x.e.LastLog
	rows := map[string]*int64{}
	runs, _, err := x.service.options.Store.ListRuns(x.Always, x.e.Workspace, x.e.ID, entity.Page{Limit: maxRuns})
	if err != nil {
		return err
	}
	for i := range runs {
		before := &runs[i]
		if before.State == Done {
			break
		}
		if before.ID == r.ID || !before.Begun {
			continue
		}
		_, err := x.to.Stat(ctx, manifestName(before.ID))
		if err == nil {
			r.Listed = max(r.Listed, before.Last)
			break
		}
		if !blob.Is(err, blob.Missing) {
			return err
		}
		for _, f := range before.Files {
			rows[f.Name] = f.Rows
		}
	}
	for _, part := range parts {
		if part.First > r.Listed {
			r.add(File{Name: part.Name, Rows: rows[part.Name], Bytes: part.Bytes})
		}
	}
	return nil
}

func (r *Run) add(f File) {
	r.Files = append(r.Files[:len(r.Files):len(r.Files)], f)
	r.Bytes += f.Bytes
	if f.Rows != nil {
		r.Rows += *f.Rows
	}
}

// settings returns what the target of an incremental export has.
func (x *execution) settings() []byte {
	members := map[string]string{
		"installation": x.service.options.Installation, "workspace_id": strconv.FormatInt(x.e.Workspace, 10), "export_id": strconv.FormatInt(x.e.ID, 10),
		"query": x.e.Query, "format": string(x.e.File.Format), "compression": string(x.e.File.Compression), "columns": strings.Join(x.e.File.Columns, ","),
		"keep_formulas": strconv.FormatBool(x.e.File.KeepFormulas),
	}
	if x.e.Source != Requests { // targets of request logs do not say so
		members["source"] = string(x.e.Source)
	}
	text, err := json.MarshalIndent(members, "", "  ")
	if err != nil {
		panic(err) // texts can always be encoded
	}
	return text
}

// folder returns the folder of the run in its target, which ends with a slash. Runs of
// an incremental export have none.
func (x *execution) folder() string {
	if x.e.Incremental {
		return ""
	}
	return fmt.Sprintf("run-%09d/", x.Now.ID)
}

// next writes the file of the next range of ids.
func (x *execution) next(ctx context.Context) error {
	next := x.Now
	next.Upto = min(x.Now.Upto+x.service.partIDs, x.Now.Last)
	part, err := x.read(ctx, x.service.options.Exports, x.e.Workspace, query.Range{After: x.Now.Upto, Last: next.Upto}, x.e.File)
	if err != nil {
		return err
	}
	return x.write(ctx, next, x.folder()+target.Name(x.to.Prefix, x.Now.Upto+1, next.Upto, x.e.File.Extension()), part)
}

// whole writes the file of a source without ids.
func (x *execution) whole(ctx context.Context) error {
	part, err := x.read(ctx, x.service.options.Exports, x.e.Workspace, query.Range{}, x.e.File)
	if err != nil {
		return err
	}
	return x.write(ctx, x.Now, x.folder()+string(x.e.Source)+x.e.File.Extension(), part)
}

// write writes a file and saves the progress.
func (x *execution) write(ctx context.Context, next Run, name string, part *export.Export) error {
	var result export.Result
	rows, size, err := x.to.Add(ctx, name, func(w io.Writer) (_ int64, err error) {
		result, err = part.Write(ctx, w)
		return result.Rows, err
	})
	if err != nil {
		return err
	}
	if next.Damaged += result.Damaged; rows > 0 {
		next.add(File{Name: name, Rows: &rows, Bytes: size})
	}
	next.Attempts = 0
	return x.Save(next)
}

// settle stores how the work ended: the run ends, or is left to another process or for
// another attempt.
func (x *execution) settle(ctx context.Context, err error) error {
	cause := context.Cause(ctx)
	switch {
	case err == nil:
		x.service.done.Add(1)
		return x.end(Done, "")
	case errors.Is(err, job.ErrLost) || errors.Is(cause, job.ErrLost):
		return job.ErrLost
	case errors.Is(err, job.ErrStopped) || errors.Is(cause, job.ErrStopped):
		return job.ErrStopped
	case errors.Is(cause, job.ErrCancelled):
		x.clean()
		return x.end(Cancelled, "")
	}
	x.service.options.Logger.Warn("cannot run export", "export", x.e.ID, "run", x.Now.ID, "workspace", x.e.Workspace, "error", err)
	next := x.Now
	next.Attempts++
	wait, again := x.service.options.Wait(next.Attempts)
	if permanent(err) || !again {
		x.Now = next
		x.clean()
		x.service.failed.Add(1)
		return x.end(Failed, reason(err))
	}
	next.State, next.Failure, next.RetryAt = Waiting, reason(err), new(x.service.options.Clock().Add(wait).UTC())
	return x.service.options.Store.InTx(x.Always, func(ctx context.Context) error {
		if err := x.SaveIn(ctx, next); err != nil {
			return err
		}
		return x.Task.Leave(ctx, wait)
	})
}

// permanent reports whether another attempt would fail, too.
func permanent(err error) bool {
	if errors.Is(err, target.ErrOther) || blob.Is(err, blob.Denied) || blob.Is(err, blob.NoStore) {
		return true
	}
	switch fault.KindOf(err) {
	case fault.BadRequest, fault.Invalid, fault.Conflict, fault.NotFound, fault.Forbidden:
		return true
	}
	return false
}

// reason returns why a run failed, as clients may know it.
func reason(err error) string {
	var ofTarget *blob.Error
	var known *fault.Error
	switch {
	case errors.Is(err, target.ErrOther):
		return sentence(err.Error())
	case errors.As(err, &ofTarget):
		return sentence(ofTarget.Message)
	case errors.As(err, &known) && known.Message != "":
		return known.Message
	}
	return "The data could not be read or written; see the server log"
}

// end stores the end of the run.
func (x *execution) end(state State, failure string) error {
	next := x.Now
	next.State, next.Failure, next.RetryAt, next.EndedAt = state, failure, nil, new(x.service.options.Clock())
	return x.End(next, func(ctx context.Context) error {
		if state != Done || !x.e.Incremental {
			return nil
		}
		return x.service.options.Store.SetLastLog(ctx, x.e, next.Last)
	})
}
