package datasets

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
)

// CreateContent adds a loose content.
func (s *Store) CreateContent(ctx context.Context, workspaceID int64) (int64, error) {
	id, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) {
		return engine.ExecOne(ctx, s.db, engine.ScanInt, table.DatasetContent.Insert(`
(workspace_id, loose_since)
VALUES ($1, $2)
RETURNING id`), workspaceID, s.db.Now())
	})
	return engine.Wrap(id, engine.Missing(err, "Workspace %d not found", workspaceID), "create content")
}

// AddRows adds rows to a content.
func (s *Store) AddRows(ctx context.Context, content, position int64, rows []string) error {
	values := make([][]any, len(rows))
	for i, cells := range rows {
		values[i] = []any{content, position + int64(i), cells}
	}
	return s.writeContent(ctx, "add rows", content, func(ctx context.Context) error {
		return engine.InsertRows(ctx, s.db, table.DatasetRow, `(content_id, position, cells)`, values)
	})
}

// AddPrompts records the prompt versions that rows came from.
func (s *Store) AddPrompts(ctx context.Context, content int64, prompts []dataset.PromptVersion) error {
	values := make([][]any, len(prompts))
	for i, prompt := range prompts {
		values[i] = []any{content, prompt.PromptID, prompt.Number}
	}
	return s.writeContent(ctx, "note prompts", content, func(ctx context.Context) error {
		return engine.PutRows(ctx, s.db, table.DatasetPrompt, `(content_id, prompt_id, prompt_version)`, values, "\nON CONFLICT DO NOTHING")
	})
}

// CopyRows copies rows of another content.
func (s *Store) CopyRows(ctx context.Context, source, target, position, limit int64) (copied int64, err error) {
	err = s.writeContent(ctx, "copy rows", target, func(ctx context.Context) error {
		copied, err = engine.Exec(ctx, s.db, table.DatasetRow.Insert(`
(content_id, position, cells)
SELECT CAST($1 AS BIGINT), position, cells
FROM dataset_row
WHERE content_id = $2
AND position >= $3
AND position < $4`), target, source, position, position+limit)
		return err
	})
	return copied, err
}

// CopyPrompts copies the prompt versions of another content.
func (s *Store) CopyPrompts(ctx context.Context, source, target int64) error {
	return s.writeContent(ctx, "copy prompts", target, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.DatasetPrompt.Insert(`
(content_id, prompt_id, prompt_version)
SELECT CAST($1 AS BIGINT), prompt_id, prompt_version
FROM dataset_prompt
WHERE content_id = $2`), target, source)
		return err
	})
}

// writeContent runs write in a transaction that excludes a removal of the content.
func (s *Store) writeContent(ctx context.Context, what string, content int64, write func(ctx context.Context) error) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		touched, err := engine.Exec(ctx, s.db, table.DatasetContent.Update(`
SET loose_since = CASE WHEN loose_since IS NULL THEN NULL ELSE CAST($2 AS BIGINT) END
WHERE id = $1
AND (loose_since IS NULL OR loose_since > 0)`), content, s.db.Now())
		if err == nil && touched == 0 {
			err = fault.NotFoundf("Dataset content %d not found", content)
		}
		if err != nil {
			return err
		}
		return write(ctx)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

// ReadRows returns rows of a content.
func (s *Store) ReadRows(ctx context.Context, content, position, limit, maxBytes int64) ([]string, error) {
	rows, size := []string{}, int64(0)
	for cells, err := range engine.Rows(ctx, s.db, engine.ScanString, `
SELECT cells
FROM dataset_row
WHERE content_id = $1
AND position >= $2
AND position < $3
ORDER BY position`, content, position, position+limit) {
		if err != nil {
			return nil, fmt.Errorf("read rows: %w", err)
		}
		rows = append(rows, cells)
		if size += int64(len(cells)); size > maxBytes {
			break
		}
	}
	return rows, nil
}

// dropChunk is the number of rows that one transaction removes.
const dropChunk = 1000

// DropContent removes a loose content in short transactions, so that other writers do
// not wait long.
func (s *Store) DropContent(ctx context.Context, content int64) error {
	marked, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) {
		return engine.Exec(ctx, s.db, table.DatasetContent.Update(`
SET loose_since = 0
WHERE id = $1
AND loose_since IS NOT NULL`), content)
	})
	for more := marked > 0; err == nil && more; {
		more, err = s.dropRows(ctx, content)
	}
	if err == nil && marked > 0 {
		err = s.db.InTx(ctx, func(ctx context.Context) error { return s.dropRest(ctx, content) })
	}
	return engine.WrapError(err, "drop content")
}

// dropRows removes some rows and reports whether there were any.
func (s *Store) dropRows(ctx context.Context, content int64) (bool, error) {
	removed, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) {
		return engine.Exec(ctx, s.db, table.DatasetRow.Delete(`
WHERE content_id = $1
AND position IN (
SELECT position
FROM dataset_row
WHERE content_id = $1
ORDER BY position
LIMIT $2)`), content, dropChunk)
	})
	return removed > 0, err
}

func (s *Store) dropRest(ctx context.Context, content int64) error {
	_, err := engine.Exec(ctx, s.db, table.DatasetPrompt.Delete(`WHERE content_id = $1`), content)
	if err == nil {
		_, err = engine.Exec(ctx, s.db, table.DatasetContent.Delete(`WHERE id = $1`), content)
	}
	return err
}

// LooseContent returns some loose contents.
func (s *Store) LooseContent(ctx context.Context, before time.Time) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT id
FROM dataset_content
WHERE loose_since < $1
ORDER BY loose_since
LIMIT 20`, before)
	return engine.Wrap(found, err, "find loose content")
}

// attachContent gives a loose content to a dataset.
func (s *Store) attachContent(ctx context.Context, content int64) error {
	attached, err := engine.Exec(ctx, s.db, table.DatasetContent.Update(`
SET loose_since = NULL
WHERE id = $1
AND loose_since > 0`), content)
	if err == nil && attached == 0 {
		return fault.Busy(time.Second, nil, "Writing the rows took too long")
	}
	return err
}

func (s *Store) detachContent(ctx context.Context, content int64) error {
	_, err := engine.Exec(ctx, s.db, table.DatasetContent.Update(`
SET loose_since = $2
WHERE id = $1`), content, s.db.Now())
	return err
}
