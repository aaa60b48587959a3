package webhooks

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/webhook"
)

const (
	deliveryHead = `id, workspace_id, webhook_id, event_id, event, `
	deliveryTail = `, state, due_at, attempts, failures, attempted_at, status, failure, response, took, created_at`
	// deliveryColumns has the payload, deliveryWithout has none.
	deliveryColumns = deliveryHead + `payload` + deliveryTail
	deliveryWithout = deliveryHead + `''` + deliveryTail
)

func scanDelivery(r engine.Row) (webhook.Delivery, error) {
	var d webhook.Delivery
	var due time.Time
	var took int64
	err := r.Scan(&d.ID, &d.Workspace, &d.Webhook, &d.EventID, &d.Event, &d.Payload, &d.State, engine.Time(&due), &d.Attempts, &d.Failures,
		engine.NullTime(&d.Last.At), &d.Last.Status, &d.Last.Failure, &d.Last.Response, &took, engine.Time(&d.CreatedAt))
	d.Last.Took = time.Duration(took) * time.Microsecond
	if d.State == webhook.Pending {
		d.NextAt = &due
	}
	return d, err
}

// AddDelivery stores an event for one webhook.
func (s *Store) AddDelivery(ctx context.Context, w webhook.Webhook, event webhook.EventType, details webhook.Details) (webhook.Delivery, error) {
	added, err := engine.Transact(ctx, s.db, func(ctx context.Context) (webhook.Delivery, error) {
		return s.insertDelivery(ctx, &w, s.envelope(ctx, w.Workspace, event, details))
	})
	return engine.Wrap(added, engine.Missing(err, "Webhook %d not found", w.ID), "add delivery")
}

// GetDelivery returns a delivery by its id.
func (s *Store) GetDelivery(ctx context.Context, workspaceID, id int64) (webhook.Delivery, error) {
	found, err := engine.QueryOne(ctx, s.db, scanDelivery, `
SELECT `+deliveryColumns+`
FROM webhook_delivery
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Delivery %d not found", id), "get delivery")
}

// ListDeliveries lists deliveries.
func (s *Store) ListDeliveries(ctx context.Context, workspaceID int64, query webhook.DeliveryQuery) ([]webhook.Delivery, int64, error) {
	var where engine.Where
	where.Add("workspace_id = ?", workspaceID)
	if query.Webhook != 0 {
		where.Add("webhook_id = ?", query.Webhook)
	}
	if query.State != "" {
		where.Add("state = ?", string(query.State))
	}
	total, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM webhook_delivery
WHERE `+where.SQL(), where.Args...)
	if err != nil {
		return nil, 0, engine.WrapError(err, "count deliveries")
	}
	condition := where.SQL()
	found, err := engine.QueryAll(ctx, s.db, scanDelivery, `
SELECT `+deliveryWithout+`
FROM webhook_delivery
WHERE `+condition+`
ORDER BY id DESC`+where.AddPage(query.Page), where.Args...)
	found, err = engine.Wrap(found, err, "list deliveries")
	return found, total, err
}

// Redeliver makes a delivery pending again.
func (s *Store) Redeliver(ctx context.Context, workspaceID, id int64) (webhook.Delivery, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (webhook.Delivery, error) {
		changed, err := engine.ExecOne(ctx, s.db, scanDelivery, table.WebhookDelivery.Update(`
SET state = $3, due_at = `+engine.Clock+`, failures = 0
WHERE workspace_id = $1
AND id = $2
RETURNING `+deliveryColumns), workspaceID, id, string(webhook.Pending))
		if err != nil {
			return changed, err
		}
		return changed, s.ensureJob(ctx, workspaceID, changed.Webhook)
	})
	return engine.Wrap(changed, engine.NotFound(err, "Delivery %d not found", id), "redeliver")
}

// DueDeliveries returns the deliveries of a webhook that are due.
func (s *Store) DueDeliveries(ctx context.Context, webhookID int64, limit int) ([]webhook.Delivery, error) {
	due, err := engine.QueryAll(ctx, s.db, scanDelivery, `
SELECT `+deliveryColumns+`
FROM webhook_delivery
WHERE webhook_id = $1
AND state = 'pending'
AND due_at <= `+engine.Clock+`
ORDER BY due_at, id
LIMIT $2`, webhookID, limit)
	return engine.Wrap(due, err, "list due deliveries")
}

// NextDelivery returns the time until the next delivery.
func (s *Store) NextDelivery(ctx context.Context, webhookID int64) (time.Duration, bool, error) {
	micros, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT due_at - `+engine.Clock+`
FROM webhook_delivery
WHERE webhook_id = $1
AND state = 'pending'
ORDER BY due_at, id
LIMIT 1`, webhookID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	return time.Duration(micros) * time.Microsecond, true, engine.WrapError(err, "find the next delivery")
}

// SaveDelivery stores how an attempt ended. A delivery that was deleted meanwhile
// stays deleted.
func (s *Store) SaveDelivery(ctx context.Context, d webhook.Delivery, wait time.Duration) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.WebhookDelivery.Update(`
SET state = $2, due_at = `+engine.Clock+` + $3, attempts = $4, failures = $5, attempted_at = $6, status = $7, failure = $8, response = $9, took = $10
WHERE id = $1`), d.ID, string(d.State), wait, d.Attempts, d.Failures, d.Last.At, d.Last.Status, d.Last.Failure, d.Last.Response, d.Last.Took)
		return err
	})
	return engine.WrapError(err, "save delivery")
}

// PruneDeliveries deletes old deliveries.
func (s *Store) PruneDeliveries(ctx context.Context, webhookID int64, before time.Time, keep int) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.WebhookDelivery.Delete(`
WHERE webhook_id = $1
AND state <> 'pending'
AND (created_at < $2 OR id <= (SELECT id FROM webhook_delivery WHERE webhook_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $3))`), webhookID, before, keep)
		return err
	})
	return engine.WrapError(err, "prune deliveries")
}
