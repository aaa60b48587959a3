// Package imports keeps imports of request logs with the parts of their files.
package imports

import (
	"context"
	"strconv"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer"
)

// Store keeps imports as importer.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of imports of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ importer.Store = (*Store)(nil)

var imports = engine.NewRecord(table.Import, func(i *importer.Import) engine.Fields {
	return engine.Fields{
		"id", &i.ID, "workspace_id", &i.Workspace, "name", &i.Name, "options", engine.Encoded(&i.Options), "state", engine.Text(&i.State),
		"failure", &i.Failure, "parts", &i.Parts, "size", &i.Size, "hash", &i.Hash, "skip_refused", &i.SkipRefused,
		"checked", engine.Encoded(&i.Check), "run", engine.Encoded(&i.Run), "created_by", &i.CreatedBy, "created_at", &i.CreatedAt,
		"ended_at", &i.EndedAt,
	}
})

var (
	create = imports.Insert("id", "failure", "parts", "size", "hash", "skip_refused", "ended_at")
	save   = imports.Set(engine.InWorkspace+`
AND state = $3`, "options", "state", "failure", "parts", "size", "hash", "skip_refused", "checked", "run", "ended_at")
)

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// CreateImport stores an import.
func (s *Store) CreateImport(ctx context.Context, i importer.Import) (importer.Import, error) {
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (importer.Import, error) {
		created, err := create.One(ctx, s.db, &i)
		if err != nil {
			return created, engine.Missing(err, "Workspace %d not found", i.Workspace)
		}
		return created, s.NoteImport(ctx, created, audit.Create)
	})
	return engine.Wrap(created, err, "create import")
}

// GetImport returns an import by its id.
func (s *Store) GetImport(ctx context.Context, workspaceID, id int64) (importer.Import, error) {
	found, err := imports.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Import %d not found", id), "get import")
}

// ListImports lists imports.
func (s *Store) ListImports(ctx context.Context, workspaceID int64, offset, limit int) ([]importer.Import, int64, error) {
	all, total, err := imports.Newest(ctx, s.db, workspaceID, entity.Page{Limit: limit, Offset: offset})
	return all, total, engine.WrapError(err, "list imports")
}

// CountOpenImports counts the imports that have not ended.
func (s *Store) CountOpenImports(ctx context.Context, workspaceID int64) (int64, error) {
	count, err := imports.Count(ctx, s.db, `WHERE workspace_id = $1
AND ended_at IS NULL`, workspaceID)
	return engine.Wrap(count, err, "count open imports")
}

// FindImportByHash finds an import of the same file.
func (s *Store) FindImportByHash(ctx context.Context, workspaceID, id int64, hash string) (importer.Import, error) {
	found, err := imports.One(ctx, s.db, `WHERE workspace_id = $1
AND hash = $2
AND hash <> ''
AND id <> $3
AND state IN ('running', 'done')
ORDER BY id DESC
LIMIT 1`, workspaceID, hash, id)
	return engine.Wrap(found, engine.NotFound(err, "Import not found"), "find import by hash")
}

// SaveImport stores what can change of an import.
func (s *Store) SaveImport(ctx context.Context, from importer.State, i importer.Import, action audit.Action) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := save.Exec(ctx, s.db, &i, i.Workspace, i.ID, string(from))
		if err != nil {
			return engine.Taken(err, "Another import of the workspace is being checked or written")
		}
		if changed == 0 {
			return fault.New(fault.Conflict, "The import is no longer %s", from)
		}
		if action == "" {
			return nil
		}
		return s.NoteImport(ctx, i, action)
	})
	return engine.WrapError(err, "save import")
}

// NoteImport adds an audit entry with the state of an import.
func (s *Store) NoteImport(ctx context.Context, i importer.Import, action audit.Action) error {
	subject := audit.Subject{Kind: audit.SubjectImport, ID: i.ID, Name: "import " + strconv.FormatInt(i.ID, 10)}
	return engine.Note(ctx, s.db, &i.Workspace, action, subject, engine.Detail{
		"file": i.Name, "format": i.Check.Format, "rows": i.Check.Rows, "refused": i.Check.Refused, "state": i.State,
	})
}

// DeleteImport deletes an import with its parts.
func (s *Store) DeleteImport(ctx context.Context, i importer.Import) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		deleted, err := engine.Exec(ctx, s.db, table.Import.Delete(`
WHERE workspace_id = $1
AND id = $2
AND state NOT IN ('checking', 'running')`), i.Workspace, i.ID)
		if err != nil {
			return err
		}
		if deleted == 0 {
			return fault.New(fault.Conflict, "The import is no longer %s", i.State)
		}
		return s.NoteImport(ctx, i, audit.Delete)
	})
	return engine.WrapError(err, "delete import")
}

// PutPart stores a part of an import.
func (s *Store) PutPart(ctx context.Context, id int64, content importer.Content, number int64, text []byte) error {
	_, err := engine.Exec(ctx, s.db, table.ImportPart.Insert(`
(import_id, content, number, text)
VALUES ($1, $2, $3, $4)
ON CONFLICT (import_id, content, number) DO UPDATE SET text = excluded.text`), id, string(content), number, text)
	return engine.WrapError(engine.Missing(err, "Import %d not found", id), "put part of an import")
}

// GetPart returns a part of an import.
func (s *Store) GetPart(ctx context.Context, id int64, content importer.Content, number int64) ([]byte, error) {
	text, err := engine.QueryOne(ctx, s.db, engine.ScanBytes, `
SELECT text
FROM log_import_part
WHERE import_id = $1
AND content = $2
AND number = $3`, id, string(content), number)
	return engine.Wrap(text, engine.NotFound(err, "Import %d has no part %d", id, number), "get part of an import")
}

// DeleteParts deletes the parts of a content.
func (s *Store) DeleteParts(ctx context.Context, id int64, content importer.Content) error {
	_, err := engine.Exec(ctx, s.db, table.ImportPart.Delete(`
WHERE import_id = $1
AND content = $2`), id, string(content))
	return engine.WrapError(err, "delete parts of an import")
}
