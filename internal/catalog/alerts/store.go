// Package alerts keeps alerts with their states and histories, and tells webhooks
// about changes of state in the transactions of the changes.
package alerts

import (
	"context"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

// Store keeps alerts as alert.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of alerts of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ alert.Store = (*Store)(nil)

// maxAlerts limits the alerts of a workspace: each is evaluated all the time.
const maxAlerts = 100

func fields(a *alert.Alert) engine.Fields {
	return engine.Fields{
		"id", &a.ID, "workspace_id", &a.Workspace, "name", &a.Name, "enabled", &a.Enabled, "query", &a.Query, "measure", engine.Text(&a.Measure),
		"score_name", &a.ScoreName, "comparison", engine.Text(&a.Comparison), "threshold", engine.Float(&a.Threshold), "span", &a.Window,
		"period", engine.Text(&a.Period), "levels", engine.Encoded(&a.Levels), "every", &a.Every, "min_requests", &a.MinRequests,
		"remind_after", &a.RemindAfter, "tell_no_data", &a.TellNoData, "created_by", &a.CreatedBy, "created_at", &a.CreatedAt,
		"updated_at", &a.UpdatedAt,
	}
}

// readingFields are the fields of a value that was computed.
func readingFields(r *alert.Reading) engine.Fields {
	return engine.Fields{
		"value", engine.Number(&r.Value), "requests", &r.Requests, "forecast", engine.Number(&r.Forecast), "from_at", &r.From, "until_at", &r.Until,
	}
}

var (
	alerts = engine.NewRecord(table.Alert, fields)
	create = alerts.Insert("id")
	change = alerts.Set(engine.InWorkspace, "name", "enabled", "query", "measure", "score_name", "comparison", "threshold", "span", "period",
		"levels", "every", "min_requests", "remind_after", "tell_no_data", "updated_at")

	// withStatus has what the last evaluation found, too.
	withStatus = engine.NewView("alert\nLEFT JOIN alert_status ON alert_id = id", func(a *alert.Alert) engine.Fields {
		s := &a.Status
		return append(fields(a),
			"COALESCE(state, '')", engine.Text(&s.State), "COALESCE(level, 0)", &s.Level, "value", engine.Number(&s.Value),
			"COALESCE(requests, 0)", &s.Requests, "forecast", engine.Number(&s.Forecast), "COALESCE(from_at, 0)", &s.From,
			"COALESCE(until_at, 0)", &s.Until, "COALESCE(failure, '')", &s.Error, "evaluated_at", &s.EvaluatedAt, "changed_at", &s.ChangedAt,
			"COALESCE(told, 0)", &s.Told, "told_at", &s.ToldAt)
	}, func(a *alert.Alert) {
		if a.EvaluatedAt == nil {
			a.Reading = alert.Reading{} // there was no evaluation
		}
	})
)

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

func notFound(err error, id int64) error { return engine.NotFound(err, "Alert %d not found", id) }

func taken(err error, name string) error {
	return engine.Taken(err, "An alert named '%s' already exists", name)
}

// CreateAlert stores an alert.
func (s *Store) CreateAlert(ctx context.Context, a alert.Alert) (alert.Alert, error) {
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (alert.Alert, error) {
		if err := alerts.CheckRoom(ctx, s.db, a.Workspace, maxAlerts, "alerts"); err != nil {
			return a, err
		}
		added := a
		added.CreatedAt = s.db.Now()
		added.UpdatedAt = added.CreatedAt
		created, err := create.One(ctx, s.db, &added)
		if err != nil {
			return a, engine.Missing(taken(err, a.Name), "Workspace %d not found", a.Workspace)
		}
		if err := s.note(ctx, audit.Create, &created); err != nil {
			return a, err
		}
		return created, s.schedule(ctx, &created)
	})
	return engine.Wrap(created, err, "create alert")
}

// schedule makes a process evaluate an alert soon, unless it is disabled. A job that
// finds its alert disabled ends.
func (s *Store) schedule(ctx context.Context, a *alert.Alert) error {
	if !a.Enabled {
		return nil
	}
	return engine.EnsureJob(ctx, s.db, a.Workspace, string(alert.Kind), a.ID)
}

func (s *Store) note(ctx context.Context, action audit.Action, a *alert.Alert) error {
	subject := audit.Subject{Kind: audit.SubjectAlert, ID: a.ID, Name: a.Name}
	return engine.Note(ctx, s.db, &a.Workspace, action, subject, engine.Detail{
		"measure": a.Measure, "comparison": a.Comparison, "threshold": a.Threshold, "period": a.Period, "enabled": a.Enabled,
	})
}

// GetAlert returns an alert by its id.
func (s *Store) GetAlert(ctx context.Context, workspaceID, id int64) (alert.Alert, error) {
	found, err := withStatus.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found, notFound(err, id), "get alert")
}

// ListAlerts lists the alerts of a workspace.
func (s *Store) ListAlerts(ctx context.Context, workspaceID int64) ([]alert.Alert, error) {
	all, err := withStatus.All(ctx, s.db, `WHERE workspace_id = $1
ORDER BY name, id`, workspaceID)
	return engine.Wrap(all, err, "list alerts")
}

// UpdateAlert replaces the content of an alert.
func (s *Store) UpdateAlert(ctx context.Context, workspaceID, id int64, c alert.Content) (alert.Alert, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (alert.Alert, error) {
		changed, err := change.One(ctx, s.db, &alert.Alert{Content: c, UpdatedAt: s.db.Now()}, workspaceID, id)
		if err != nil {
			return changed, taken(err, c.Name)
		}
		if err := s.note(ctx, audit.Change, &changed); err != nil {
			return changed, err
		}
		if err := s.schedule(ctx, &changed); err != nil {
			return changed, err
		}
		if !c.Enabled {
			if _, err := engine.Exec(ctx, s.db, table.AlertStatus.Delete(`
WHERE alert_id = $1`), id); err != nil {
				return changed, err
			}
		}
		return s.GetAlert(ctx, workspaceID, id)
	})
	return engine.Wrap(changed, notFound(err, id), "update alert")
}

// DeleteAlert deletes an alert and its history.
func (s *Store) DeleteAlert(ctx context.Context, workspaceID, id int64) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		deleted, err := alerts.Delete(ctx, s.db, engine.InWorkspace, workspaceID, id)
		if err != nil {
			return err
		}
		return s.note(ctx, audit.Delete, &deleted)
	})
	return engine.WrapError(notFound(err, id), "delete alert")
}
