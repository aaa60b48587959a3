package access

import (
	"cmp"
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Service has the rules of workspaces, users and keys.
type Service struct {
	store   Store
	guard   *Guard
	clock   func() time.Time
	hashers hashers
	tries   *tries
}

// NewService returns a service that uses the store. It clears the cache of the
// guard after changes.
func NewService(store Store, guard *Guard, clock func() time.Time) *Service {
	return &Service{store: store, guard: guard, clock: clock, hashers: make(hashers, 2), tries: newTries(clock)}
}

// Guard returns the guard that authenticates callers.
func (s *Service) Guard() *Guard { return s.guard }

// CreateWorkspace adds a workspace. The fault is Forbidden unless the caller is an
// owner, Conflict when the name is taken, and Invalid when it is invalid.
func (s *Service) CreateWorkspace(ctx context.Context, name string) (Workspace, error) {
	if err := Require(ctx, Own); err != nil {
		return Workspace{}, err
	}
	return s.store.CreateWorkspace(ctx, name)
}

// Workspaces returns the workspaces that the caller can see: all for an owner, the
// user's workspaces for a user, and its own for a key.
func (s *Service) Workspaces(ctx context.Context) ([]Workspace, error) {
	if Require(ctx, Own) == nil {
		return s.store.ListWorkspaces(ctx)
	}
	caller := CallerOf(ctx)
	if caller.UserID == 0 {
		own, err := s.store.GetWorkspace(ctx, caller.Workspace)
		return []Workspace{own}, err
	}
	memberships, err := s.store.ListMemberships(ctx, caller.UserID)
	visible := make([]Workspace, len(memberships))
	for i, m := range memberships {
		visible[i] = m.Workspace
	}
	return visible, err
}

// WorkspacePatch changes a workspace; nil fields are kept.
type WorkspacePatch struct {
	Name          *string
	RolesRequired *bool
	Disabled      *bool
}

// ChangeWorkspace applies a patch to a workspace, completely or not at all. The
// fault is Forbidden unless the caller administers the workspace (and is an owner,
// to disable or enable it; and has all permissions of callers without a role, to
// stop requiring roles), NotFound when there is none, Conflict when the name is
// taken, and Invalid when it is invalid.
func (s *Service) ChangeWorkspace(ctx context.Context, id int64, patch WorkspacePatch) (Workspace, error) {
	needed := []Permission{Admin}
	if patch.Disabled != nil || id != CallerOf(ctx).Workspace {
		needed = append(needed, Own)
	}
	if err := Require(ctx, needed...); err != nil {
		return Workspace{}, err
	}
	if patch.RolesRequired != nil && !*patch.RolesRequired {
		if err := requireCovers(ctx, unassigned, "callers without a role would have"); err != nil {
			return Workspace{}, err
		}
	}
	var changed Workspace
	err := s.store.InTx(ctx, func(ctx context.Context) (err error) {
		changed, err = s.applyPatch(ctx, id, patch)
		return err
	})
	s.guard.Forget()
	return changed, err
}

func (s *Service) applyPatch(ctx context.Context, id int64, patch WorkspacePatch) (Workspace, error) {
	if patch.Name != nil {
		if _, err := s.store.RenameWorkspace(ctx, id, *patch.Name); err != nil {
			return Workspace{}, err
		}
	}
	if patch.RolesRequired != nil {
		if _, err := s.store.RequireRoles(ctx, id, *patch.RolesRequired); err != nil {
			return Workspace{}, err
		}
	}
	if patch.Disabled != nil {
		set := s.store.EnableWorkspace
		if *patch.Disabled {
			set = s.store.DisableWorkspace
		}
		if _, err := set(ctx, id); err != nil {
			return Workspace{}, err
		}
	}
	return s.store.GetWorkspace(ctx, id)
}

// NewKeyInput is a key to create.
type NewKeyInput struct {
	Name      string
	Roles     []Role
	ExpiresAt *time.Time
}

// CreateKey creates a key for a workspace and returns it with its secret, which is
// not stored. The fault is Forbidden unless the caller may manage keys and has all
// permissions of the key, and Invalid when the key would already be expired or a
// role does not exist.
func (s *Service) CreateKey(ctx context.Context, workspaceID int64, input NewKeyInput) (Key, string, error) {
	if input.ExpiresAt != nil && !s.clock().Before(*input.ExpiresAt) {
		var problems fault.Problems
		problems.Add(fault.In("expires_at"), "value_error", "Input should be in the future")
		return Key{}, "", problems.Err()
	}
	secret := NewKey()
	key := Key{
		WorkspaceID: workspaceID, Name: input.Name, Roles: normalRoles(input.Roles), ExpiresAt: input.ExpiresAt,
		Hash: HashOf(secret), LastFour: LastFour(secret),
	}
	if email := CallerOf(ctx).Email; email != "" {
		key.OwnerEmail = &email
	}
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		if err := s.lockRoles(ctx, workspaceID, input.Roles); err != nil {
			return err
		}
		if err := s.mayGrant(ctx, workspaceID, input.Roles); err != nil {
			return err
		}
		created, err := s.store.CreateKey(ctx, key)
		key = created
		return err
	})
	return key, secret, err
}

