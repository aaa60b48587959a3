package alerts

import (
	"context"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/webhook"
)

// keepChanges limits the history of an alert.
const keepChanges = 1000

// SaveOutcome stores what an evaluation led to.
func (s *Store) SaveOutcome(ctx context.Context, a *alert.Alert, out alert.Outcome) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		if err := s.saveStatus(ctx, a.ID, &out.Status); err != nil {
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

func (s *Store) saveStatus(ctx context.Context, id int64, status *alert.Status) error {
	values := append([]any{id, string(status.State), status.Level}, readingValues(&status.Reading)...)
	values = append(values, status.Error, status.EvaluatedAt, status.ChangedAt, status.Told, status.ToldAt)
	_, err := engine.Exec(ctx, s.db, table.AlertStatus.Insert(`
(alert_id, state, level, `+readingColumns+`, failure, evaluated_at, changed_at, told, told_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
ON CONFLICT (alert_id) DO UPDATE SET state = $2, level = $3, value = $4, requests = $5, forecast = $6, from_at = $7, until_at = $8, failure = $9, evaluated_at = $10,
changed_at = $11, told = $12, told_at = $13`), values...)
	return err
}

// addChange adds an entry to the history, and deletes the oldest.
func (s *Store) addChange(ctx context.Context, c *alert.Change) error {
	if c == nil {
		return nil
	}
	values := append([]any{c.Alert, c.At, string(c.State), c.Level}, readingValues(&c.Reading)...)
	if _, err := engine.Exec(ctx, s.db, table.AlertChange.Insert(`
(alert_id, at, state, level, `+readingColumns+`, failure)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`), append(values, c.Error)...); err != nil {
		return err
	}
	_, err := engine.Exec(ctx, s.db, table.AlertChange.Delete(`
WHERE alert_id = $1
AND id <= (SELECT id FROM alert_change WHERE alert_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`), c.Alert, keepChanges)
	return err
}

func scanChange(r engine.Row) (alert.Change, error) {
	var c alert.Change
	reading, complete := readingTargets(&c.Reading)
	targets := append([]any{&c.ID, &c.Alert, engine.Time(&c.At), &c.State, &c.Level}, reading...)
	if err := r.Scan(append(targets, &c.Error)...); err != nil {
		return c, err
	}
	return c, complete()
}

// ListChanges lists the history of an alert.
func (s *Store) ListChanges(ctx context.Context, workspaceID, id int64, page entity.Page) ([]alert.Change, int64, error) {
	var where engine.Where
	where.Add("alert_id = (SELECT id FROM alert WHERE workspace_id = ? AND id = ?)", workspaceID, id)
	total, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM alert_change
WHERE `+where.SQL(), where.Args...)
	if err != nil {
		return nil, 0, engine.WrapError(err, "count changes of an alert")
	}
	condition := where.SQL()
	found, err := engine.QueryAll(ctx, s.db, scanChange, `
SELECT id, alert_id, at, state, level, `+readingColumns+`, failure
FROM alert_change
WHERE `+condition+`
ORDER BY id DESC`+where.AddPage(page), where.Args...)
	found, err = engine.Wrap(found, err, "list changes of an alert")
	return found, total, err
}
