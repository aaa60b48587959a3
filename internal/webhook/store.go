package webhook

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
)

// DeliveryQuery selects deliveries of a workspace, the newest first.
type DeliveryQuery struct {
	// Webhook is 0 for all, State "" for all.
	Webhook int64
	State   State
	Page    entity.Page
}

// Store stores webhooks and deliveries. Its methods join the transaction of the
// context. The fault is NotFound for anything that the workspace does not have.
type Store interface {
	entity.Transactor
	// CreateWebhook stores a webhook with the secret that seal returns for its id.
	// The fault is BadRequest if the workspace has too many.
	CreateWebhook(ctx context.Context, w Webhook, seal func(id int64) []byte) (Webhook, error)
	GetWebhook(ctx context.Context, workspace, id int64) (Webhook, error)
	// ListWebhooks returns the webhooks of a workspace, the oldest first.
	ListWebhooks(ctx context.Context, workspace int64) ([]Webhook, error)
	// UpdateWebhook replaces the content of a webhook. Pending deliveries continue
	// if it is enabled.
	UpdateWebhook(ctx context.Context, workspace, id int64, content Content) (Webhook, error)
	// SetWebhookSecret replaces the secret of a webhook.
	SetWebhookSecret(ctx context.Context, workspace, id int64, sealed []byte) (Webhook, error)
	// DeleteWebhook deletes a webhook and its deliveries.
	DeleteWebhook(ctx context.Context, workspace, id int64) error

	// AddDelivery stores an event for one webhook, whatever events it wants.
	AddDelivery(ctx context.Context, w Webhook, event EventType, details Details) (Delivery, error)
	GetDelivery(ctx context.Context, workspace, id int64) (Delivery, error)
	// ListDeliveries returns a page of deliveries without their payloads and the
	// number of all.
	ListDeliveries(ctx context.Context, workspace int64, query DeliveryQuery) ([]Delivery, int64, error)
	// Redeliver makes a delivery pending again, with all its attempts.
	Redeliver(ctx context.Context, workspace, id int64) (Delivery, error)

	// DueDeliveries returns the pending deliveries of a webhook whose time has come,
	// the longest due first.
	DueDeliveries(ctx context.Context, webhook int64, limit int) ([]Delivery, error)
	// NextDelivery returns the time until the next pending delivery, and whether
	// there is one.
	NextDelivery(ctx context.Context, webhook int64) (time.Duration, bool, error)
	// SaveDelivery stores the state and the last attempt of a delivery. If it is
	// still pending, it is due after wait.
	SaveDelivery(ctx context.Context, d Delivery, wait time.Duration) error
	// PruneDeliveries deletes deliveries that are not pending: those created before a
	// time, and all but the newest.
	PruneDeliveries(ctx context.Context, webhook int64, before time.Time, keep int) error
}
