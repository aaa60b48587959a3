// Package webhooks keeps webhooks, and writes the events of changes for them in the
// transactions of the changes.
package webhooks

import (
	"context"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/webhook"
)

// Store keeps webhooks as webhook.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of webhooks of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ webhook.Store = (*Store)(nil)

// maxWebhooks limits the webhooks of a workspace: a change writes a delivery for each.
const maxWebhooks = 50

func fields(w *webhook.Webhook) engine.Fields {
	return engine.Fields{
		"id", &w.ID, "workspace_id", &w.Workspace, "name", &w.Name, "url", &w.URL, "format", engine.Text(&w.Format), "events", engine.List(&w.Events),
		"score_below", engine.Number(&w.ScoreBelow), "enabled", &w.Enabled, "secret", &w.Sealed, "created_by", &w.CreatedBy,
		"created_at", &w.CreatedAt, "updated_at", &w.UpdatedAt,
	}
}

var (
	webhooks = engine.NewRecord(table.Webhook, fields)
	create   = webhooks.Insert("id")
	change   = webhooks.Set(engine.InWorkspace, "name", "url", "format", "events", "score_below", "enabled", "updated_at")

	// counted has the numbers of deliveries, too.
	counted = engine.NewView("webhook", func(w *webhook.Webhook) engine.Fields {
		return append(fields(w),
			"(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'pending')", &w.Pending,
			"(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'dead')", &w.Dead)
	})
)

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// CreateWebhook stores a webhook.
func (s *Store) CreateWebhook(ctx context.Context, w webhook.Webhook, seal func(id int64) []byte) (webhook.Webhook, error) {
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (webhook.Webhook, error) {
		if err := webhooks.CheckRoom(ctx, s.db, w.Workspace, maxWebhooks, "webhooks"); err != nil {
			return w, err
		}
		added := w
		added.Sealed, added.CreatedAt = []byte{}, s.db.Now()
		added.UpdatedAt = added.CreatedAt
		created, err := create.One(ctx, s.db, &added)
		if err != nil {
			return w, engine.Missing(err, "Workspace %d not found", w.Workspace)
		}
		created, err = s.setSecret(ctx, w.Workspace, created.ID, seal(created.ID))
		if err != nil {
			return w, err
		}
		return created, s.note(ctx, audit.Create, &created)
	})
	return engine.Wrap(created, err, "create webhook")
}

func (s *Store) setSecret(ctx context.Context, workspaceID, id int64, sealed []byte) (webhook.Webhook, error) {
	return webhooks.Update(ctx, s.db, "SET secret = $3, updated_at = $4\n"+engine.InWorkspace, workspaceID, id, sealed, s.db.Now())
}

// note adds an audit entry. It leaves out the address, which may be a credential.
func (s *Store) note(ctx context.Context, action audit.Action, w *webhook.Webhook) error {
	subject := audit.Subject{Kind: audit.SubjectWebhook, ID: w.ID, Name: w.Name}
	return engine.Note(ctx, s.db, &w.Workspace, action, subject, engine.Detail{"events": w.Events, "format": w.Format, "enabled": w.Enabled})
}

func notFound(err error, id int64) error { return engine.NotFound(err, "Webhook %d not found", id) }

// GetWebhook returns a webhook by its id.
func (s *Store) GetWebhook(ctx context.Context, workspaceID, id int64) (webhook.Webhook, error) {
	found, err := counted.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found, notFound(err, id), "get webhook")
}

// ListWebhooks lists the webhooks of a workspace.
func (s *Store) ListWebhooks(ctx context.Context, workspaceID int64) ([]webhook.Webhook, error) {
	all, err := counted.All(ctx, s.db, `WHERE workspace_id = $1
ORDER BY id`, workspaceID)
	return engine.Wrap(all, err, "list webhooks")
}

// UpdateWebhook replaces the content of a webhook.
func (s *Store) UpdateWebhook(ctx context.Context, workspaceID, id int64, c webhook.Content) (webhook.Webhook, error) {
	return s.change(ctx, workspaceID, id, "update webhook", audit.Change, func(ctx context.Context) (webhook.Webhook, error) {
		changed, err := change.One(ctx, s.db, &webhook.Webhook{Content: c, UpdatedAt: s.db.Now()}, workspaceID, id)
		if err != nil || !c.Enabled {
			return changed, err
		}
		if _, pending, err := s.NextDelivery(ctx, id); err != nil || !pending {
			return changed, err
		}
		return changed, s.ensureJob(ctx, workspaceID, id)
	})
}

// SetWebhookSecret replaces the secret of a webhook.
func (s *Store) SetWebhookSecret(ctx context.Context, workspaceID, id int64, sealed []byte) (webhook.Webhook, error) {
	return s.change(ctx, workspaceID, id, "rotate the secret of a webhook", audit.Rotate, func(ctx context.Context) (webhook.Webhook, error) {
		return s.setSecret(ctx, workspaceID, id, sealed)
	})
}

// change runs a change of one webhook, and returns it with its numbers.
func (s *Store) change(
	ctx context.Context, workspaceID, id int64, what string, action audit.Action, do func(ctx context.Context) (webhook.Webhook, error),
) (webhook.Webhook, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (webhook.Webhook, error) {
		changed, err := do(ctx)
		if err != nil {
			return changed, err
		}
		if err := s.note(ctx, action, &changed); err != nil {
			return changed, err
		}
		return s.GetWebhook(ctx, workspaceID, id)
	})
	return engine.Wrap(changed, notFound(err, id), what)
}

// DeleteWebhook deletes a webhook and its deliveries.
func (s *Store) DeleteWebhook(ctx context.Context, workspaceID, id int64) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		deleted, err := webhooks.Delete(ctx, s.db, engine.InWorkspace, workspaceID, id)
		if err != nil {
			return err
		}
		return s.note(ctx, audit.Delete, &deleted)
	})
	return engine.WrapError(notFound(err, id), "delete webhook")
}
