package eval

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Kind is the kind of jobs that runs are.
const Kind job.Kind = "evaluation run"

// Datasets is what evaluations need of datasets; the promises are those of
// dataset.Service.
type Datasets interface {
	Get(ctx context.Context, workspace, id int64) (dataset.Dataset, error)
	Version(ctx context.Context, workspace, groupID int64, number *int64) (dataset.Dataset, error)
	ReadRows(ctx context.Context, workspace, datasetID, from int64, limit int) ([][]jsontree.Value, error)
	Rows(ctx context.Context, of *dataset.Dataset, query dataset.RowQuery, use func(cells []jsontree.Value) error) (total int64, err error)
	Refresh(ctx context.Context, workspace, datasetID int64) (dataset.Dataset, error)
}

// Scope is what the steps of a column work within.
type Scope struct {
	Workspace int64
	RunID     int64
	// ColumnID is 0 for the code that computes a score.
	ColumnID int64
}

// Options are what the service is given.
type Options struct {
	Entities entity.Store
	Store    Store
	Datasets Datasets
	// Env returns what the steps of a column work with; Values and Report are
	// set by the service.
	Env    func(scope Scope) step.Env
	Clock  func() time.Time
	Logger *slog.Logger
}

// Service keeps evaluations and runs them. It is safe for concurrent use.
type Service struct {
	entities entity.Store
	store    Store
	datasets Datasets
	env      func(scope Scope) step.Env
	clock    func() time.Time
	log      *slog.Logger
	jobs     *job.Runner
	// computing and waiting bound what all runs do at once: how many parts are
	// computed, and how many rows have steps that take their time.
	computing, waiting slots
	// scoring bounds how many scores are computed by code, and runs compared,
	// at once.
	scoring     slots
	differences differenceCache
}

// NewService returns a service. Jobs must be set before anything is started.
func NewService(options Options) *Service {
	s := &Service{
		entities: options.Entities, store: options.Store, datasets: options.Datasets, env: options.Env, clock: options.Clock, log: options.Logger,
		computing: make(slots, runtime.GOMAXPROCS(0)), waiting: make(slots, maxWaiting), scoring: make(slots, maxScoring),
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

// UseJobs says who does the work in the background; the service is the worker
// for jobs of its kind.
func (s *Service) UseJobs(jobs *job.Runner) { s.jobs = jobs }

const (
	// maxWaiting bounds how many rows of all runs have steps under way that
	// take their time.
	maxWaiting = 256
	// maxScoring bounds how many scores are computed by code at once, because
	// each has all rows of its run in memory.
	maxScoring = 2
)

// slots bounds how much is done at once.
type slots chan struct{}

// take waits for a slot, unless ctx ends.
func (s slots) take(ctx context.Context) error {
	select {
	case s <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s slots) free() { <-s }

// reportNotFound says what is missing to people who know nothing of entities.
func reportNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.NotFoundf("Report not found")
	}
	return err
}

// subject is an evaluation or a run, which share their ids.
type subject struct {
	evaluation *Evaluation
	run        *Run
}

// archived reports whether it was deleted.
func (s subject) archived() bool {
	if s.run != nil {
		return s.run.ArchivedAt != nil
	}
	return s.evaluation.Entity.DeletedAt != nil
}

// find returns the evaluation or run with the id, also one that was deleted;
// the fault is NotFound when the workspace has neither.
func (s *Service) find(ctx context.Context, workspace, id int64) (subject, error) {
	evaluation, err := s.store.GetReport(ctx, workspace, id)
	if err == nil {
		return subject{evaluation: &evaluation}, nil
	}
	if !fault.Is(err, fault.NotFound) {
		return subject{}, err
	}
	run, err := s.store.GetReportRun(ctx, workspace, id)
	if err != nil {
		return subject{}, reportNotFound(err)
	}
	return subject{run: &run}, nil
}

// findLive is find for what was not deleted.
func (s *Service) findLive(ctx context.Context, workspace, id int64) (subject, error) {
	found, err := s.find(ctx, workspace, id)
	if err == nil && found.archived() {
		err = fault.NotFoundf("Report not found")
	}
	return found, err
}
