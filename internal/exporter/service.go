package exporter

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/secret"
)

// Kind is the kind of the jobs, whose subject is a run.
const Kind job.Kind = "export"

const (
	// maxRunning is the number of runs of one workspace that a process works on at
	// the same time. One slot is always left for other workspaces, because runs can
	// take hours.
	maxRunning = 2
	// defaultPartIDs is the number of ids that a file covers at most. A run that was
	// interrupted continues after its last file.
	defaultPartIDs = 250_000
)

// Exports is the part of export.Service that runs use.
type Exports interface {
	LogPart(workspace int64, in query.Input, ids query.Range, file export.File) (*export.Export, error)
	TracePart(workspace int64, in query.Input, file export.File) (*export.Export, error)
	DatasetPart(ctx context.Context, workspace, id int64, file export.File) (*export.Export, error)
	LatestDatasetPart(ctx context.Context, workspace, group int64, file export.File) (*export.Export, error)
	EvaluationPart(ctx context.Context, workspace, id int64, file export.File) (*export.Export, error)
	AuditPart(workspace int64, query audit.Query, ids query.Range, file export.File) (*export.Export, error)
	LastID() int64
	LastEntry(ctx context.Context, workspace int64) (int64, error)
	SettledID(ctx context.Context) (int64, error)
	SettledEntry(ctx context.Context, workspace int64) (int64, error)
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs    job.Queue
	Store   Store
	Exports Exports
	Box     *secret.Box
	// Folders are the folders that exports may be written to, and to folders in them.
	// They are absolute and clean paths.
	Folders []string
	// CheckURL returns an error if an address cannot be the endpoint of a bucket.
	CheckURL func(url string) error
	// OpenBucket opens a bucket.
	OpenBucket func(o blob.BucketOptions) (blob.Store, error)
	// Installation identifies the installation in targets.
	Installation string
	// Clock is time.Now if nil.
	Clock  func() time.Time
	Logger *slog.Logger
	// Wait returns the time until the next attempt after a number of failures, and
	// whether there is one. The default is Backoff.
	Wait func(failures int64) (time.Duration, bool)
}

// Service has the rules of saved exports. It is safe for concurrent use.
type Service struct {
	options Options
	turns   *fair.Queue
	partIDs int64
	// done and failed count the runs that this process ended.
	done, failed atomic.Int64
}

// NewService returns a service. It is the worker for jobs of its kind.
func NewService(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Wait == nil {
		o.Wait = Backoff
	}
	return &Service{options: o, turns: fair.New(fair.Options{Slots: maxRunning + 1, Each: maxRunning}), partIDs: defaultPartIDs}
}

// waits are the times between attempts.
var waits = []time.Duration{10 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, 30 * time.Minute}

// Backoff returns the time until the next attempt after a number of failures, and
// whether there is one.
func Backoff(failures int64) (time.Duration, bool) {
	if failures > int64(len(waits)) {
		return 0, false
	}
	return waits[failures-1], true
}

// Queue returns the queue of the runs.
func (s *Service) Queue() *fair.Queue { return s.turns }

// Stats are counters of this process.
type Stats struct{ Done, Failed int64 }

// Stats returns what this process has done.
func (s *Service) Stats() Stats { return Stats{Done: s.done.Load(), Failed: s.failed.Load()} }

// Folders returns the folders that exports may be written to.
func (s *Service) Folders() []string { return s.options.Folders }

// require returns a Forbidden fault unless the caller may manage saved exports.
// Reading them needs it, too: they tell where data goes.
func require(ctx context.Context) error { return access.Require(ctx, access.ManageData) }

// requireFor is require for anyone who decides what is exported, and where to.
func requireFor(ctx context.Context, source Source) error {
	return access.Require(ctx, append([]access.Permission{access.ManageData}, kinds[source].needs...)...)
}

