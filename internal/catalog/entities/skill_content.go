package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/skill"
)

// KnownContents returns the hashes of known contents.
func (s *Skills) KnownContents(ctx context.Context, workspaceID int64, hashes []skill.Hash) ([]skill.Hash, error) {
	keys := make([][]byte, 0, len(hashes))
	for _, hash := range engine.DistinctInOrder(hashes) {
		keys = append(keys, hash[:])
	}
	found, err := engine.QueryIn(ctx, s.db, engine.ScanBytes, `
SELECT hash
FROM skill_content
WHERE workspace_id = $1
AND hash`, keys, "", workspaceID)
	if err != nil {
		return nil, fmt.Errorf("find contents: %w", err)
	}
	known := make([]skill.Hash, len(found))
	for i, hash := range found {
		known[i] = skill.Hash(hash)
	}
	return known, nil
}

// AddContent stores a content.
func (s *Skills) AddContent(ctx context.Context, workspaceID int64, hash skill.Hash, content []byte) error {
	if content == nil {
		content = []byte{} // NULL is no content
	}
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.SkillContent.Insert(`
(workspace_id, hash, content)
VALUES ($1, $2, $3)
ON CONFLICT (workspace_id, hash) DO NOTHING`), workspaceID, hash[:], content)
		return err
	})
	return engine.WrapError(engine.Missing(err, "Workspace not found"), "add content")
}

// ReadContent returns a content by its hash.
func (s *Skills) ReadContent(ctx context.Context, workspaceID int64, hash skill.Hash) ([]byte, error) {
	content, err := engine.QueryOne(ctx, s.db, engine.ScanBytes, `
SELECT content
FROM skill_content
WHERE workspace_id = $1
AND hash = $2`, workspaceID, hash[:])
	return engine.Wrap(content, engine.NotFound(err, "Content %x not found", hash), "read content")
}
