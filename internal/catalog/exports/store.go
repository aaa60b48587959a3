// Package exports keeps saved exports, their runs and the audit entries of all
// exports, and tells webhooks about runs that failed.
package exports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fault"
)

// Store keeps saved exports as exporter.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of saved exports of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ exporter.Store = (*Store)(nil)

// maxExports limits the saved exports of a workspace.
const maxExports = 50

const exportColumns = `id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by, created_at, updated_at`

func scanExport(r engine.Row) (exporter.Export, error) {
	var e exporter.Export
	var file, target, schedule []byte
	err := r.Scan(&e.ID, &e.Workspace, &e.Name, &e.Enabled, &e.Source, &e.Query, &file, &target, &e.Sealed, &e.Incremental, &schedule,
		engine.NullTime(&e.NextAt), &e.LastLog, &e.CreatedBy, engine.Time(&e.CreatedAt), engine.Time(&e.UpdatedAt))
	if err != nil {
		return e, err
	}
	return e, errors.Join(json.Unmarshal(file, &e.File), json.Unmarshal(target, &e.Target), json.Unmarshal(schedule, &e.Schedule))
}

// contentTexts returns the members of an export that are stored as JSON.
func contentTexts(e *exporter.Export) (file, target, schedule string, err error) {
	texts := [3]string{}
	for at, value := range []any{e.File, e.Target, e.Schedule} {
		text, failure := json.Marshal(value)
		texts[at], err = string(text), errors.Join(err, failure)
	}
	return texts[0], texts[1], texts[2], err
}

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

func notFound(err error, id int64) error { return engine.NotFound(err, "Export %d not found", id) }

func taken(err error, name string) error {
	return engine.Taken(err, "An export named '%s' already exists", name)
}

// CreateExport stores an export.
func (s *Store) CreateExport(ctx context.Context, e exporter.Export, seal func(id int64) []byte) (exporter.Export, error) {
	file, target, schedule, err := contentTexts(&e)
	if err != nil {
		return e, fmt.Errorf("create export: %w", err)
	}
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (exporter.Export, error) {
		if err := s.checkRoom(ctx, e.Workspace); err != nil {
			return e, err
		}
		created, err := engine.ExecOne(ctx, s.db, scanExport, table.Export.Insert(`
(workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $13, $13)
RETURNING `+exportColumns), e.Workspace, e.Name, engine.Flag(e.Enabled), string(e.Source), e.Query, file, target, []byte{}, engine.Flag(e.Incremental), schedule,
			e.NextAt, e.CreatedBy, s.db.Now())
		if err != nil {
			return e, engine.Missing(taken(err, e.Name), "Workspace %d not found", e.Workspace)
		}
		if sealed := seal(created.ID); len(sealed) > 0 {
			created, err = engine.ExecOne(ctx, s.db, scanExport, table.Export.Update(`
SET credentials = $3
WHERE workspace_id = $1
AND id = $2
RETURNING `+exportColumns), e.Workspace, created.ID, sealed)
			if err != nil {
				return e, err
			}
		}
		return created, s.note(ctx, audit.Create, &created, nil)
	})
	return engine.Wrap(created, err, "create export")
}

func (s *Store) checkRoom(ctx context.Context, workspaceID int64) error {
	if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
		return err
	}
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM saved_export
WHERE workspace_id = $1`, workspaceID)
	if err == nil && count >= maxExports {
		return fault.BadRequestf("At most %d exports are allowed", maxExports)
	}
	return err
}

// note adds an audit entry with what leaves the workspace, and where to.
func (s *Store) note(ctx context.Context, action audit.Action, e *exporter.Export, more engine.Detail) error {
	detail := engine.Detail{
		"source": e.Source, "query": json.RawMessage(e.Query), "format": e.File.Format, "target": e.Address, "every": e.Every, "incremental": e.Incremental, "enabled": e.Enabled,
	}
	for name, value := range more {
		detail[name] = value
	}
	return engine.Note(ctx, s.db, &e.Workspace, action, audit.Subject{Kind: audit.SubjectExport, ID: e.ID, Name: e.Name}, detail)
}

// GetExport returns an export by its id.
func (s *Store) GetExport(ctx context.Context, workspaceID, id int64) (exporter.Export, error) {
	found, err := engine.QueryOne(ctx, s.db, scanExport, `
SELECT `+exportColumns+`
FROM saved_export
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	if err != nil {
		return found, engine.WrapError(notFound(err, id), "get export")
	}
	runs, err := engine.QueryAll(ctx, s.db, scanRun, `
SELECT `+runColumns+`
FROM export_run
WHERE export_id = $1
ORDER BY id DESC
LIMIT 1`, id)
	if len(runs) > 0 {
		found.LastRun = &runs[0]
	}
	return engine.Wrap(found, err, "get the last run of an export")
}

