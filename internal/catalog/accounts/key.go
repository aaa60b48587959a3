package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

const keyColumns = `id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at`

func scanKey(r engine.Row) (access.Key, error) {
	var k access.Key
	var hash []byte
	err := r.Scan(&k.ID, &k.WorkspaceID, &hash, &k.Name, &k.LastFour, &k.OwnerEmail, rolesOf{&k.Roles},
		engine.Time(&k.CreatedAt), engine.NullTime(&k.ExpiresAt), engine.NullTime(&k.LastUsedAt), engine.NullTime(&k.RevokedAt))
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
func (s *Store) CreateKey(ctx context.Context, key access.Key) (access.Key, error) {
	created, err := s.insertKey(ctx, key, `DO NOTHING`)
	if err != nil {
		return access.Key{}, fmt.Errorf("create key: %w", err)
	}
	if len(created) == 0 {
		return access.Key{}, fault.Conflictf("this key already exists")
	}
	return created[0], nil
}

// EnsureKey makes a key valid for its workspace whatever was before: it is
// stored when unknown, revived when revoked or expired, and moved when it
// belonged to another workspace. A known key keeps its id, name, owner and
// time; a valid one is not touched. The fault is NotFound when the workspace
// is unknown.
func (s *Store) EnsureKey(ctx context.Context, key access.Key) (access.Key, error) {
	ensured, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.Key, error) {
		known, err := s.FindKey(ctx, key.Hash)
		if err == nil && known.WorkspaceID == key.WorkspaceID && known.ExpiresAt == nil {
			return known, nil
		}
		if err != nil && !fault.Is(err, fault.NotFound) {
			return access.Key{}, err
		}
		all, err := s.insertKey(ctx, key,
			`DO UPDATE SET workspace_id = excluded.workspace_id, revoked_at = NULL, expires_at = NULL`)
		if err != nil {
			return access.Key{}, err
		}
		return all[0], nil
	})
	if err != nil {
		return access.Key{}, fmt.Errorf("ensure key: %w", err)
	}
	return ensured, nil
}

// insertKey returns the stored key, or none when onConflict does nothing.
func (s *Store) insertKey(ctx context.Context, key access.Key, onConflict string) ([]access.Key, error) {
	keys, err := engine.Transact(ctx, s.db, func(ctx context.Context) ([]access.Key, error) {
		stored, err := engine.ExecAll(ctx, s.db, scanKey, table.APIKey.Insert(`
(workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (hash) `+onConflict+`
RETURNING `+keyColumns), key.WorkspaceID, key.Hash[:], key.Name, key.LastFour, key.OwnerEmail, rolesText(key.Roles),
			s.db.Now(), key.ExpiresAt)
		if err != nil || len(stored) == 0 {
			return nil, err
		}
		return stored, s.noteKey(ctx, audit.Create, stored[0])
	})
	return keys, engine.Missing(err, "workspace %d not found", key.WorkspaceID)
}

func (s *Store) noteKey(ctx context.Context, action audit.Action, key access.Key) error {
	more := engine.Detail{"ends_with": key.LastFour, "roles": append([]access.Role{}, key.Roles...)}
	if key.ExpiresAt != nil {
		more["expires_at"] = key.ExpiresAt
	}
	return engine.Note(ctx, s.db, &key.WorkspaceID, action, audit.Subject{Kind: audit.SubjectKey, ID: key.ID, Name: key.Name}, more)
}

// FindKey returns the key with the hash, also one that has expired; the fault
// is NotFound when it is unknown or revoked.
func (s *Store) FindKey(ctx context.Context, hash access.Hash) (access.Key, error) {
	key, err := engine.QueryOne(ctx, s.db, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE hash = $1
AND revoked_at IS NULL`, hash[:])
	if err != nil {
		return access.Key{}, fmt.Errorf("find key: %w", engine.NotFound(err, "key not found"))
	}
	return key, nil
}

// GetKey returns a key by its id, revoked or not; the fault is NotFound when
// the workspace has none.
func (s *Store) GetKey(ctx context.Context, workspaceID, id int64) (access.Key, error) {
	key, err := engine.QueryOne(ctx, s.db, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	if err != nil {
		return access.Key{}, fmt.Errorf("get key: %w", keyNotFound(err, id))
	}
	return key, nil
}

func keyNotFound(err error, id int64) error { return engine.NotFound(err, "key %d not found", id) }

// ListKeys returns all keys of a workspace, revoked ones too, oldest first.
func (s *Store) ListKeys(ctx context.Context, workspaceID int64) ([]access.Key, error) {
	keys, err := engine.QueryAll(ctx, s.db, scanKey, `
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
func (s *Store) RevokeKey(ctx context.Context, workspaceID, id int64) (access.Key, error) {
	key, err := s.changeKey(ctx, audit.Revoke, `revoked_at = COALESCE(revoked_at, $3)`, workspaceID, id, s.db.Now())
	if err != nil {
		return access.Key{}, fmt.Errorf("revoke key: %w", err)
	}
	return key, nil
}

// ExpireKey lets a key end at a time, or earlier where it would have, and
// returns it. The fault is NotFound when the workspace has no such key.
func (s *Store) ExpireKey(ctx context.Context, workspaceID, id int64, when time.Time) (access.Key, error) {
	key, err := s.changeKey(ctx, audit.Rotate,
		`expires_at = CASE WHEN expires_at < $3 THEN expires_at ELSE $3 END`, workspaceID, id, when)
	if err != nil {
		return access.Key{}, fmt.Errorf("expire key: %w", err)
	}
	return key, nil
}

func (s *Store) changeKey(ctx context.Context, action audit.Action, set string, workspaceID, id int64, arg any) (access.Key, error) {
	return engine.Transact(ctx, s.db, func(ctx context.Context) (access.Key, error) {
		key, err := engine.ExecOne(ctx, s.db, scanKey, table.APIKey.Update(`
SET `+set+`
WHERE workspace_id = $1
AND id = $2
RETURNING `+keyColumns), workspaceID, id, arg)
		if err != nil {
			return access.Key{}, keyNotFound(err, id)
		}
		return key, s.noteKey(ctx, action, key)
	})
}

// TouchKeys remembers when keys were used last, by their ids. Unknown ones do
// not matter.
func (s *Store) TouchKeys(ctx context.Context, used map[int64]time.Time) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		for id, when := range used {
			_, err := engine.ExecUnaudited(ctx, s.db, table.APIKey.Update(`
SET last_used_at = $2
WHERE id = $1
AND COALESCE(last_used_at, 0) < $2`), id, when)
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
func (s *Store) CountKeys(ctx context.Context) (int64, error) {
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `SELECT COUNT(*) FROM api_key`)
	if err != nil {
		return 0, fmt.Errorf("count keys: %w", err)
	}
	return count, nil
}
