package accounts

import (
	"context"
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
	err := r.Scan(&k.ID, &k.WorkspaceID, &hash, &k.Name, &k.LastFour, &k.OwnerEmail, engine.List(&k.Roles),
		engine.Time(&k.CreatedAt), engine.NullTime(&k.ExpiresAt), engine.NullTime(&k.LastUsedAt), engine.NullTime(&k.RevokedAt))
	copy(k.Hash[:], hash)
	return k, err
}

// CreateKey stores a key.
func (s *Store) CreateKey(ctx context.Context, key access.Key) (access.Key, error) {
	created, err := s.insertKey(ctx, key, `DO NOTHING`)
	if err != nil {
		return access.Key{}, fmt.Errorf("create key: %w", err)
	}
	if len(created) == 0 {
		return access.Key{}, fault.Conflictf("This key already exists")
	}
	return created[0], nil
}

// EnsureKey makes a key valid for its workspace. It writes nothing if it is.
func (s *Store) EnsureKey(ctx context.Context, key access.Key) (access.Key, error) {
	if known, valid, err := s.validKey(ctx, key); err != nil || valid {
		return known, engine.WrapError(err, "ensure key")
	}
	ensured, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.Key, error) {
		if known, valid, err := s.validKey(ctx, key); err != nil || valid {
			return known, err
		}
		all, err := s.insertKey(ctx, key,
			`DO UPDATE SET workspace_id = excluded.workspace_id, revoked_at = NULL, expires_at = NULL`)
		if err != nil {
			return access.Key{}, err
		}
		return all[0], nil
	})
	return engine.Wrap(ensured, err, "ensure key")
}

// validKey finds a key and reports whether it is valid for its workspace.
func (s *Store) validKey(ctx context.Context, key access.Key) (access.Key, bool, error) {
	known, err := s.FindKey(ctx, key.Hash)
	if fault.Is(err, fault.NotFound) {
		return access.Key{}, false, nil
	}
	return known, err == nil && known.WorkspaceID == key.WorkspaceID && known.ExpiresAt == nil, err
}

// insertKey returns the stored key, or an empty slice when onConflict does nothing.
func (s *Store) insertKey(ctx context.Context, key access.Key, onConflict string) ([]access.Key, error) {
	keys, err := engine.Transact(ctx, s.db, func(ctx context.Context) ([]access.Key, error) {
		stored, err := engine.ExecAll(ctx, s.db, scanKey, table.APIKey.Insert(`
(workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (hash) `+onConflict+`
RETURNING `+keyColumns), key.WorkspaceID, key.Hash[:], key.Name, key.LastFour, key.OwnerEmail, engine.ListText(key.Roles),
			s.db.Now(), key.ExpiresAt)
		if err != nil || len(stored) == 0 {
			return nil, err
		}
		return stored, s.noteKey(ctx, audit.Create, stored[0])
	})
	return keys, engine.Missing(err, "Workspace %d not found", key.WorkspaceID)
}

func (s *Store) noteKey(ctx context.Context, action audit.Action, key access.Key) error {
	more := engine.Detail{"ends_with": key.LastFour, "roles": append([]access.Role{}, key.Roles...)}
	if key.ExpiresAt != nil {
		more["expires_at"] = key.ExpiresAt
	}
	return engine.Note(ctx, s.db, &key.WorkspaceID, action, audit.Subject{Kind: audit.SubjectKey, ID: key.ID, Name: key.Name}, more)
}

// FindKey returns a key by its hash.
func (s *Store) FindKey(ctx context.Context, hash access.Hash) (access.Key, error) {
	key, err := engine.QueryOne(ctx, s.db, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE hash = $1
AND revoked_at IS NULL`, hash[:])
	return engine.Wrap(key, engine.NotFound(err, "Key not found"), "find key")
}

// GetKey returns a key by its id.
func (s *Store) GetKey(ctx context.Context, workspaceID, id int64) (access.Key, error) {
	key, err := engine.QueryOne(ctx, s.db, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(key, keyNotFound(err, id), "get key")
}

func keyNotFound(err error, id int64) error { return engine.NotFound(err, "Key %d not found", id) }

// ListKeys lists the keys of a workspace.
func (s *Store) ListKeys(ctx context.Context, workspaceID int64) ([]access.Key, error) {
	keys, err := engine.QueryAll(ctx, s.db, scanKey, `
SELECT `+keyColumns+`
FROM api_key
WHERE workspace_id = $1
ORDER BY id`, workspaceID)
	return engine.Wrap(keys, err, "list keys")
}

// RevokeKey invalidates a key.
func (s *Store) RevokeKey(ctx context.Context, workspaceID, id int64) (access.Key, error) {
	key, err := s.changeKey(ctx, audit.Revoke, `revoked_at = COALESCE(revoked_at, $3)`, workspaceID, id, s.db.Now())
	return engine.Wrap(key, err, "revoke key")
}

// ExpireKey makes a key expire.
func (s *Store) ExpireKey(ctx context.Context, workspaceID, id int64, when time.Time) (access.Key, error) {
	key, err := s.changeKey(ctx, audit.Rotate,
		`expires_at = CASE WHEN expires_at < $3 THEN expires_at ELSE $3 END`, workspaceID, id, when)
	return engine.Wrap(key, err, "expire key")
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

// TouchKeys records when keys were last used.
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
	return engine.WrapError(err, "touch keys")
}

// CountKeys counts all keys.
func (s *Store) CountKeys(ctx context.Context) (int64, error) {
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `SELECT COUNT(*) FROM api_key`)
	return engine.Wrap(count, err, "count keys")
}
