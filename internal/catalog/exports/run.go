package exports

import (
	"context"

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

var runs = engine.NewRecord(table.ExportRun, func(r *exporter.Run) engine.Fields {
	return engine.Fields{
		"id", &r.ID, "export_id", &r.Export, "workspace_id", &r.Workspace, "state", engine.Text(&r.State), "failure", &r.Failure,
		"scheduled", &r.Scheduled, "progress", engine.Encoded(&r.Progress), "created_by", &r.CreatedBy, "created_at", &r.CreatedAt,
		"ended_at", &r.EndedAt,
	}
})

var (
	createRun = runs.Insert("id", "failure", "ended_at")
	saveRun   = runs.Set("WHERE id = $1", "state", "failure", "progress", "ended_at")
)

// CreateRun stores a run, and deletes the oldest.
func (s *Store) CreateRun(ctx context.Context, e exporter.Export, r exporter.Run) (exporter.Run, error) {
	added := r
	added.Export, added.Workspace = e.ID, e.Workspace
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (exporter.Run, error) {
		if err := engine.LockWorkspace(ctx, s.db, e.Workspace); err != nil {
			return r, err
		}
		created, err := createRun.One(ctx, s.db, &added)
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
	found, err := runs.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Run %d not found", id), "get run of an export")
}

// ListRuns lists the runs of an export.
func (s *Store) ListRuns(ctx context.Context, workspaceID, exportID int64, page entity.Page) ([]exporter.Run, int64, error) {
	var where engine.Where
	where.Add("workspace_id = ?", workspaceID)
	where.Add("export_id = ?", exportID)
	found, total, err := runs.Page(ctx, s.db, where, "ORDER BY id DESC", page)
	return found, total, engine.WrapError(err, "list runs of an export")
}

// SaveRun stores the state of a run.
func (s *Store) SaveRun(ctx context.Context, e exporter.Export, r exporter.Run) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := saveRun.Exec(ctx, s.db, &r, r.ID)
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
