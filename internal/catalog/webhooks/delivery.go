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

// row is a stored delivery. It is due at a time even if it has been sent.
type row struct {
	webhook.Delivery
	due time.Time
}

// fieldsOf returns the fields of a delivery with the SQL of its payload.
func fieldsOf(payload string) func(d *row) engine.Fields {
	return func(d *row) engine.Fields {
		return engine.Fields{
			"id", &d.ID, "workspace_id", &d.Workspace, "webhook_id", &d.Webhook, "event_id", &d.EventID, "event", engine.Text(&d.Event),
			payload, &d.Payload, "state", engine.Text(&d.State), "due_at", &d.due, "attempts", &d.Attempts, "failures", &d.Failures,
			"attempted_at", &d.Last.At, "status", &d.Last.Status, "failure", &d.Last.Failure, "response", &d.Last.Response,
			"took", &d.Last.Took, "created_at", &d.CreatedAt,
		}
	}
}

func complete(d *row) {
	if d.State == webhook.Pending {
		d.NextAt = new(d.due)
	}
}

var (
	deliveries = engine.NewRecord(table.WebhookDelivery, fieldsOf("payload"), complete)
	// withoutPayload are deliveries in lists.
	withoutPayload = engine.NewView(table.WebhookDelivery.Name, fieldsOf("''"), complete)

	addDelivery = deliveries.Insert("id", "due_at", "attempts", "failures", "attempted_at", "status", "failure", "response", "took").
			Plus("due_at", engine.Clock)
	saveDelivery = deliveries.Set("WHERE id = $1", "state", "attempts", "failures", "attempted_at", "status", "failure", "response", "took").
			Plus("due_at", engine.Clock+" + $2")
)

func plain(rows []row) []webhook.Delivery {
	all := make([]webhook.Delivery, len(rows))
	for i := range rows {
		all[i] = rows[i].Delivery
	}
	return all
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
	found, err := deliveries.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found.Delivery, engine.NotFound(err, "Delivery %d not found", id), "get delivery")
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
	found, total, err := withoutPayload.Page(ctx, s.db, where, "ORDER BY id DESC", query.Page)
	return plain(found), total, engine.WrapError(err, "list deliveries")
}

// Redeliver makes a delivery pending again.
func (s *Store) Redeliver(ctx context.Context, workspaceID, id int64) (webhook.Delivery, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (webhook.Delivery, error) {
		changed, err := deliveries.Update(ctx, s.db, `SET state = $3, due_at = `+engine.Clock+`, failures = 0
`+engine.InWorkspace, workspaceID, id, string(webhook.Pending))
		if err != nil {
			return changed.Delivery, err
		}
		return changed.Delivery, s.ensureJob(ctx, workspaceID, changed.Webhook)
	})
	return engine.Wrap(changed, engine.NotFound(err, "Delivery %d not found", id), "redeliver")
}

// DueDeliveries returns the deliveries of a webhook that are due.
func (s *Store) DueDeliveries(ctx context.Context, webhookID int64, limit int) ([]webhook.Delivery, error) {
	due, err := deliveries.All(ctx, s.db, `WHERE webhook_id = $1
AND state = 'pending'
AND due_at <= `+engine.Clock+`
ORDER BY due_at, id
LIMIT $2`, webhookID, limit)
	return engine.Wrap(plain(due), err, "list due deliveries")
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

// SaveDelivery stores how an attempt ended. A delivery that was deleted in the meantime
// stays deleted.
func (s *Store) SaveDelivery(ctx context.Context, d webhook.Delivery, wait time.Duration) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := saveDelivery.Exec(ctx, s.db, &row{Delivery: d}, d.ID, wait)
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
