package alerts

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/webhook"
)

// keepChanges limits the history of an alert.
const keepChanges = 1000

// status is the status of an alert.
type status struct {
	alert int64
	alert.Status
}

var (
	saveStatus = engine.NewRecord(table.AlertStatus, func(s *status) engine.Fields {
		return slices.Concat(engine.Fields{"alert_id", &s.alert, "state", engine.Text(&s.State), "level", &s.Level}, readingFields(&s.Reading), engine.Fields{
			"failure", &s.Error, "evaluated_at", &s.EvaluatedAt, "changed_at", &s.ChangedAt, "told", &s.Told, "told_at", &s.ToldAt,
		})
	}).Insert().Replace("alert_id")

	changes = engine.NewRecord(table.AlertChange, func(c *alert.Change) engine.Fields {
		return slices.Concat(engine.Fields{"id", &c.ID, "alert_id", &c.Alert, "at", &c.At, "state", engine.Text(&c.State), "level", &c.Level},
			readingFields(&c.Reading), engine.Fields{"failure", &c.Error})
	})
	addChange = changes.Insert("id")
)

// SaveOutcome stores what an evaluation led to.
func (s *Store) SaveOutcome(ctx context.Context, a *alert.Alert, out alert.Outcome) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := saveStatus.Exec(ctx, s.db, &status{a.ID, out.Status}); err != nil {
			return engine.Missing(err, "Alert %d not found", a.ID)
		}
		if err := s.addChange(ctx, out.Change); err != nil || out.Notice == "" {
			return err
		}
		return webhooks.Emit(ctx, s.db, a.Workspace, webhooks.Event{Type: webhook.Alert, Details: func(context.Context) (webhook.Details, error) {
			return alert.Details(a, &out.Status, out.Notice), nil
		}})
	})
	return engine.WrapError(err, "save the outcome of an alert")
}

// addChange adds an entry to the history, and deletes the oldest.
func (s *Store) addChange(ctx context.Context, c *alert.Change) error {
	if c == nil {
		return nil
	}
	if _, err := addChange.Exec(ctx, s.db, c); err != nil {
		return err
	}
	_, err := engine.Exec(ctx, s.db, table.AlertChange.Delete(`
WHERE alert_id = $1
AND id <= (SELECT id FROM alert_change WHERE alert_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`), c.Alert, keepChanges)
	return err
}

// ListChanges lists the history of an alert.
func (s *Store) ListChanges(ctx context.Context, workspaceID, id int64, page entity.Page) ([]alert.Change, int64, error) {
	var where engine.Where
	where.Add("alert_id = (SELECT id FROM alert WHERE workspace_id = ? AND id = ?)", workspaceID, id)
	found, total, err := changes.Page(ctx, s.db, where, "ORDER BY id DESC", page)
	return found, total, engine.WrapError(err, "list changes of an alert")
}
