package alert

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Store stores alerts, their states and their history. Its methods join the
// transaction of the context. The fault is NotFound for anything that the workspace
// does not have.
type Store interface {
	entity.Transactor
	// CreateAlert stores an alert. If it is enabled, it is evaluated soon. The fault
	// is BadRequest if the workspace has too many, and Conflict if the name is taken.
	CreateAlert(ctx context.Context, a Alert) (Alert, error)
	GetAlert(ctx context.Context, workspace, id int64) (Alert, error)
	// ListAlerts returns the alerts of a workspace by name.
	ListAlerts(ctx context.Context, workspace int64) ([]Alert, error)
	// UpdateAlert replaces the content of an alert. If it is enabled, it is evaluated
	// soon; if not, it has no state. The fault is Conflict if the name is taken.
	UpdateAlert(ctx context.Context, workspace, id int64, content Content) (Alert, error)
	// DeleteAlert deletes an alert and its history.
	DeleteAlert(ctx context.Context, workspace, id int64) error
	// ListChanges returns a page of the history of an alert, the newest first, and
	// the number of all.
	ListChanges(ctx context.Context, workspace, id int64, page entity.Page) ([]Change, int64, error)
	// SaveOutcome stores what an evaluation led to: the status, the entry of the
	// history and the deliveries to webhooks that want it. It keeps the newest
	// entries of the history only.
	SaveOutcome(ctx context.Context, a *Alert, out Outcome) error
}
