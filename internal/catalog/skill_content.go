package catalog

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/skill"
)

func scanBytes(r row) ([]byte, error) {
	var value []byte
	err := r.Scan(&value)
	return value, err
}

// KnownContents returns those of the hashes whose contents the workspace has,
// in no order.
func (c *Catalog) KnownContents(ctx context.Context, workspaceID int64, hashes []skill.Hash) ([]skill.Hash, error) {
	wanted := slices.SortedFunc(slices.Values(hashes), func(a, b skill.Hash) int { return bytes.Compare(a[:], b[:]) })
	var known []skill.Hash
	err := inChunks(slices.Compact(wanted), func(hashes []skill.Hash) error {
		keys := make([][]byte, len(hashes))
		for i := range hashes {
			keys[i] = hashes[i][:]
		}
		var where conditions
		where.add("workspace_id = ?", workspaceID)
		addList(&where, "hash", keys)
		found, err := queryAll(ctx, c, scanBytes, `
SELECT hash
FROM skill_content
WHERE `+where.where(), where.args...)
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
func (c *Catalog) AddContent(ctx context.Context, workspaceID int64, hash skill.Hash, content []byte) error {
	if content == nil {
		content = []byte{} // NULL is no content
	}
	_, err := change(ctx, c, workspaceID, func(ctx context.Context) (none, error) {
		_, err := c.exec(ctx, `
INSERT INTO skill_content (workspace_id, hash, content)
VALUES ($1, $2, $3)
ON CONFLICT (workspace_id, hash) DO NOTHING`, workspaceID, hash[:], content)
		return none{}, err
	})
	if err != nil {
		return fmt.Errorf("add content: %w", missing(err, "workspace not found"))
	}
	return nil
}

// ReadContent returns the bytes with the hash; the fault is NotFound when the
// workspace does not have them.
func (c *Catalog) ReadContent(ctx context.Context, workspaceID int64, hash skill.Hash) ([]byte, error) {
	content, err := queryOne(ctx, c, scanBytes, `
SELECT content
FROM skill_content
WHERE workspace_id = $1
AND hash = $2`, workspaceID, hash[:])
	if err != nil {
		return nil, fmt.Errorf("read content: %w", notFound(err, "content %x not found", hash))
	}
	return content, nil
}
