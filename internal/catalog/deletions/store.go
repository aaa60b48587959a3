// Package deletions keeps deletions of request logs, and rules of retention.
package deletions

import (
	"context"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Store keeps deletions and rules of retention as deletion.Store and
// deletion.RetentionStore promise.
type Store struct{ db *engine.DB }

// New returns the store of deletions of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var (
	_ deletion.Store          = (*Store)(nil)
	_ deletion.RetentionStore = (*Store)(nil)
)

var deletions = engine.NewRecord(table.Deletion, func(d *deletion.Deletion) engine.Fields {
	return engine.Fields{
		"id", &d.ID, "workspace_id", &d.Workspace, "source", engine.Text(&d.Source), "query", &d.Query, "user_name", &d.User,
		"texts_only", &d.TextsOnly, "metadata_key", &d.MetadataKey, "score_name", &d.ScoreName, "with_traces", &d.WithTraces,
		"state", engine.Text(&d.State), "failure", &d.Failure, "after_log", &d.After, "last_log", &d.Last, "total", &d.Total,
		"progress", engine.Encoded(&d.Progress), "created_by", &d.CreatedBy, "created_at", &d.CreatedAt, "ended_at", &d.EndedAt,
	}
})

var (
	create = deletions.Insert("id", "failure", "ended_at")
	save   = deletions.Set(engine.InWorkspace+`
AND state = $3`, "state", "failure", "progress", "ended_at")
)

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// CreateDeletion stores a deletion.
func (s *Store) CreateDeletion(ctx context.Context, d deletion.Deletion) (deletion.Deletion, error) {
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (deletion.Deletion, error) {
		created, err := create.One(ctx, s.db, &d)
		if err != nil {
			return created, engine.Missing(err, "Workspace %d not found", d.Workspace)
		}
		return created, s.NoteDeletion(ctx, created, audit.Create)
	})
	return engine.Wrap(created, err, "create deletion")
}

// GetDeletion returns a deletion by its id.
func (s *Store) GetDeletion(ctx context.Context, workspaceID, id int64) (deletion.Deletion, error) {
	found, err := deletions.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Deletion %d not found", id), "get deletion")
}

// ListDeletions lists deletions.
func (s *Store) ListDeletions(ctx context.Context, workspaceID int64, offset, limit int) ([]deletion.Deletion, int64, error) {
	all, total, err := deletions.Newest(ctx, s.db, workspaceID, entity.Page{Limit: limit, Offset: offset})
	return all, total, engine.WrapError(err, "list deletions")
}

// SaveDeletion stores the progress of a deletion.
func (s *Store) SaveDeletion(ctx context.Context, from deletion.State, d deletion.Deletion) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := save.Exec(ctx, s.db, &d, d.Workspace, d.ID, string(from))
		if err != nil {
			return err
		}
		if changed == 0 {
			return fault.New(fault.Conflict, "The deletion is no longer %s", from)
		}
		if d.Active() {
			return nil
		}
		return s.NoteDeletion(ctx, d, audit.Delete)
	})
	return engine.WrapError(err, "save deletion")
}

// NoteDeletion adds an audit entry with the state of a deletion.
func (s *Store) NoteDeletion(ctx context.Context, d deletion.Deletion, action audit.Action) error {
	digest, err := d.IDsDigest()
	if err != nil {
		return err
	}
	subject := audit.Subject{Kind: audit.SubjectDeletion, ID: d.ID, Name: d.Subject()}
	return engine.Note(ctx, s.db, &d.Workspace, action, subject, engine.Detail{
		"source": d.Source, "query": d.Query, "user": d.User, "texts_only": d.TextsOnly, "metadata_key": d.MetadataKey, "score_name": d.ScoreName,
		"with_traces": d.WithTraces, "state": d.State, "logs": d.Logs, "traces": d.Traces, "ids_sha256": digest,
	})
}
