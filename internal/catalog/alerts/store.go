// Package alerts keeps alerts with their states and histories, and tells webhooks
// about changes of state in the transactions of the changes.
package alerts

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

// Store keeps alerts as alert.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of alerts of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ alert.Store = (*Store)(nil)

// maxAlerts limits the alerts of a workspace: each is evaluated all the time.
const maxAlerts = 100

const (
	contentColumns = `name, enabled, query, measure, score_name, comparison, threshold, span, period, levels, every, min_requests, remind_after, tell_no_data`
	alertColumns   = `id, workspace_id, ` + contentColumns + `, created_by, created_at, updated_at`
	readingColumns = `value, requests, forecast, from_at, until_at`
	// withStatus selects alerts with what the last evaluation found.
	withStatus = `
SELECT ` + alertColumns + `, COALESCE(state, ''), COALESCE(level, 0), value, COALESCE(requests, 0), forecast, COALESCE(from_at, 0), COALESCE(until_at, 0),
COALESCE(failure, ''), evaluated_at, changed_at, COALESCE(told, 0), told_at
FROM alert
LEFT JOIN alert_status ON alert_id = id
WHERE workspace_id = $1`
)

// contentTargets returns where contentColumns are scanned to, and a function that
// completes the content.
func contentTargets(c *alert.Content) (targets []any, complete func() error) {
	var threshold, levels string
	var window, every, remind int64
	targets = []any{
		&c.Name, &c.Enabled, &c.Query, &c.Measure, &c.ScoreName, &c.Comparison, &threshold, &window, &c.Period, &levels, &every, &c.MinRequests, &remind, &c.TellNoData,
	}
	return targets, func() (err error) {
		c.Window, c.Every, c.RemindAfter = micros(window), micros(every), micros(remind)
		if c.Threshold, err = strconv.ParseFloat(threshold, 64); err != nil {
			return err
		}
		return json.Unmarshal([]byte(levels), &c.Levels)
	}
}

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

func contentValues(c *alert.Content) ([]any, error) {
	levels, err := json.Marshal(c.Levels)
	return []any{
		c.Name, engine.Flag(c.Enabled), c.Query, string(c.Measure), c.ScoreName, string(c.Comparison), number(&c.Threshold), c.Window, string(c.Period), string(levels),
		c.Every, c.MinRequests, c.RemindAfter, engine.Flag(c.TellNoData),
	}, err
}

// number returns a number as text, which both engines keep exactly.
func number(v *float64) *string {
	if v == nil {
		return nil
	}
	return new(strconv.FormatFloat(*v, 'g', -1, 64))
}

// scanAlert scans alertColumns.
func scanAlert(r engine.Row) (alert.Alert, error) { return scanMore(r) }

func scanMore(r engine.Row, more ...any) (alert.Alert, error) {
	var a alert.Alert
	content, complete := contentTargets(&a.Content)
	targets := append([]any{&a.ID, &a.Workspace}, content...)
	targets = append(targets, &a.CreatedBy, engine.Time(&a.CreatedAt), engine.Time(&a.UpdatedAt))
	if err := r.Scan(append(targets, more...)...); err != nil {
		return a, err
	}
	return a, complete()
}

// scanWithStatus scans the columns of withStatus.
func scanWithStatus(r engine.Row) (alert.Alert, error) {
	var s alert.Status
	reading, complete := readingTargets(&s.Reading)
	more := append([]any{&s.State, &s.Level}, reading...)
	more = append(more, &s.Error, engine.NullTime(&s.EvaluatedAt), engine.NullTime(&s.ChangedAt), &s.Told, engine.NullTime(&s.ToldAt))
	a, err := scanMore(r, more...)
	if err != nil {
		return a, err
	}
	err = complete()
	if s.EvaluatedAt == nil {
		s.Reading = alert.Reading{} // there was no evaluation
	}
	a.Status = s
	return a, err
}

// readingTargets returns where readingColumns are scanned to, and a function that
// completes the reading.
func readingTargets(r *alert.Reading) (targets []any, complete func() error) {
	var value, forecast string
	targets = []any{engine.NullText(&value), &r.Requests, engine.NullText(&forecast), engine.Time(&r.From), engine.Time(&r.Until)}
	return targets, func() error {
		for _, one := range []struct {
			text string
			to   **float64
		}{{value, &r.Value}, {forecast, &r.Forecast}} {
			if one.text == "" {
				continue
			}
			parsed, err := strconv.ParseFloat(one.text, 64)
			if err != nil {
				return err
			}
			*one.to = &parsed
		}
		return nil
	}
}

func readingValues(r *alert.Reading) []any {
	return []any{number(r.Value), r.Requests, number(r.Forecast), r.From, r.Until}
}

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
		if err := s.checkRoom(ctx, a.Workspace); err != nil {
			return a, err
		}
		values, err := contentValues(&a.Content)
		if err != nil {
			return a, err
		}
		created, err := engine.ExecOne(ctx, s.db, scanAlert, table.Alert.Insert(`
(workspace_id, `+contentColumns+`, created_by, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
RETURNING `+alertColumns), append(append([]any{a.Workspace}, values...), a.CreatedBy, s.db.Now())...)
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

func (s *Store) checkRoom(ctx context.Context, workspaceID int64) error {
	if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
		return err
	}
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM alert
WHERE workspace_id = $1`, workspaceID)
	if err == nil && count >= maxAlerts {
		return fault.BadRequestf("At most %d alerts are allowed", maxAlerts)
	}
	return err
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
	found, err := engine.QueryOne(ctx, s.db, scanWithStatus, withStatus+`
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, notFound(err, id), "get alert")
}

// ListAlerts lists the alerts of a workspace.
func (s *Store) ListAlerts(ctx context.Context, workspaceID int64) ([]alert.Alert, error) {
	all, err := engine.QueryAll(ctx, s.db, scanWithStatus, withStatus+`
ORDER BY name, id`, workspaceID)
	return engine.Wrap(all, err, "list alerts")
}

// UpdateAlert replaces the content of an alert.
func (s *Store) UpdateAlert(ctx context.Context, workspaceID, id int64, c alert.Content) (alert.Alert, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (alert.Alert, error) {
		values, err := contentValues(&c)
		if err != nil {
			return alert.Alert{}, err
		}
		changed, err := engine.ExecOne(ctx, s.db, scanAlert, table.Alert.Update(`
SET name = $3, enabled = $4, query = $5, measure = $6, score_name = $7, comparison = $8, threshold = $9, span = $10, period = $11, levels = $12, every = $13,
min_requests = $14, remind_after = $15, tell_no_data = $16, updated_at = $17
WHERE workspace_id = $1
AND id = $2
RETURNING `+alertColumns), append(append([]any{workspaceID, id}, values...), s.db.Now())...)
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
		deleted, err := engine.ExecOne(ctx, s.db, scanAlert, table.Alert.Delete(`
WHERE workspace_id = $1
AND id = $2
RETURNING `+alertColumns), workspaceID, id)
		if err != nil {
			return err
		}
		return s.note(ctx, audit.Delete, &deleted)
	})
	return engine.WrapError(notFound(err, id), "delete alert")
}
