package exports

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/webhook"
)

// keepRuns limits the history of an export.
const keepRuns = 100

const runColumns = `id, export_id, workspace_id, state, failure, scheduled, progress, created_by, created_at, ended_at`

func scanRun(r engine.Row) (exporter.Run, error) {
	var one exporter.Run
	var progress []byte
	err := r.Scan(&one.ID, &one.Export, &one.Workspace, &one.State, &one.Failure, &one.Scheduled, &progress, &one.CreatedBy, engine.Time(&one.CreatedAt), engine.NullTime(&one.EndedAt))
	if err != nil {
		return one, err
	}
	return one, json.Unmarshal(progress, &one.Progress)
}

// CreateRun stores a run, and deletes the oldest.
func (s *Store) CreateRun(ctx context.Context, e exporter.Export, r exporter.Run) (exporter.Run, error) {
	progress, err := json.Marshal(r.Progress)
	if err != nil {
		return r, fmt.Errorf("create run of an export: %w", err)
	}
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (exporter.Run, error) {
		if err := engine.LockWorkspace(ctx, s.db, e.Workspace); err != nil {
			return r, err
		}
		created, err := engine.ExecOne(ctx, s.db, scanRun, table.ExportRun.Insert(`
(export_id, workspace_id, state, scheduled, progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING `+runColumns), e.ID, e.Workspace, string(r.State), engine.Flag(r.Scheduled), string(progress), r.CreatedBy, r.CreatedAt)
		if err != nil {
			return r, engine.Missing(engine.Taken(err, "The export is running already"), "Export %d not found", e.ID)
		}
		if _, err := engine.Exec(ctx, s.db, table.ExportRun.Delete(`
WHERE export_id = $1
AND id <= (SELECT id FROM export_run WHERE export_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`), e.ID, keepRuns); err != nil {
			return r, err
		}
		return created, s.note(ctx, audit.Export, &e, engine.Detail{"run_id": created.ID, "scheduled": r.Scheduled})
	})
	return engine.Wrap(created, err, "create run of an export")
}

// GetRun returns a run by its id.
func (s *Store) GetRun(ctx context.Context, workspaceID, id int64) (exporter.Run, error) {
	found, err := engine.QueryOne(ctx, s.db, scanRun, `
SELECT `+runColumns+`
FROM export_run
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Run %d not found", id), "get run of an export")
}

// ListRuns lists the runs of an export.
func (s *Store) ListRuns(ctx context.Context, workspaceID, exportID int64, page entity.Page) ([]exporter.Run, int64, error) {
	var where engine.Where
	where.Add("workspace_id = ?", workspaceID)
	where.Add("export_id = ?", exportID)
	total, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM export_run
WHERE `+where.SQL(), where.Args...)
	if err != nil {
		return nil, 0, engine.WrapError(err, "count runs of an export")
	}
	condition := where.SQL()
	found, err := engine.QueryAll(ctx, s.db, scanRun, `
SELECT `+runColumns+`
FROM export_run
WHERE `+condition+`
ORDER BY id DESC`+where.AddPage(page), where.Args...)
	found, err = engine.Wrap(found, err, "list runs of an export")
	return found, total, err
}

// SaveRun stores the state of a run.
func (s *Store) SaveRun(ctx context.Context, e exporter.Export, r exporter.Run) error {
	progress, err := json.Marshal(r.Progress)
	if err != nil {
		return fmt.Errorf("save run of an export: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := engine.Exec(ctx, s.db, table.ExportRun.Update(`
SET state = $2, failure = $3, progress = $4, ended_at = $5
WHERE id = $1`), r.ID, string(r.State), r.Failure, string(progress), r.EndedAt)
		if err != nil {
			return err
		}
		if changed == 0 {
			return fault.NotFoundf("Run %d not found", r.ID)
		}
		if r.State != exporter.Failed {
			return nil
		}
		return webhooks.Emit(ctx, s.db, r.Workspace, webhooks.Event{Type: webhook.ExportFailed, Details: func(context.Context) (webhook.Details, error) {
			return webhook.Details{"export_id": e.ID, "export_name": e.Name, "run_id": r.ID, "error": r.Failure, "rows": r.Rows}, nil
		}})
	})
	return engine.WrapError(err, "save run of an export")
}

// NoteRun adds an audit entry, and makes a process look at the run soon.
func (s *Store) NoteRun(ctx context.Context, e exporter.Export, r exporter.Run, action audit.Action) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		if err := engine.EnsureJob(ctx, s.db, r.Workspace, string(exporter.Kind), r.ID); err != nil {
			return err
		}
		return s.note(ctx, action, &e, engine.Detail{"run_id": r.ID})
	})
	return engine.WrapError(err, "note run of an export")
}
