package catalog

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// KeyHash is the SHA-256 of an API key; the key itself is never stored.
type KeyHash [sha256.Size]byte

// Key is an API key of a workspace.
type Key struct {
	ID          int64
	WorkspaceID int64
	Hash        KeyHash
	// Name is what people call the key; it may be empty and need not be unique.
	Name string
	// LastFour is the end of the key, by which people recognise it.
	LastFour   string
	OwnerEmail *string
	CreatedAt  time.Time
	RevokedAt  *time.Time
}

const keyColumns = `id, workspace_id, hash, name, last_four, owner_email, created_at, revoked_at`

func scanKey(r row) (Key, error) {
	var k Key
	var hash []byte
	err := r.Scan(&k.ID, &k.WorkspaceID, &hash, &k.Name, &k.LastFour, &k.OwnerEmail, at{&k.CreatedAt}, maybeAt{&k.RevokedAt})
	copy(k.Hash[:], hash)
	return k, err
}

// CreateKey stores a key and returns it with the id and the time it was
// given; those of the argument do not matter. The fault is Conflict when the
// hash is known already, revoked or not, and NotFound when the workspace is
// unknown.
func (c *Catalog) CreateKey(ctx context.Context, key Key) (Key, error) {
	created, err := c.insertKey(ctx, key, `DO NOTHING`)
	if err != nil {
		return Key{}, fmt.Errorf("create key: %w", err)
	}
	if len(created) == 0 {
		return Key{}, fault.Conflictf("this key already exists")
	}
	return created[0], nil
}

// EnsureKey makes a key valid for its workspace whatever was before: it is
// stored when unknown, revived when revoked, and moved when it belonged to
// another workspace. A known key keeps its id, name, owner and time. The
// fault is NotFound when the workspace is unknown.
func (c *Catalog) EnsureKey(ctx context.Context, key Key) (Key, error) {
	ensured, err := c.insertKey(ctx, key, `DO UPDATE SET workspace_id = excluded.workspace_id, revoked_at = NULL`)
	if err != nil {
		return Key{}, fmt.Errorf("ensure key: %w", err)
	}
	return ensured[0], nil
}

// insertKey returns the stored key, or none when onConflict does nothing.
func (c *Catalog) insertKey(ctx context.Context, key Key, onConflict string) ([]Key, error) {
	keys, err := inTx(ctx, c, func(ctx context.Context) ([]Key, error) {
		return queryAll(ctx, c, scanKey, `
INSERT INTO api_key (workspace_id, hash, name, last_four, owner_email, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (hash) `+onConflict+`
RETURNING `+keyColumns,
			key.WorkspaceID, key.Hash[:], key.Name, key.LastFour, key.OwnerEmail, c.now())
	})
	return keys, missing(err, "workspace %d not found", key.WorkspaceID)
}

// FindKey returns the live key with the hash; the fault is NotFound when it
// is unknown or revoked.
func (c *Catalog) FindKey(ctx context.Context, hash KeyHash) (Key, error) {
	key, err := queryOne(ctx, c, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE hash = $1
AND revoked_at IS NULL`, hash[:])
	if err != nil {
		return Key{}, fmt.Errorf("find key: %w", notFound(err, "key not found"))
	}
	return key, nil
}

// ListKeys returns all keys of a workspace, revoked ones too, oldest first.
func (c *Catalog) ListKeys(ctx context.Context, workspaceID int64) ([]Key, error) {
	keys, err := queryAll(ctx, c, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE workspace_id = $1
ORDER BY id`, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list keys: %w", err)
	}
	return keys, nil
}

// RevokeKey makes a key invalid from now on and returns it. A key revoked
// before keeps the time of that. The fault is NotFound when the workspace has
// no such key.
func (c *Catalog) RevokeKey(ctx context.Context, workspaceID, id int64) (Key, error) {
	key, err := inTx(ctx, c, func(ctx context.Context) (Key, error) {
		return queryOne(ctx, c, scanKey, `
UPDATE api_key
SET revoked_at = COALESCE(revoked_at, $3)
WHERE workspace_id = $1
AND id = $2
RETURNING `+keyColumns, workspaceID, id, c.now())
	})
	if err != nil {
		return Key{}, fmt.Errorf("revoke key: %w", notFound(err, "key %d not found", id))
	}
	return key, nil
}

// CountKeys returns how many keys all workspaces have together, revoked ones
// included: zero only before a first key was made.
func (c *Catalog) CountKeys(ctx context.Context) (int64, error) {
	count, err := queryOne(ctx, c, scanInt, `SELECT COUNT(*) FROM api_key`)
	if err != nil {
		return 0, fmt.Errorf("count keys: %w", err)
	}
	return count, nil
}
