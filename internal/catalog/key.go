package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

// Key is an API key of a workspace.
type Key = access.Key

const keyColumns = `id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at`

func scanKey(r row) (Key, error) {
	var k Key
	var hash []byte
	err := r.Scan(&k.ID, &k.WorkspaceID, &hash, &k.Name, &k.LastFour, &k.OwnerEmail, rolesOf{&k.Roles},
		at{&k.CreatedAt}, maybeAt{&k.ExpiresAt}, maybeAt{&k.LastUsedAt}, maybeAt{&k.RevokedAt})
	copy(k.Hash[:], hash)
	return k, err
}

// rolesOf scans the JSON of a list of roles.
type rolesOf struct{ roles *[]access.Role }

func (r rolesOf) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("scan roles: got %T", value)
	}
	return json.Unmarshal([]byte(text), r.roles)
}

// rolesText returns roles as they are stored.
func rolesText(roles []access.Role) string {
	text, _ := json.Marshal(append([]access.Role{}, roles...)) // strings can always be written
	return string(text)
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
// stored when unknown, revived when revoked or expired, and moved when it
// belonged to another workspace. A known key keeps its id, name, owner and
// time; a valid one is not touched. The fault is NotFound when the workspace
// is unknown.
func (c *Catalog) EnsureKey(ctx context.Context, key Key) (Key, error) {
	ensured, err := inTx(ctx, c, func(ctx context.Context) (Key, error) {
		known, err := c.FindKey(ctx, key.Hash)
		if err == nil && known.WorkspaceID == key.WorkspaceID && known.ExpiresAt == nil {
			return known, nil
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return Key{}, err
		}
		all, err := c.insertKey(ctx, key,
			`DO UPDATE SET workspace_id = excluded.workspace_id, revoked_at = NULL, expires_at = NULL`)
		if err != nil {
			return Key{}, err
		}
		return all[0], nil
	})
	if err != nil {
		return Key{}, fmt.Errorf("ensure key: %w", err)
	}
	return ensured, nil
}

// insertKey returns the stored key, or none when onConflict does nothing.
func (c *Catalog) insertKey(ctx context.Context, key Key, onConflict string) ([]Key, error) {
	keys, err := inTx(ctx, c, func(ctx context.Context) ([]Key, error) {
		stored, err := queryAll(ctx, c, scanKey, `
INSERT INTO api_key (workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (hash) `+onConflict+`
RETURNING `+keyColumns, key.WorkspaceID, key.Hash[:], key.Name, key.LastFour, key.OwnerEmail, rolesText(key.Roles),
			c.now(), key.ExpiresAt)
		if err != nil || len(stored) == 0 {
			return nil, err
		}
		return stored, c.noteKey(ctx, audit.Create, stored[0])
	})
	return keys, missing(err, "workspace %d not found", key.WorkspaceID)
}

func (c *Catalog) noteKey(ctx context.Context, action audit.Action, key Key) error {
	more := detail{"ends_with": key.LastFour, "roles": append([]access.Role{}, key.Roles...)}
	if key.ExpiresAt != nil {
		more["expires_at"] = key.ExpiresAt
	}
	return c.note(ctx, &key.WorkspaceID, action, audit.Subject{Kind: audit.SubjectKey, ID: key.ID, Name: key.Name}, more)
}

// FindKey returns the key with the hash, also one that has expired; the fault
// is NotFound when it is unknown or revoked.
func (c *Catalog) FindKey(ctx context.Context, hash access.Hash) (Key, error) {
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

// GetKey returns a key by its id, revoked or not; the fault is NotFound when
// the workspace has none.
func (c *Catalog) GetKey(ctx context.Context, workspaceID, id int64) (Key, error) {
	key, err := queryOne(ctx, c, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	if err != nil {
		return Key{}, fmt.Errorf("get key: %w", keyNotFound(err, id))
	}
	return key, nil
}

func keyNotFound(err error, id int64) error { return notFound(err, "key %d not found", id) }

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
	key, err := c.changeKey(ctx, audit.Revoke, `revoked_at = COALESCE(revoked_at, $3)`, workspaceID, id, c.now())
	if err != nil {
		return Key{}, fmt.Errorf("revoke key: %w", err)
	}
	return key, nil
}

// ExpireKey lets a key end at a time, or earlier where it would have, and
// returns it. The fault is NotFound when the workspace has no such key.
func (c *Catalog) ExpireKey(ctx context.Context, workspaceID, id int64, when time.Time) (Key, error) {
	key, err := c.changeKey(ctx, audit.Rotate,
		`expires_at = CASE WHEN expires_at < $3 THEN expires_at ELSE $3 END`, workspaceID, id, when)
	if err != nil {
		return Key{}, fmt.Errorf("expire key: %w", err)
	}
	return key, nil
}

func (c *Catalog) changeKey(ctx context.Context, action audit.Action, set string, workspaceID, id int64, arg any) (Key, error) {
	return inTx(ctx, c, func(ctx context.Context) (Key, error) {
		key, err := queryOne(ctx, c, scanKey, `
UPDATE api_key
SET `+set+`
WHERE workspace_id = $1
AND id = $2
RETURNING `+keyColumns, workspaceID, id, arg)
		if err != nil {
			return Key{}, keyNotFound(err, id)
		}
		return key, c.noteKey(ctx, action, key)
	})
}

// TouchKeys remembers when keys were used last, by their ids. Unknown ones do
// not matter.
func (c *Catalog) TouchKeys(ctx context.Context, used map[int64]time.Time) error {
	err := c.InTx(ctx, func(ctx context.Context) error {
		for id, when := range used {
			_, err := c.execUntold(ctx, `
UPDATE api_key
SET last_used_at = $2
WHERE id = $1
AND COALESCE(last_used_at, 0) < $2`, id, when)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("touch keys: %w", err)
	}
	return nil
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
