// Package exports keeps saved exports, their runs and the audit entries of all
// exports, and tells webhooks about runs that failed.
package exports

import (
	"context"
	"encoding/json"
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

var exports = engine.NewRecord(table.Export, func(e *exporter.Export) engine.Fields {
	return engine.Fields{
		"id", &e.ID, "workspace_id", &e.Workspace, "name", &e.Name, "enabled", &e.Enabled, "source", engine.Text(&e.Source), "query", &e.Query,
		"file", engine.Encoded(&e.File), "target", engine.Encoded(&e.Target), "credentials", &e.Sealed, "incremental", &e.Incremental,
		"schedule", engine.Encoded(&e.Schedule), "next_at", &e.NextAt, "last_log", &e.LastLog, "created_by", &e.CreatedBy,
		"created_at", &e.CreatedAt, "updated_at", &e.UpdatedAt,
	}
})

var (
	create = exports.Insert("id")
	change = exports.Set(engine.InWorkspace, "name", "enabled", "source", "query", "file", "target", "credentials", "incremental", "schedule",
		"next_at", "updated_at").Plus("last_log", "CASE WHEN $3 = 1 THEN 0 ELSE last_log END")
)

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
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (exporter.Export, error) {
		if err := exports.CheckRoom(ctx, s.db, e.Workspace, maxExports, "exports"); err != nil {
			return e, err
		}
		added := e
		added.Sealed, added.LastLog, added.CreatedAt = []byte{}, 0, s.db.Now()
		added.UpdatedAt = added.CreatedAt
		created, err := create.One(ctx, s.db, &added)
		if err != nil {
			return e, engine.Missing(taken(err, e.Name), "Workspace %d not found", e.Workspace)
		}
		if sealed := seal(created.ID); len(sealed) > 0 {
			created, err = exports.Update(ctx, s.db, "SET credentials = $3\n"+engine.InWorkspace, e.Workspace, created.ID, sealed)
			if err != nil {
				return e, err
			}
		}
		return created, s.note(ctx, audit.Create, &created, nil)
	})
	return engine.Wrap(created, err, "create export")
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
	found, err := exports.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	if err != nil {
		return found, engine.WrapError(notFound(err, id), "get export")
	}
	last, err := runs.All(ctx, s.db, `WHERE export_id = $1
ORDER BY id DESC
LIMIT 1`, id)
	if len(last) > 0 {
		found.LastRun = &last[0]
	}
	return engine.Wrap(found, err, "get the last run of an export")
}

// ListExports lists the exports of a workspace.
func (s *Store) ListExports(ctx context.Context, workspaceID int64) ([]exporter.Export, error) {
	all, err := exports.All(ctx, s.db, `WHERE workspace_id = $1
ORDER BY name, id`, workspaceID)
	if err != nil {
		return nil, engine.WrapError(err, "list exports")
	}
	newest, err := runs.All(ctx, s.db, `WHERE id IN (SELECT MAX(id) FROM export_run WHERE workspace_id = $1 GROUP BY export_id)`, workspaceID)
	last := make(map[int64]*exporter.Run, len(newest))
	for i := range newest {
		last[newest[i].Export] = &newest[i]
	}
	for i := range all {
		all[i].LastRun = last[all[i].ID]
	}
	return engine.Wrap(all, err, "list the last runs of exports")
}

// UpdateExport stores what can change of an export.
func (s *Store) UpdateExport(ctx context.Context, e exporter.Export, alike bool) (exporter.Export, error) {
	changed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (exporter.Export, error) {
		if err := engine.LockWorkspace(ctx, s.db, e.Workspace); err != nil { // no run may start in the meantime
			return e, err
		}
		if !alike {
			if err := s.checkIdle(ctx, e.ID); err != nil {
				return e, err
			}
		}
		wanted := e
		wanted.UpdatedAt = s.db.Now()
		changed, err := change.One(ctx, s.db, &wanted, e.Workspace, e.ID, engine.Flag(e.LastLog == 0))
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
	active, err := runs.Count(ctx, s.db, `WHERE export_id = $1
AND ended_at IS NULL`, id)
	if err == nil && active > 0 {
		return fault.Conflictf("The export is running. Wait for it to finish or cancel it")
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
		deleted, err := exports.Delete(ctx, s.db, engine.InWorkspace, e.Workspace, e.ID)
		if err != nil {
			return err
		}
		return s.note(ctx, audit.Delete, &deleted, nil)
	})
	return engine.WrapError(notFound(err, e.ID), "delete export")
}

// DueExports lists exports that are due.
func (s *Store) DueExports(ctx context.Context, now time.Time, limit int) ([]exporter.Export, error) {
	due, err := exports.All(ctx, s.db, `WHERE next_at <= $1
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
