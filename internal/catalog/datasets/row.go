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

// CreateContent returns the id of a content without rows that no dataset has.
// The fault is NotFound when the workspace is unknown.
func (s *Store) CreateContent(ctx context.Context, workspaceID int64) (int64, error) {
	id, err := engine.Transact(ctx, s.db, func(ctx context.Context) (int64, error) {
		return engine.ExecOne(ctx, s.db, engine.ScanInt, table.DatasetContent.Insert(`
(workspace_id, loose_since)
VALUES ($1, $2)
RETURNING id`), workspaceID, s.db.Now())
	})
	if err != nil {
		return 0, fmt.Errorf("create content: %w", engine.Missing(err, "workspace %d not found", workspaceID))
	}
	return id, nil
}

// AddRows stores rows of a content from a position on. The fault is NotFound
// when the content is gone or being removed, Conflict when there is a row
// already, and Invalid when a row has text that cannot be stored.
func (s *Store) AddRows(ctx context.Context, content, position int64, rows []string) error {
	values := make([][]any, len(rows))
	for i, cells := range rows {
		values[i] = []any{content, position + int64(i), cells}
	}
	return s.writeContent(ctx, "add rows", content, func(ctx context.Context) error {
		return engine.InsertRows(ctx, s.db, table.DatasetRow, `(content_id, position, cells)`, values)
	})
}

// AddPrompts notes which versions of prompts the rows of a content came from.
func (s *Store) AddPrompts(ctx context.Context, content int64, prompts []dataset.PromptVersion) error {
	values := make([][]any, len(prompts))
	for i, prompt := range prompts {
		values[i] = []any{content, prompt.PromptID, prompt.Number}
	}
	return s.writeContent(ctx, "note prompts", content, func(ctx context.Context) error {
		return engine.PutRows(ctx, s.db, table.DatasetPrompt, `(content_id, prompt_id, prompt_version)`, values, "\nON CONFLICT DO NOTHING")
	})
}

// CopyRows adds rows of another content at their positions and returns how
// many that were.
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

// CopyPrompts adds what another content has noted of prompts.
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

// writeContent runs write in a transaction that no removal of the content
// comes between.
func (s *Store) writeContent(ctx context.Context, what string, content int64, write func(ctx context.Context) error) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		touched, err := engine.Exec(ctx, s.db, table.DatasetContent.Update(`
SET loose_since = CASE WHEN loose_since IS NULL THEN NULL ELSE CAST($2 AS BIGINT) END
WHERE id = $1
AND (loose_since IS NULL OR loose_since > 0)`), content, s.db.Now())
		if err == nil && touched == 0 {
			err = fault.NotFoundf("content %d not found", content)
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

// ReadRows returns rows of a content from a position on: limit rows at most,
// and no further one once they have more than maxBytes.
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

// dropChunk is how many rows one transaction removes.
const dropChunk = 1000

// DropContent removes a content that no dataset has, a part at a time, so that
// nobody waits long. What has begun goes on when it is called again; it does
// nothing to a content that a dataset has.
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
	if err != nil {
		return fmt.Errorf("drop content: %w", err)
	}
	return nil
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

// LooseContent returns some contents that no dataset has and that nobody has
// written to since before.
func (s *Store) LooseContent(ctx context.Context, before time.Time) ([]int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT id
FROM dataset_content
WHERE loose_since < $1
ORDER BY loose_since
LIMIT 20`, before)
	if err != nil {
		return nil, fmt.Errorf("find loose content: %w", err)
	}
	return found, nil
}

// attachContent gives a content to a dataset.
func (s *Store) attachContent(ctx context.Context, content int64) error {
	attached, err := engine.Exec(ctx, s.db, table.DatasetContent.Update(`
SET loose_since = NULL
WHERE id = $1
AND loose_since > 0`), content)
	if err == nil && attached == 0 {
		return fault.Busy(time.Second, nil, "writing the rows took too long")
	}
	return err
}

func (s *Store) detachContent(ctx context.Context, content int64) error {
	_, err := engine.Exec(ctx, s.db, table.DatasetContent.Update(`
SET loose_since = $2
WHERE id = $1`), content, s.db.Now())
	return err
}
