package alert

import (
	"context"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/job"
)

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs  job.Queue
	Store Store
	Logs  Logs
	// Clock is time.Now if nil.
	Clock  func() time.Time
	Logger *slog.Logger
}

// Service has the rules of alerts. It is safe for concurrent use.
type Service struct {
	options Options
	// turns limits the evaluations at the same time: many are due at once when a
	// server starts, and must not delay what people search.
	turns *fair.Queue
	// evaluated, failed and told count evaluations of this process, those that
	// failed, and those that led to a message.
	evaluated, failed, told atomic.Int64
}

// NewService returns a service. It is the worker for jobs of its kind.
func NewService(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return &Service{options: o, turns: fair.New(fair.Options{Slots: maxEvaluations + 1, Each: maxEvaluations, Waiting: maxWaiting})}
}

// Stats are counters of this process.
type Stats struct{ Evaluated, Failed, Told int64 }

// Stats returns what this process has done.
func (s *Service) Stats() Stats {
	return Stats{Evaluated: s.evaluated.Load(), Failed: s.failed.Load(), Told: s.told.Load()}
}

// require returns a Forbidden fault unless the caller may change alerts. Everyone may
// read them, like the request logs that they are about.
func require(ctx context.Context) error { return access.Require(ctx, access.ManageAlerts) }

// Create adds an alert. The fault is Invalid or BadRequest if the content is not
// valid or the workspace has too many, Forbidden, or Conflict if the name is taken.
func (s *Service) Create(ctx context.Context, workspace int64, content Content, author *string) (Alert, error) {
	content.Name = strings.TrimSpace(content.Name)
	if err := content.check(); err != nil {
		return Alert{}, err
	}
	if err := require(ctx); err != nil {
		return Alert{}, err
	}
	defer s.options.Jobs.Wake()
	return s.options.Store.CreateAlert(ctx, Alert{Workspace: workspace, Content: content, CreatedBy: author})
}

// Get returns an alert. The fault is NotFound.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Alert, error) {
	return s.options.Store.GetAlert(ctx, workspace, id)
}

// List returns the alerts of a workspace by name.
func (s *Service) List(ctx context.Context, workspace int64) ([]Alert, error) {
	return s.options.Store.ListAlerts(ctx, workspace)
}

// Update lets change modify the content of an alert. The fault is NotFound,
// Forbidden, Conflict if the name is taken, or Invalid or BadRequest if the result is
// not valid.
func (s *Service) Update(ctx context.Context, workspace, id int64, change func(*Content)) (Alert, error) {
	found, err := s.changeable(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	content := found.Content
	change(&content)
	content.Name = strings.TrimSpace(content.Name)
	if err := content.check(); err != nil {
		return found, err
	}
	defer s.options.Jobs.Wake()
	return s.options.Store.UpdateAlert(ctx, workspace, id, content)
}

// changeable returns an alert that the caller may change.
func (s *Service) changeable(ctx context.Context, workspace, id int64) (Alert, error) {
	found, err := s.options.Store.GetAlert(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	return found, require(ctx)
}

// Delete deletes an alert and its history. The fault is NotFound or Forbidden.
func (s *Service) Delete(ctx context.Context, workspace, id int64) error {
	if _, err := s.changeable(ctx, workspace, id); err != nil {
		return err
	}
	return s.options.Store.DeleteAlert(ctx, workspace, id)
}

// History returns a page of the changes of an alert, the newest first, and their
// number. The fault is NotFound.
func (s *Service) History(ctx context.Context, workspace, id int64, page entity.Page) ([]Change, int64, error) {
	if _, err := s.options.Store.GetAlert(ctx, workspace, id); err != nil {
		return nil, 0, err
	}
	return s.options.Store.ListChanges(ctx, workspace, id, page)
}

// Judged is a reading with its state.
type Judged struct {
	Reading
	State State
	Level int64
}

// Preview returns what an alert would find now, and in the windows before, the newest
// first. The fault is Invalid or BadRequest if the content is not valid.
func (s *Service) Preview(ctx context.Context, workspace int64, content Content, windows int) ([]Judged, error) {
	if content.Name == "" {
		content.Name = "preview"
	}
	if err := content.check(); err != nil {
		return nil, err
	}
	now := s.options.Clock()
	found := make([]Judged, 0, windows)
	for before := range windows {
		r, err := s.read(ctx, workspace, &content, now, before)
		if err != nil {
			return nil, err
		}
		state, level := content.judge(&r)
		found = append(found, Judged{Reading: r, State: state, Level: level})
	}
	return found, nil
}