// lockRoles locks the workspace, so that its roles are not deleted in the meantime, and
// returns an Invalid fault if one of the roles does not exist.
func (s *Service) lockRoles(ctx context.Context, workspaceID int64, roles []Role) error {
	if err := s.store.LockWorkspace(ctx, workspaceID); err != nil {
		return err
	}
	return s.checkKnown(ctx, workspaceID, roles)
}

// mayGrant returns a Forbidden fault unless the caller may manage keys and has all
// permissions of a key with the roles, so that nobody can escalate their
// permissions with a key.
func (s *Service) mayGrant(ctx context.Context, workspaceID int64, roles []Role) error {
	if err := Require(ctx, ManageKeys); err != nil {
		return err
	}
	return s.coversRoles(ctx, workspaceID, roles, "the key has")
}

// coversRoles returns a Forbidden fault unless the caller has all permissions that
// the roles give in the workspace.
func (s *Service) coversRoles(ctx context.Context, workspaceID int64, roles []Role, what string) error {
	workspace, err := s.store.GetWorkspace(ctx, workspaceID)
	if err != nil {
		return err
	}
	permissions, err := permissionsIn(ctx, s.store, workspace, roles)
	if err != nil {
		return err
	}
	return requireCovers(ctx, permissions, what)
}

// Keys returns all keys of a workspace, including revoked ones, oldest first. The
// fault is Forbidden unless the caller may manage keys.
func (s *Service) Keys(ctx context.Context, workspaceID int64) ([]Key, error) {
	if err := Require(ctx, ManageKeys); err != nil {
		return nil, err
	}
	return s.store.ListKeys(ctx, workspaceID)
}

// KeyNames returns the names of all keys of a workspace by id, including revoked
// ones. A key without a name is shown by its last characters. This needs no
// permission: anyone who may read request logs sees which key each was sent with.
func (s *Service) KeyNames(ctx context.Context, workspaceID int64) (map[int64]string, error) {
	keys, err := s.store.ListKeys(ctx, workspaceID)
	names := make(map[int64]string, len(keys))
	for _, key := range keys {
		names[key.ID] = cmp.Or(key.Name, "…"+key.LastFour)
	}
	return names, err
}

// RevokeKey invalidates a key immediately and returns it. The fault is NotFound
// when the workspace has no such key, and Forbidden as for CreateKey.
func (s *Service) RevokeKey(ctx context.Context, workspaceID, id int64) (Key, error) {
	if _, err := s.managedKey(ctx, workspaceID, id); err != nil {
		return Key{}, err
	}
	revoked, err := s.store.RevokeKey(ctx, workspaceID, id)
	s.guard.Forget()
	return revoked, err
}

// RotateKey creates a key with the name, roles, owner and expiry of an old one and
// returns it with its secret. The old key stays valid for the overlap. The fault
// is NotFound when the workspace has no such key, Conflict when the key is revoked
// or expired, and Forbidden as for CreateKey.
func (s *Service) RotateKey(ctx context.Context, workspaceID, id int64, overlap time.Duration) (Key, string, error) {
	secret := NewKey()
	var rotated Key
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		old, err := s.managedKey(ctx, workspaceID, id)
		if err != nil {
			return err
		}
		now := s.clock()
		if old.ended(now) {
			return errEnded()
		}
		expired, err := s.store.ExpireKey(ctx, workspaceID, id, now.Add(overlap))
		if err != nil {
			return err
		}
		if expired.RevokedAt != nil {
			return errEnded() // revoked concurrently
		}
		old.Hash, old.LastFour = HashOf(secret), LastFour(secret)
		rotated, err = s.store.CreateKey(ctx, old)
		return err
	})
	s.guard.Forget()
	return rotated, secret, err
}

func errEnded() error { return fault.Conflictf("This key is revoked or expired") }

// managedKey returns a key that the caller may manage.
func (s *Service) managedKey(ctx context.Context, workspaceID, id int64) (Key, error) {
	key, err := s.store.GetKey(ctx, workspaceID, id)
	if err != nil {
		return Key{}, err
	}
	return key, s.mayGrant(ctx, workspaceID, key.Roles)
}
