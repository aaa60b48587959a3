package eval

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval/compare"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
)

// Kind is the kind of the jobs that execute runs.
const Kind job.Kind = "evaluation run"

// Datasets is the part of dataset.Service that evaluations use.
type Datasets interface {
	Get(ctx context.Context, workspace, id int64) (dataset.Dataset, error)
	Version(ctx context.Context, workspace, groupID int64, number *int64) (dataset.Dataset, error)
	ReadRows(ctx context.Context, workspace, datasetID, from int64, limit int) ([][]jsontree.Value, error)
	Rows(ctx context.Context, of *dataset.Dataset, query dataset.RowQuery, use func(cells []jsontree.Value) error) (total int64, err error)
	Refresh(ctx context.Context, workspace, datasetID int64) (dataset.Dataset, error)
}

// Scope identifies what a step runs for.
type Scope struct {
	Workspace int64
	RunID     int64
	// ColumnID is 0 for the code that computes a score.
	ColumnID int64
	// Ran is called with each version of a workflow that the column runs. It is safe
	// for concurrent use, and nil for the code that computes a score.
	Ran func(workflowID, version int64)
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs     job.Queue
	Entities entity.Store
	Store    Store
	Datasets Datasets
	// Logs has the requests of runs. Without it, runs have no usage.
	Logs Logs
	// Env returns the environment of the steps of a column; the service sets
	// Values and Report.
	Env func(scope Scope) step.Env
	// Traces writes the traces of runs. Without one, there are none.
	Traces *runtrace.Writer
	// Vault seals credentials. Without one, no credential can be stored.
	Vault  *step.Vault
	Clock  func() time.Time
	Logger *slog.Logger
}

// Service stores and runs evaluations. It is safe for concurrent use.
type Service struct {
	entities entity.Store
	store    Store
	datasets Datasets
	logs     Logs
	env      func(scope Scope) step.Env
	vault    *step.Vault
	traces   *runtrace.Writer
	clock    func() time.Time
	log      *slog.Logger
	jobs     job.Queue
	// computing and waiting limit all runs together: the number of parts being
	// computed, and the number of rows with slow steps.
	computing, waiting *fair.Queue
	// scoring limits the number of concurrent score computations by code and
	// comparisons of runs.
	scoring *fair.Queue
	// agreeing limits the number of concurrent comparisons of judges with people.
	agreeing    *fair.Queue
	differences cache[pairKey, compare.Result]
	agreements  cache[agreementKey, Agreements]
}

// NewService returns a service.
func NewService(options Options) *Service {
	s := &Service{
		jobs: options.Jobs, entities: options.Entities, store: options.Store, datasets: options.Datasets, logs: options.Logs, env: options.Env, vault: options.Vault, traces: options.Traces, clock: options.Clock, log: options.Logger,
		computing: shared(runtime.GOMAXPROCS(0)), waiting: shared(maxWaiting), scoring: shared(maxScoring), agreeing: shared(maxAgreeing),
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	return s
}

const (
	// maxWaiting is the maximum number of rows of a workspace with slow steps.
	maxWaiting = 256
	// maxScoring is the maximum number of a workspace's concurrent score computations
	// by code, each of which has all rows of its run in memory.
	maxScoring = 2
	// maxAgreeing is the maximum number of a workspace's concurrent comparisons of
	// judges with people.
	maxAgreeing = 4
)

// shared returns a queue for the tasks of all workspaces, of which one can have most,
// but not the last slot.
func shared(most int) *fair.Queue { return fair.New(fair.Options{Slots: most + 1, Each: most}) }

// reportNotFound replaces a NotFound fault by one in the terms of clients.
func reportNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.NotFoundf("Report not found")
	}
	return err
}

// subject is an evaluation or a run, which share one id space.
type subject struct {
	evaluation *Evaluation
	run        *Run
}

// archived reports whether it is archived.
func (s subject) archived() bool {
	if s.run != nil {
		return s.run.ArchivedAt != nil
	}
	return s.evaluation.Entity.DeletedAt != nil
}

// find returns the evaluation or run with the id, even an archived one. The
// fault is NotFound if the workspace has neither.
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

// findLive is find without archived ones.
func (s *Service) findLive(ctx context.Context, workspace, id int64) (subject, error) {
	found, err := s.find(ctx, workspace, id)
	if err == nil && found.archived() {
		err = fault.NotFoundf("Report not found")
	}
	return found, err
}
