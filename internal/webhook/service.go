package webhook

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/secret"
)

// Message is what a target receives.
type Message struct {
	URL    string
	Header map[string]string
	Body   []byte
}

// Sender makes one attempt to deliver a message. Failures of the target are part of
// the attempt.
type Sender interface {
	Send(ctx context.Context, m Message) Attempt
}

// Options configure a Service.
type Options struct {
	// Jobs accepts the background work of the service, which is its worker.
	Jobs  job.Queue
	Store Store
	Box   *secret.Box
	// CheckURL returns an error if an address cannot be a target.
	CheckURL func(url string) error
	Sender   Sender
	// Clock is time.Now if nil.
	Clock func() time.Time
	// Wait returns the time until the next attempt after a number of failures, and
	// whether there is one. The default is Backoff.
	Wait func(failures int64) (time.Duration, bool)
}

// Service has the rules of webhooks. It is safe for concurrent use.
type Service struct {
	options Options
	// accepted, failed and buried count attempts of this process, and the deliveries
	// that it gave up.
	accepted, failed, buried atomic.Int64
}

// NewService returns a service. It is the worker for jobs of its kind.
func NewService(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Wait == nil {
		o.Wait = Backoff
	}
	return &Service{options: o}
}

// Stats are counters of this process.
type Stats struct{ Accepted, Failed, Dead int64 }

// Stats returns what this process has delivered.
func (s *Service) Stats() Stats {
	return Stats{Accepted: s.accepted.Load(), Failed: s.failed.Load(), Dead: s.buried.Load()}
}

// require returns a Forbidden fault unless the caller may manage webhooks. Their
// addresses may contain credentials, so reading them needs it, too.
func require(ctx context.Context) error { return access.Require(ctx, access.ManageWebhooks) }

// Create adds a webhook and returns it with its secret, which is never returned
// again. The fault is Invalid if the content is, Forbidden, or BadRequest if the
// workspace has too many.
func (s *Service) Create(ctx context.Context, workspace int64, content Content, author *string) (Webhook, string, error) {
	content.Name = strings.TrimSpace(content.Name)
	if err := s.check(&content); err != nil {
		return Webhook{}, "", err
	}
	if err := require(ctx); err != nil {
		return Webhook{}, "", err
	}
	key := newSecret()
	created, err := s.options.Store.CreateWebhook(ctx, Webhook{Workspace: workspace, Content: content, CreatedBy: author}, func(id int64) []byte {
		return s.seal(workspace, id, key)
	})
	return created, key, err
}

func place(workspace, id int64) secret.Place {
	return secret.Place{Scope: "webhook", Workspace: workspace, Owner: id, Name: "secret"}
}

func (s *Service) seal(workspace, id int64, key string) []byte {
	return s.options.Box.Seal([]byte(key), place(workspace, id))
}

func (s *Service) open(w *Webhook) (string, error) {
	key, err := s.options.Box.Open(w.Sealed, place(w.Workspace, w.ID))
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "the secret of the webhook cannot be opened: it was stored with a different secret key, "+
			"or is damaged; rotate it")
	}
	return string(key), nil
}

// allowed returns a webhook that the caller may use. The fault is NotFound or
// Forbidden.
func (s *Service) allowed(ctx context.Context, workspace, id int64) (Webhook, error) {
	found, err := s.options.Store.GetWebhook(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	return found, require(ctx)
}

// Get returns a webhook. The fault is NotFound or Forbidden.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Webhook, error) {
	return s.allowed(ctx, workspace, id)
}

// List returns the webhooks of a workspace, the oldest first, or a Forbidden fault.
func (s *Service) List(ctx context.Context, workspace int64) ([]Webhook, error) {
	if err := require(ctx); err != nil {
		return nil, err
	}
	return s.options.Store.ListWebhooks(ctx, workspace)
}

// Update lets change modify the content of a webhook. The fault is NotFound,
// Forbidden, or Invalid if the result is.
func (s *Service) Update(ctx context.Context, workspace, id int64, change func(*Content)) (Webhook, error) {
	found, err := s.allowed(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	content := found.Content
	change(&content)
	content.Name = strings.TrimSpace(content.Name)
	if err := s.check(&content); err != nil {
		return found, err
	}
	return s.options.Store.UpdateWebhook(ctx, workspace, id, content)
}

// Rotate gives a webhook a new secret and returns it. Deliveries are signed with it
// from now on. The fault is NotFound or Forbidden.
func (s *Service) Rotate(ctx context.Context, workspace, id int64) (Webhook, string, error) {
	if _, err := s.allowed(ctx, workspace, id); err != nil {
		return Webhook{}, "", err
	}
	key := newSecret()
	changed, err := s.options.Store.SetWebhookSecret(ctx, workspace, id, s.seal(workspace, id, key))
	return changed, key, err
}

// Delete deletes a webhook and its deliveries. The fault is NotFound or Forbidden.
func (s *Service) Delete(ctx context.Context, workspace, id int64) error {
	if _, err := s.allowed(ctx, workspace, id); err != nil {
		return err
	}
	return s.options.Store.DeleteWebhook(ctx, workspace, id)
}

// Test sends a test event to a webhook. The fault is NotFound, Forbidden, or Conflict
// if it is disabled.
func (s *Service) Test(ctx context.Context, workspace, id int64) (Delivery, error) {
	found, err := s.allowed(ctx, workspace, id)
	if err != nil {
		return Delivery{}, err
	}
	if err := enabled(&found); err != nil {
		return Delivery{}, err
	}
	defer s.options.Jobs.Wake()
	return s.options.Store.AddDelivery(ctx, found, Test, Details{"webhook_id": found.ID, "webhook_name": found.Name})
}

func enabled(w *Webhook) error {
	if w.Enabled {
		return nil
	}
	return fault.Conflictf("The webhook is disabled")
}

// Deliveries returns a page of deliveries without their payloads, and their number.
// The fault is Forbidden, or NotFound for an unknown webhook.
func (s *Service) Deliveries(ctx context.Context, workspace int64, query DeliveryQuery) ([]Delivery, int64, error) {
	var err error
	if query.Webhook != 0 {
		_, err = s.options.Store.GetWebhook(ctx, workspace, query.Webhook)
	}
	if err == nil {
		err = require(ctx)
	}
	if err != nil {
		return nil, 0, err
	}
	return s.options.Store.ListDeliveries(ctx, workspace, query)
}

// Delivery returns a delivery with its payload. The fault is NotFound or Forbidden.
func (s *Service) Delivery(ctx context.Context, workspace, id int64) (Delivery, error) {
	found, err := s.options.Store.GetDelivery(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	return found, require(ctx)
}

// Redeliver sends a delivery again, with the same event id. The fault is NotFound,
// Forbidden, or Conflict if the webhook is disabled.
func (s *Service) Redeliver(ctx context.Context, workspace, id int64) (Delivery, error) {
	found, err := s.Delivery(ctx, workspace, id)
	if err != nil {
		return found, err
	}
	target, err := s.options.Store.GetWebhook(ctx, workspace, found.Webhook)
	if err != nil {
		return found, err
	}
	if err := enabled(&target); err != nil {
		return found, err
	}
	defer s.options.Jobs.Wake()
	return s.options.Store.Redeliver(ctx, workspace, id)
}
