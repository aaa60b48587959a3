package access

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Service has the rules of workspaces, users and keys.
type Service struct {
	catalog Store
	guard   *Guard
	clock   func() time.Time
	hashers hashers
	tries   tries
}

// NewService returns a service over the catalog. The guard is told of changes.
func NewService(catalog Store, guard *Guard, clock func() time.Time) *Service {
	return &Service{catalog: catalog, guard: guard, clock: clock, hashers: make(hashers, 2), tries: tries{clock: clock}}
}

// Guard returns the guard that lets callers in.
func (s *Service) Guard() *Guard { return s.guard }

// Within returns the workspace that a caller asks about: their own without an
// id. Only owners may ask about another one. The fault is Forbidden for others
// and NotFound when there is no such workspace.
func (s *Service) Within(ctx context.Context, id *int64) (int64, error) {
	own := CallerOf(ctx).Workspace
	if id == nil || *id == own {
		return own, nil
	}
	if err := Require(ctx, Own); err != nil {
		return 0, err
	}
	workspace, err := s.catalog.GetWorkspace(ctx, *id)
	return workspace.ID, err
}

// CreateWorkspace adds a workspace. The fault is Forbidden unless the caller
// is an owner, Conflict when the name is taken, and Invalid when it cannot be.
func (s *Service) CreateWorkspace(ctx context.Context, name string) (Workspace, error) {
	if err := Require(ctx, Own); err != nil {
		return Workspace{}, err
	}
	return s.catalog.CreateWorkspace(ctx, name)
}

// Workspaces returns the workspaces that the caller can see: all for owners,
// those that they are a member of for people, its own for a key.
func (s *Service) Workspaces(ctx context.Context) ([]Workspace, error) {
	if Require(ctx, Own) == nil {
		return s.catalog.ListWorkspaces(ctx)
	}
	caller := CallerOf(ctx)
	if caller.UserID == 0 {
		own, err := s.catalog.GetWorkspace(ctx, caller.Workspace)
		return []Workspace{own}, err
	}
	memberships, err := s.catalog.ListMemberships(ctx, caller.UserID)
	visible := make([]Workspace, len(memberships))
	for i, m := range memberships {
		visible[i] = m.Workspace
	}
	return visible, err
}

// WorkspacePatch is what can be changed of a workspace; nil keeps it.
type WorkspacePatch struct {
	Name          *string
	RolesRequired *bool
	Disabled      *bool
}

// ChangeWorkspace changes a workspace, all of it or nothing. The fault is
// Forbidden unless the caller administers it (and is an owner, to disable or
// enable it), NotFound when there is none, Conflict when the name is taken,
// and Invalid when it cannot be.
func (s *Service) ChangeWorkspace(ctx context.Context, id int64, patch WorkspacePatch) (Workspace, error) {
	if _, err := s.Within(ctx, &id); err != nil {
		return Workspace{}, err
	}
	needed := []Permission{Admin}
	if patch.Disabled != nil {
		needed = append(needed, Own)
	}
	if err := Require(ctx, needed...); err != nil {
		return Workspace{}, err
	}
	var changed Workspace
	err := s.catalog.InTx(ctx, func(ctx context.Context) (err error) {
		changed, err = s.applyPatch(ctx, id, patch)
		return err
	})
	s.guard.Forget()
	return changed, err
}

func (s *Service) applyPatch(ctx context.Context, id int64, patch WorkspacePatch) (Workspace, error) {
	if patch.Name != nil {
		if _, err := s.catalog.RenameWorkspace(ctx, id, *patch.Name); err != nil {
			return Workspace{}, err
		}
	}
	if patch.RolesRequired != nil {
		if _, err := s.catalog.RequireRoles(ctx, id, *patch.RolesRequired); err != nil {
			return Workspace{}, err
		}
	}
	if patch.Disabled != nil {
		set := s.catalog.EnableWorkspace
		if *patch.Disabled {
			set = s.catalog.DisableWorkspace
		}
		if _, err := set(ctx, id); err != nil {
			return Workspace{}, err
		}
	}
	return s.catalog.GetWorkspace(ctx, id)
}

// NewKeyInput says what a key shall be.
type NewKeyInput struct {
	Name      string
	Roles     []Role
	ExpiresAt *time.Time
}

