package repricing

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Kind is the kind of the jobs.
const Kind job.Kind = "re-pricing"

// Logs is the part of requests.Service that re-pricings use.
type Logs interface {
	Count(ctx context.Context, workspace int64, in query.Input) (int64, error)
	Usages(ctx context.Context, workspace int64, in query.Input, after, last int64, limit int) ([]query.LogUsage, error)
	Reprice(ctx context.Context, change reqlog.PriceChange) error
	LastID() int64
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs   job.Queue
	Store  Store
	Logs   Logs
	Prices *pricing.Service
	// Clock is time.Now if nil.
	Clock func() time.Time
}

// Service has the rules of re-pricings. It is safe for concurrent use.
type Service struct {
	store  Store
	logs   Logs
	prices *pricing.Service
	clock  func() time.Time
	jobs   job.Queue
	// partLogs is the number of logs that are written at once, and partIDs the
	// size of the range of ids that is reverted at once.
	partLogs int
	partIDs  int64
}

const (
	// defaultPartLogs is enough for speed, and few enough that new logs and readers
	// hardly wait for a part.
	defaultPartLogs = 20_000
	defaultPartIDs  = 50_000
)

// NewService returns a service.
func NewService(o Options) *Service {
	s := &Service{jobs: o.Jobs, store: o.Store, logs: o.Logs, prices: o.Prices, clock: o.Clock, partLogs: defaultPartLogs, partIDs: defaultPartIDs}
	if s.clock == nil {
		s.clock = time.Now
	}
	return s
}

// Input selects logs.
type Input struct {
	// Query is a JSON object with filter_group, filters and q, all of which may be
	// absent.
	Query       string
	IncludeSent bool
}

// query reads the query. The fault is BadRequest or Invalid if it is not valid.
func (in *Input) query() (query.Input, error) { return query.Read(in.Query) }

// Start starts a re-pricing. The fault is BadRequest or Invalid for an invalid
// query, Forbidden if the caller may not manage prices, and Conflict if the
// workspace has an active re-pricing.
func (s *Service) Start(ctx context.Context, workspace int64, in Input, author *string) (Repricing, error) {
	query, err := in.query()
	if err != nil {
		return Repricing{}, err
	}
	if err := access.Require(ctx, access.ManagePrices); err != nil {
		return Repricing{}, err
	}
	r := Repricing{
		Workspace: workspace, Query: in.Query, IncludeSent: in.IncludeSent, State: Running, Last: s.logs.LastID(), CreatedBy: author, CreatedAt: s.clock(),
	}
	if r.Total, err = s.logs.Count(ctx, workspace, query); err != nil {
		return Repricing{}, err
	}
	err = s.jobs.Add(ctx, job.Job{Workspace: workspace, Kind: Kind}, s.store.InTx, func(ctx context.Context) (int64, error) {
		created, err := s.store.CreateRepricing(ctx, r)
		r = created
		return created.ID, err
	})
	return r, err
}

// Get returns a re-pricing, or a NotFound fault.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Repricing, error) {
	return s.store.GetRepricing(ctx, workspace, id)
}

// List returns re-pricings, the newest first, and their number.
func (s *Service) List(ctx context.Context, workspace int64, offset, limit int) ([]Repricing, int64, error) {
	return s.store.ListRepricings(ctx, workspace, offset, limit)
}

// allowed returns a re-pricing that the caller may change. The fault is NotFound
// or Forbidden.
func (s *Service) allowed(ctx context.Context, workspace, id int64) (Repricing, error) {
	r, err := s.store.GetRepricing(ctx, workspace, id)
	if err != nil {
		return r, err
	}
	return r, access.Require(ctx, access.ManagePrices)
}

// Cancel ends a re-pricing that runs; others are left unchanged. Logs that it has
// changed keep their new prices until it is reverted. The fault is NotFound or
// Forbidden.
func (s *Service) Cancel(ctx context.Context, workspace, id int64) (Repricing, error) {
	r, err := s.allowed(ctx, workspace, id)
	if err != nil || r.State != Running {
		return r, err
	}
	return r, s.store.InTx(ctx, func(ctx context.Context) error {
		found, err := s.jobs.Cancel(ctx, workspace, Kind, id)
		if err != nil || !found { // it has ended
			return err
		}
		return s.store.NoteRepricing(ctx, r, audit.Cancel)
	})
}

// Revert starts to return the logs whose price comes from a re-pricing to the
// price that they were written with. The fault is NotFound, Forbidden, or
// Conflict if the re-pricing is active or was reverted, or if another one is
// active.
func (s *Service) Revert(ctx context.Context, workspace, id int64) (Repricing, error) {
	r, err := s.allowed(ctx, workspace, id)
	switch {
	case err != nil:
		return r, err
	case r.Active():
		return r, fault.New(fault.Conflict, "The re-pricing has not ended yet")
	case r.State == Reverted:
		return r, fault.New(fault.Conflict, "The re-pricing has already been reverted")
	}
	from := r.State
	r.State, r.EndedAt = Reverting, nil
	err = s.jobs.Add(ctx, job.Job{Workspace: workspace, Kind: Kind}, s.store.InTx, func(ctx context.Context) (int64, error) {
		return id, s.store.SaveRepricing(ctx, from, r, audit.Revert)
	})
	return r, err
}
