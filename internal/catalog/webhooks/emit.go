package webhooks

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/webhook"
)

// Event is what a change tells webhooks.
type Event struct {
	Type webhook.EventType
	// Score is the score of an evaluation, nil without one.
	Score *float64
	// Details returns what is sent. It is called only if a webhook wants the event.
	Details func(ctx context.Context) (webhook.Details, error)
}

// Emit writes a delivery for each webhook of the workspace that wants the event, in
// the current transaction.
func Emit(ctx context.Context, db *engine.DB, workspaceID int64, events ...Event) error {
	return engine.BeforeCommit(ctx, db, func(ctx context.Context) error {
		targets, err := webhooks.All(ctx, db, `WHERE workspace_id = $1
AND enabled = 1
ORDER BY id`, workspaceID)
		if err != nil || len(targets) == 0 {
			return err
		}
		for i := range events {
			if err := New(db).send(ctx, targets, &events[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// send writes a delivery of an event for each webhook that wants it.
func (s *Store) send(ctx context.Context, targets []webhook.Webhook, e *Event) error {
	var made *envelope
	for i := range targets {
		target := &targets[i]
		if !target.Wants(e.Type, e.Score) {
			continue
		}
		if made == nil {
			details, err := e.Details(ctx)
			if err != nil {
				return err
			}
			made = s.envelope(ctx, target.Workspace, e.Type, details)
		}
		if _, err := s.insertDelivery(ctx, target, made); err != nil {
			return err
		}
	}
	return nil
}

// envelope is an event in the form in which it is sent.
type envelope struct {
	id      string
	event   webhook.EventType
	payload string
}

func (s *Store) envelope(ctx context.Context, workspaceID int64, event webhook.EventType, details webhook.Details) *envelope {
	caller := access.CallerOf(ctx)
	by := webhook.Actor{UserID: caller.UserID, Name: caller.Name, Email: caller.Email}
	id := webhook.NewEventID()
	return &envelope{id, event, webhook.Envelope(id, event, workspaceID, details, by, s.db.Now())}
}

// insertDelivery stores a delivery that is due, and the job that sends it.
func (s *Store) insertDelivery(ctx context.Context, target *webhook.Webhook, e *envelope) (webhook.Delivery, error) {
	added, err := addDelivery.One(ctx, s.db, &row{Delivery: webhook.Delivery{
		Workspace: target.Workspace, Webhook: target.ID, EventID: e.id, Event: e.event, Payload: e.payload, State: webhook.Pending, CreatedAt: s.db.Now(),
	}})
	if err != nil {
		return added.Delivery, err
	}
	return added.Delivery, s.ensureJob(ctx, target.Workspace, target.ID)
}

// ensureJob makes a process look at the deliveries of a webhook soon.
func (s *Store) ensureJob(ctx context.Context, workspaceID, id int64) error {
	return engine.EnsureJob(ctx, s.db, workspaceID, string(webhook.Kind), id)
}