// Create adds an export. One that runs once is started. The fault is Invalid or
// BadRequest if the content is not valid or the workspace has too many, NotFound if it
// does not have what is exported, Forbidden, or Conflict if the name is taken or the
// server has no incremental exports.
func (s *Service) Create(ctx context.Context, workspace int64, content Content, credentials *blob.Credentials, author *string) (Export, error) {
	if err := s.check(&content); err != nil {
		return Export{}, err
	}
	if err := checkCredentials(&content.Target, credentials, false); err != nil {
		return Export{}, err
	}
	if err := requireFor(ctx, content.Source); err != nil {
		return Export{}, err
	}
	if err := s.checkSource(ctx, workspace, &content); err != nil {
		return Export{}, err
	}
	e := Export{Workspace: workspace, Content: content, CreatedBy: author}
	if content.Enabled {
		e.NextAt = content.next(s.options.Clock())
	}
	created, err := s.options.Store.CreateExport(ctx, e, func(id int64) []byte { return s.seal(workspace, id, credentials) })
	if err != nil || content.Every != Once || !content.Enabled {
		return created, err
	}
	run, err := s.start(ctx, created, Run{CreatedBy: author})
	created.LastRun = &run
	return created, err
}

// Get returns an export. The fault is NotFound or Forbidden.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Export, error) {
	found, err := s.options.Store.GetExport(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	return found, require(ctx)
}