// CreateKey makes a key for a workspace and returns it with its secret, which
// is stored nowhere. The fault is Forbidden unless the caller may manage keys
// and may do all that the key may, and Invalid when it would have ended
// already.
func (s *Service) CreateKey(ctx context.Context, workspaceID int64, input NewKeyInput) (Key, string, error) {
	if input.ExpiresAt != nil && !s.clock().Before(*input.ExpiresAt) {
		var problems fault.Problems
		problems.Add([]any{"body", "expires_at"}, "value_error", "This time has passed")
		return Key{}, "", problems.Err()
	}
	if err := s.mayGrant(ctx, workspaceID, input.Roles); err != nil {
		return Key{}, "", err
	}
	secret := NewKey()
	key := Key{
		WorkspaceID: workspaceID, Name: input.Name, Roles: normalRoles(input.Roles), ExpiresAt: input.ExpiresAt,
		Hash: HashOf(secret), LastFour: LastFour(secret),
	}
	if email := CallerOf(ctx).Email; email != "" {
		key.OwnerEmail = &email
	}
	created, err := s.catalog.CreateKey(ctx, key)
	return created, secret, err
}

// mayGrant returns a Forbidden fault unless the caller may manage keys and may
// do all that a key with the roles may: nobody gets further by a key.
func (s *Service) mayGrant(ctx context.Context, workspaceID int64, roles []Role) error {
	if err := Require(ctx, ManageKeys); err != nil {
		return err
	}
	workspace, err := s.catalog.GetWorkspace(ctx, workspaceID)
	if err != nil {
		return err
	}
	if !CallerOf(ctx).Permissions.Covers(permissionsOf(roles, workspace.RolesRequired)) {
		return fault.New(fault.Forbidden, "You do not have permission to do this: the key may do more than you")
	}
	return nil
}

// Keys returns all keys of a workspace, revoked ones too, oldest first. The
// fault is Forbidden unless the caller may manage keys.
func (s *Service) Keys(ctx context.Context, workspaceID int64) ([]Key, error) {
	if err := Require(ctx, ManageKeys); err != nil {
		return nil, err
	}
	return s.catalog.ListKeys(ctx, workspaceID)
}

// RevokeKey makes a key invalid at once and returns it. The fault is NotFound
// when the workspace has none, and Forbidden as for CreateKey.
func (s *Service) RevokeKey(ctx context.Context, workspaceID, id int64) (Key, error) {
	if _, err := s.managedKey(ctx, workspaceID, id); err != nil {
		return Key{}, err
	}
	revoked, err := s.catalog.RevokeKey(ctx, workspaceID, id)
	s.guard.Forget()
	return revoked, err
}

// RotateKey makes a new key with the name, roles, owner and end of an old one,
// which works for a while longer, and returns the new one with its secret. The
// fault is NotFound when the workspace has no such key, Conflict when it works
// no longer, and Forbidden as for CreateKey.
func (s *Service) RotateKey(ctx context.Context, workspaceID, id int64, overlap time.Duration) (Key, string, error) {
	secret := NewKey()
	var rotated Key
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		old, err := s.managedKey(ctx, workspaceID, id)
		if err != nil {
			return err
		}
		now := s.clock()
		if old.ended(now) {
			return errEnded()
		}
		expired, err := s.catalog.ExpireKey(ctx, workspaceID, id, now.Add(overlap))
		if err != nil {
			return err
		}
		if expired.RevokedAt != nil {
			return errEnded() // somebody else revoked it just now
		}
		old.Hash, old.LastFour = HashOf(secret), LastFour(secret)
		rotated, err = s.catalog.CreateKey(ctx, old)
		return err
	})
	s.guard.Forget()
	return rotated, secret, err
}

func errEnded() error { return fault.Conflictf("this key works no longer") }

// managedKey returns a key that the caller may do all with.
func (s *Service) managedKey(ctx context.Context, workspaceID, id int64) (Key, error) {
	key, err := s.catalog.GetKey(ctx, workspaceID, id)
	if err != nil {
		return Key{}, err
	}
	return key, s.mayGrant(ctx, workspaceID, key.Roles)
}
