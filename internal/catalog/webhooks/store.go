// Package webhooks keeps webhooks, and writes the events of changes for them in the
// transactions of the changes.
package webhooks

import (
	"context"
	"strconv"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/webhook"
)

// Store keeps webhooks as webhook.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of webhooks of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ webhook.Store = (*Store)(nil)

// maxWebhooks limits the webhooks of a workspace: a change writes a delivery for each.
const maxWebhooks = 50

const webhookColumns = `id, workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at`

// counts are the numbers of deliveries of a webhook.
const counts = `,
(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'pending'),
(SELECT COUNT(*) FROM webhook_delivery WHERE webhook_id = webhook.id AND state = 'dead')`

func scanWebhook(r engine.Row) (webhook.Webhook, error) { return scanCounted(r) }

// scanCounted scans webhookColumns and more.
func scanCounted(r engine.Row, more ...any) (webhook.Webhook, error) {
	var w webhook.Webhook
	var limit string
	err := r.Scan(append([]any{&w.ID, &w.Workspace, &w.Name, &w.URL, &w.Format, engine.List(&w.Events), engine.NullText(&limit), &w.Enabled, &w.Sealed,
		&w.CreatedBy, engine.Time(&w.CreatedAt), engine.Time(&w.UpdatedAt)}, more...)...)
	if err == nil && limit != "" {
		w.ScoreBelow = new(float64)
		*w.ScoreBelow, err = strconv.ParseFloat(limit, 64)
	}
	return w, err
}

func scanWithCounts(r engine.Row) (webhook.Webhook, error) {
	var pending, dead int64
	w, err := scanCounted(r, &pending, &dead)
	w.Pending, w.Dead = pending, dead
	return w, err
}

func limitText(limit *float64) *string {
	if limit == nil {
		return nil
	}
	return new(strconv.FormatFloat(*limit, 'g', -1, 64))
}

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// CreateWebhook stores a webhook.
func (s *Store) CreateWebhook(ctx context.Context, w webhook.Webhook, seal func(id int64) []byte) (webhook.Webhook, error) {
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (webhook.Webhook, error) {
		if err := s.checkRoom(ctx, w.Workspace); err != nil {
			return w, err
		}
		created, err := engine.ExecOne(ctx, s.db, scanWebhook, table.Webhook.Insert(`
(workspace_id, name, url, format, events, score_below, enabled, secret, created_by, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10)
RETURNING `+webhookColumns), w.Workspace, w.Name, w.URL, string(w.Format), engine.ListText(w.Events), limitText(w.ScoreBelow), engine.Flag(w.Enabled),
			[]byte{}, w.CreatedBy, s.db.Now())
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

func (s *Store) checkRoom(ctx context.Context, workspaceID int64) error {
	if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
		return err
	}
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM webhook
WHERE workspace_id = $1`, workspaceID)
	if err == nil && count >= maxWebhooks {
		return fault.BadRequestf("At most %d webhooks are allowed", maxWebhooks)
	}
	return err
}

func (s *Store) setSecret(ctx context.Context, workspaceID, id int64, sealed []byte) (webhook.Webhook, error) {
	return engine.ExecOne(ctx, s.db, scanWebhook, table.Webhook.Update(`
SET secret = $3, updated_at = $4
WHERE workspace_id = $1
AND id = $2
RETURNING `+webhookColumns), workspaceID, id, sealed, s.db.Now())
}

// note adds an audit entry. It leaves out the address, which may be a credential.
func (s *Store) note(ctx context.Context, action audit.Action, w *webhook.Webhook) error {
	subject := audit.Subject{Kind: audit.SubjectWebhook, ID: w.ID, Name: w.Name}
	return engine.Note(ctx, s.db, &w.Workspace, action, subject, engine.Detail{"events": w.Events, "format": w.Format, "enabled": w.Enabled})
}

func notFound(err error, id int64) error { return engine.NotFound(err, "Webhook %d not found", id) }

// GetWebhook returns a webhook by its id.
func (s *Store) GetWebhook(ctx context.Context, workspaceID, id int64) (webhook.Webhook, error) {
	found, err := engine.QueryOne(ctx, s.db, scanWithCounts, `
SELECT `+webhookColumns+counts+`
FROM webhook
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, notFound(err, id), "get webhook")
}

// ListWebhooks lists the webhooks of a workspace.
func (s *Store) ListWebhooks(ctx context.Context, workspaceID int64) ([]webhook.Webhook, error) {
	all, err := engine.QueryAll(ctx, s.db, scanWithCounts, `
SELECT `+webhookColumns+counts+`
FROM webhook
WHERE workspace_id = $1
ORDER BY id`, workspaceID)
	return engine.Wrap(all, err, "list webhooks")
}

// UpdateWebhook replaces the content of a webhook.
func (s *Store) UpdateWebhook(ctx context.Context, workspaceID, id int64, c webhook.Content) (webhook.Webhook, error) {
	return s.change(ctx, workspaceID, id, "update webhook", audit.Change, func(ctx context.Context) (webhook.Webhook, error) {
		changed, err := engine.ExecOne(ctx, s.db, scanWebhook, table.Webhook.Update(`
SET name = $3, url = $4, format = $5, events = $6, score_below = $7, enabled = $8, updated_at = $9
WHERE workspace_id = $1
AND id = $2
RETURNING `+webhookColumns), workspaceID, id, c.Name, c.URL, string(c.Format), engine.ListText(c.Events), limitText(c.ScoreBelow), engine.Flag(c.Enabled), s.db.Now())
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
		deleted, err := engine.ExecOne(ctx, s.db, scanWebhook, table.Webhook.Delete(`
WHERE workspace_id = $1
AND id = $2
RETURNING `+webhookColumns), workspaceID, id)
		if err != nil {
			return err
		}
		return s.note(ctx, audit.Delete, &deleted)
	})
	return engine.WrapError(notFound(err, id), "delete webhook")
}
