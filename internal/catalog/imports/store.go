// Package imports keeps imports of request logs with the parts of their files.
package imports

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/importer"
)

// Store keeps imports as importer.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of imports of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ importer.Store = (*Store)(nil)

const importColumns = `id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at`

func scanImport(r engine.Row) (importer.Import, error) {
	var one importer.Import
	var options, checked, run []byte
	err := r.Scan(&one.ID, &one.Workspace, &one.Name, &options, &one.State, &one.Failure, &one.Parts, &one.Size, &one.Hash, &one.SkipRefused, &checked, &run,
		&one.CreatedBy, engine.Time(&one.CreatedAt), engine.NullTime(&one.EndedAt))
	if err != nil {
		return one, err
	}
	return one, errors.Join(json.Unmarshal(options, &one.Options), json.Unmarshal(checked, &one.Check), json.Unmarshal(run, &one.Run))
}

// importTexts returns the members of an import that are stored as JSON.
func importTexts(i *importer.Import) (options, checked, run string, err error) {
	texts := [3]string{}
	for at, value := range []any{i.Options, i.Check, i.Run} {
		text, failure := json.Marshal(value)
		texts[at], err = string(text), errors.Join(err, failure)
	}
	return texts[0], texts[1], texts[2], err
}

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// CreateImport stores an import.
func (s *Store) CreateImport(ctx context.Context, i importer.Import) (importer.Import, error) {
	options, checked, run, err := importTexts(&i)
	if err != nil {
		return i, fmt.Errorf("create import: %w", err)
	}
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (importer.Import, error) {
		created, err := engine.ExecOne(ctx, s.db, scanImport, table.Import.Insert(`
(workspace_id, name, options, state, checked, run, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING `+importColumns), i.Workspace, i.Name, options, string(i.State), checked, run, i.CreatedBy, i.CreatedAt)
		if err != nil {
			return created, engine.Missing(err, "Workspace %d not found", i.Workspace)
		}
		return created, s.NoteImport(ctx, created, audit.Create)
	})
	return engine.Wrap(created, err, "create import")
}

// GetImport returns an import by its id.
func (s *Store) GetImport(ctx context.Context, workspaceID, id int64) (importer.Import, error) {
	found, err := engine.QueryOne(ctx, s.db, scanImport, `
SELECT `+importColumns+`
FROM log_import
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Import %d not found", id), "get import")
}

// ListImports lists imports.
func (s *Store) ListImports(ctx context.Context, workspaceID int64, offset, limit int) ([]importer.Import, int64, error) {
	total, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM log_import
WHERE workspace_id = $1`, workspaceID)
	if err != nil {
		return nil, 0, fmt.Errorf("count imports: %w", err)
	}
	all, err := engine.QueryAll(ctx, s.db, scanImport, `
SELECT `+importColumns+`
FROM log_import
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3`, workspaceID, limit, offset)
	all, err = engine.Wrap(all, err, "list imports")
	return all, total, err
}

// CountOpenImports counts the imports that have not ended.
func (s *Store) CountOpenImports(ctx context.Context, workspaceID int64) (int64, error) {
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM log_import
WHERE workspace_id = $1
AND ended_at IS NULL`, workspaceID)
	return engine.Wrap(count, err, "count open imports")
}

// FindImportByHash finds an import of the same file.
func (s *Store) FindImportByHash(ctx context.Context, workspaceID, id int64, hash string) (importer.Import, error) {
	found, err := engine.QueryOne(ctx, s.db, scanImport, `
SELECT `+importColumns+`
FROM log_import
WHERE workspace_id = $1
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
	options, checked, run, err := importTexts(&i)
	if err != nil {
		return fmt.Errorf("save import: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := engine.Exec(ctx, s.db, table.Import.Update(`
SET options = $4, state = $5, failure = $6, parts = $7, size = $8, hash = $9, skip_refused = $10, checked = $11, run = $12, ended_at = $13
WHERE workspace_id = $1
AND id = $2
AND state = $3`), i.Workspace, i.ID, string(from), options, string(i.State), i.Failure, i.Parts, i.Size, i.Hash, engine.Flag(i.SkipRefused), checked, run, i.EndedAt)
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