// managed is Get for anyone who changes or starts the export.
func (s *Service) managed(ctx context.Context, workspace, id int64) (Export, error) {
	found, err := s.Get(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	return found, requireFor(ctx, found.Source)
}

// List returns the exports of a workspace by name.
func (s *Service) List(ctx context.Context, workspace int64) ([]Export, error) {
	if err := require(ctx); err != nil {
		return nil, err
	}
	return s.options.Store.ListExports(ctx, workspace)
}

// Update lets change modify the content of an export, and replaces its credentials
// unless they are nil. The faults are those of Create, NotFound, and Conflict if a run
// is active and more changes than the name and the schedule.
func (s *Service) Update(ctx context.Context, workspace, id int64, change func(*Content), credentials *blob.Credentials) (Export, error) {
	found, err := s.managed(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	before := found.Content
	change(&found.Content)
	if err := s.check(&found.Content); err != nil {
		return found, err
	}
	if !before.sameFiles(&found.Content) {
		if err := requireFor(ctx, found.Source); err != nil {
			return found, err
		}
		if err := s.checkSource(ctx, workspace, &found.Content); err != nil {
			return found, err
		}
	}
	keeps := len(found.Sealed) > 0 && before.sameService(&found.Target)
	if err := checkCredentials(&found.Target, credentials, keeps); err != nil {
		return found, err
	}
	if credentials != nil || !keeps {
		found.Sealed = s.seal(workspace, id, credentials)
	}
	if err := found.changed(&before); err != nil {
		return found, err
	}
	now := s.options.Clock()
	switch {
	case !found.Enabled:
		found.NextAt = nil
	case !before.Enabled || before.Schedule != found.Schedule:
		found.NextAt = found.next(now)
	}
	return s.options.Store.UpdateExport(ctx, found, before.sameFiles(&found.Content) && credentials == nil)
}

// changed checks a change of the content. A new target has no request logs yet. The
// fault is Conflict if an incremental export would write other files to its target.
func (e *Export) changed(before *Content) error {
	switch {
	case e.sameFiles(before):
		return nil
	case e.Target != before.Target || !before.Incremental:
		e.LastLog = 0
		return nil
	case e.Incremental && e.LastLog > 0:
		return fault.Conflictf("The target has files with the old options: choose another folder or prefix, or create another export")
	}
	return nil
}

// Delete deletes an export with its history. What it has written stays. The fault is
// NotFound, Forbidden, or Conflict while it runs.
func (s *Service) Delete(ctx context.Context, workspace, id int64) error {
	found, err := s.managed(ctx, workspace, id)
	if err != nil {
		return err
	}
	return s.options.Store.DeleteExport(ctx, found)
}

// Start runs an export now. The fault is NotFound, Forbidden, or Conflict if it runs
// already.
func (s *Service) Start(ctx context.Context, workspace, id int64, author *string) (Run, error) {
	found, err := s.managed(ctx, workspace, id)
	if err != nil {
		return Run{}, err
	}
	return s.start(ctx, found, Run{CreatedBy: author})
}

// start stores a run with its job.
func (s *Service) start(ctx context.Context, e Export, r Run) (Run, error) {
	return s.startAnd(ctx, e, r, func(context.Context) error { return nil })
}

// startAnd is start, and does more in the same transaction first.
func (s *Service) startAnd(ctx context.Context, e Export, r Run, more func(ctx context.Context) error) (Run, error) {
	r.Export, r.Workspace, r.State, r.CreatedAt = e.ID, e.Workspace, Waiting, s.options.Clock()
	err := s.options.Jobs.Add(ctx, job.Job{Workspace: e.Workspace, Kind: Kind}, s.options.Store.InTx, func(ctx context.Context) (int64, error) {
		if err := more(ctx); err != nil {
			return 0, err
		}
		var err error
		r, err = s.options.Store.CreateRun(ctx, e, r)
		return r.ID, err
	})
	return r, err
}

// Cancel ends the run of an export; has no effect if none is active. Of a run that is
// not incremental, no files stay.
func (s *Service) Cancel(ctx context.Context, workspace, id int64) (Export, error) {
	found, err := s.managed(ctx, workspace, id)
	if err != nil || found.LastRun == nil || !found.LastRun.Active() {
		return found, err
	}
	return found, s.options.Store.InTx(ctx, func(ctx context.Context) error {
		exists, err := s.options.Jobs.Cancel(ctx, workspace, Kind, found.LastRun.ID)
		if err != nil || !exists { // it has ended
			return err
		}
		return s.options.Store.NoteRun(ctx, found, *found.LastRun, audit.Cancel)
	})
}

// Runs returns a page of the runs of an export, the newest first, and their number.
// The fault is NotFound or Forbidden.
func (s *Service) Runs(ctx context.Context, workspace, id int64, page entity.Page) ([]Run, int64, error) {
	if _, err := s.Get(ctx, workspace, id); err != nil {
		return nil, 0, err
	}
	return s.options.Store.ListRuns(ctx, workspace, id, page)
}

const (
	// lookEvery is the time between two looks for exports that are due, and dueAtOnce
	// how many are started at once.
	lookEvery = 10 * time.Second
	dueAtOnce = 100
)

// Follow starts the exports of all workspaces that are due, until the context ends.
// Several servers may do so: one of them starts each.
func (s *Service) Follow(ctx context.Context) {
	for {
		if err := s.FollowDue(ctx); err != nil && ctx.Err() == nil {
			s.options.Logger.Error("cannot start due exports; will retry", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(lookEvery):
		}
	}
}

// FollowDue starts the exports that are due.
func (s *Service) FollowDue(ctx context.Context) error {
	now := s.options.Clock()
	due, err := s.options.Store.DueExports(ctx, now, dueAtOnce)
	if err != nil {
		return err
	}
	for i := range due {
		err = errors.Join(err, s.follow(ctx, due[i], now))
	}
	return err
}

// errNotOurs means that another server has started the export.
var errNotOurs = errors.New("another server has started the export")

// follow starts an export that is due. One that still runs is not started again.
func (s *Service) follow(ctx context.Context, e Export, now time.Time) error {
	next := e.next(now)
	advance := func(ctx context.Context) error {
		ours, err := s.options.Store.AdvanceExport(ctx, e, next)
		if err == nil && !ours {
			return errNotOurs
		}
		return err
	}
	_, err := s.startAnd(ctx, e, Run{Scheduled: true}, advance)
	if fault.Is(err, fault.Conflict) {
		err = s.options.Store.InTx(ctx, advance)
	}
	if errors.Is(err, errNotOurs) {
		return nil
	}
	return err
}

var _ job.Worker = (*Service)(nil)