// ListExports lists the exports of a workspace.
func (s *Store) ListExports(ctx context.Context, workspaceID int64) ([]exporter.Export, error) {
	all, err := engine.QueryAll(ctx, s.db, scanExport, `
SELECT `+exportColumns+`
FROM saved_export
WHERE workspace_id = $1
ORDER BY name, id`, workspaceID)
	if err != nil {
		return nil, engine.WrapError(err, "list exports")
	}
	runs, err := engine.QueryAll(ctx, s.db, scanRun, `
SELECT `+runColumns+`
FROM export_run
WHERE id IN (SELECT MAX(id) FROM export_run WHERE workspace_id = $1 GROUP BY export_id)`, workspaceID)
	last := make(map[int64]*exporter.Run, len(runs))
	for i := range runs {
		last[runs[i].Export] = &runs[i]
	}
	for i := range all {
		all[i].LastRun = last[all[i].ID]
	}
	return engine.Wrap(all, err, "list the last runs of exports")
}

// UpdateExport stores what can change of an export.
func (s *Store) UpdateExport(ctx context.Context, e exporter.Export, alike bool) (exporter.Export, error) {
	file, target, schedule, err := contentTexts(&e)
	if err != nil {
		return e, fmt.Errorf("update export: %w", err)
	}
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (exporter.Export, error) {
		if err := engine.LockWorkspace(ctx, s.db, e.Workspace); err != nil { // no run may start meanwhile
			return e, err
		}
		if !alike {
			if err := s.checkIdle(ctx, e.ID); err != nil {
				return e, err
			}
		}
		changed, err := engine.ExecOne(ctx, s.db, scanExport, table.Export.Update(`
SET name = $3, enabled = $4, source = $5, query = $6, file = $7, target = $8, credentials = $9, incremental = $10, schedule = $11, next_at = $12,
last_log = CASE WHEN $13 = 1 THEN 0 ELSE last_log END, updated_at = $14
WHERE workspace_id = $1
AND id = $2
RETURNING `+exportColumns), e.Workspace, e.ID, e.Name, engine.Flag(e.Enabled), string(e.Source), e.Query, file, target, e.Sealed, engine.Flag(e.Incremental), schedule,
			e.NextAt, engine.Flag(e.LastLog == 0), s.db.Now())
		if err != nil {
			return changed, taken(err, e.Name)
		}
		changed.LastRun = e.LastRun
		return changed, s.note(ctx, audit.Change, &changed, nil)
	})
	return engine.Wrap(changed, notFound(err, e.ID), "update export")
}

// checkIdle returns a Conflict fault if a run of an export is active.
func (s *Store) checkIdle(ctx context.Context, id int64) error {
	active, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM export_run
WHERE export_id = $1
AND ended_at IS NULL`, id)
	if err == nil && active > 0 {
		return fault.Conflictf("The export is running: wait for its end, or cancel it first")
	}
	return err
}

// DeleteExport deletes an export with its runs.
func (s *Store) DeleteExport(ctx context.Context, e exporter.Export) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		if err := engine.LockWorkspace(ctx, s.db, e.Workspace); err != nil {
			return err
		}
		if err := s.checkIdle(ctx, e.ID); err != nil {
			return err
		}
		deleted, err := engine.ExecOne(ctx, s.db, scanExport, table.Export.Delete(`
WHERE workspace_id = $1
AND id = $2
RETURNING `+exportColumns), e.Workspace, e.ID)
		if err != nil {
			return err
		}
		return s.note(ctx, audit.Delete, &deleted, nil)
	})
	return engine.WrapError(notFound(err, e.ID), "delete export")
}

// DueExports lists exports that are due.
func (s *Store) DueExports(ctx context.Context, now time.Time, limit int) ([]exporter.Export, error) {
	due, err := engine.QueryAll(ctx, s.db, scanExport, `
SELECT `+exportColumns+`
FROM saved_export
WHERE next_at <= $1
ORDER BY next_at, id
LIMIT $2`, now, limit)
	return engine.Wrap(due, err, "find exports that are due")
}

// AdvanceExport stores when an export is due next. It is no change by anybody.
func (s *Store) AdvanceExport(ctx context.Context, e exporter.Export, next *time.Time) (bool, error) {
	changed, err := engine.ExecUnaudited(ctx, s.db, table.Export.Update(`
SET next_at = $3
WHERE id = $1
AND next_at = $2`), e.ID, e.NextAt, next)
	return changed > 0, engine.WrapError(err, "advance export")
}

// SetLastLog stores which request logs complete runs cover.
func (s *Store) SetLastLog(ctx context.Context, e exporter.Export, last int64) error {
	_, err := engine.ExecUnaudited(ctx, s.db, table.Export.Update(`
SET last_log = $2
WHERE id = $1`), e.ID, last)
	return engine.WrapError(err, "set the last log of an export")
}
