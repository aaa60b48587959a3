package entities

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/skill"
)

// KnownContents returns those of the hashes whose contents the workspace has,
// in no order.
func (s *Skills) KnownContents(ctx context.Context, workspaceID int64, hashes []skill.Hash) ([]skill.Hash, error) {
	wanted := slices.SortedFunc(slices.Values(hashes), func(a, b skill.Hash) int { return bytes.Compare(a[:], b[:]) })
	var known []skill.Hash
	err := engine.InChunks(slices.Compact(wanted), func(hashes []skill.Hash) error {
		keys := make([][]byte, len(hashes))
		for i := range hashes {
			keys[i] = hashes[i][:]
		}
		var where engine.Where
		where.Add("workspace_id = ?", workspaceID)
		engine.AddList(&where, "hash", keys)
		found, err := engine.QueryAll(ctx, s.db, engine.ScanBytes, `
SELECT hash
FROM skill_content
WHERE `+where.SQL(), where.Args...)
		for _, hash := range found {
			known = append(known, skill.Hash(hash))
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find contents: %w", err)
	}
	return known, nil
}

// AddContent stores bytes under their hash; where the workspace has them
// nothing changes. No entry of the audit log tells of it, because the version
// does that refers to them. The fault is NotFound when the workspace is
// unknown.
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
	if err != nil {
		return fmt.Errorf("add content: %w", engine.Missing(err, "workspace not found"))
	}
	return nil
}

// ReadContent returns the bytes with the hash; the fault is NotFound when the
// workspace does not have them.
func (s *Skills) ReadContent(ctx context.Context, workspaceID int64, hash skill.Hash) ([]byte, error) {
	content, err := engine.QueryOne(ctx, s.db, engine.ScanBytes, `
SELECT content
FROM skill_content
WHERE workspace_id = $1
AND hash = $2`, workspaceID, hash[:])
	if err != nil {
		return nil, fmt.Errorf("read content: %w", engine.NotFound(err, "content %x not found", hash))
	}
	return content, nil
}
