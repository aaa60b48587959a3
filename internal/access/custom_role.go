package access

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// MaxCustomRoles is the number of custom roles that a workspace can have.
	MaxCustomRoles = 50
	// maxRoleName is the number of characters in the name of a custom role.
	maxRoleName = 64
)

// CustomRole is a role that a workspace defines for itself, in addition to the
// built-in ones.
type CustomRole struct {
	ID          int64
	WorkspaceID int64
	// Name identifies the role in keys and members, and never changes.
	Name        Role
	Permissions Permissions
	CreatedAt   time.Time
	UpdatedAt   time.Time
}

// permissionsIn returns what a caller with the roles may do in a workspace. A role
// that does not exist allows nothing.
func permissionsIn(ctx context.Context, directory Directory, workspace Workspace, held []Role) (Permissions, error) {
	set := permissionsOf(held, workspace.RolesRequired)
	if !slices.ContainsFunc(held, Role.custom) {
		return set, nil
	}
	defined, err := directory.ListRoles(ctx, workspace.ID)
	for _, role := range defined {
		if slices.Contains(held, role.Name) {
			set |= role.Permissions
		}
	}
	return set, err
}

// checkKnown returns an Invalid fault if one of the roles is neither built-in nor
// defined by the workspace.
func (s *Service) checkKnown(ctx context.Context, workspaceID int64, roles []Role) error {
	if !slices.ContainsFunc(roles, Role.custom) {
		return nil
	}
	known, err := s.RoleNames(ctx, workspaceID)
	if err != nil {
		return err
	}
	var problems fault.Problems
	for i, role := range roles {
		if !slices.Contains(known, role) {
			problems.Add(fault.In("roles", i), "enum", "Unknown role %q: use one of %s", role, joined(known))
		}
	}
	return problems.Err()
}

func joined(roles []Role) string {
	names := make([]string, len(roles))
	for i, role := range roles {
		names[i] = string(role)
	}
	return strings.Join(names, ", ")
}

// RoleNames returns the names of all roles of a workspace: first the built-in
// ones, the least powerful first, then its own by name.
func (s *Service) RoleNames(ctx context.Context, workspaceID int64) ([]Role, error) {
	names := Roles()
	defined, err := s.store.ListRoles(ctx, workspaceID)
	for _, role := range defined {
		names = append(names, role.Name)
	}
	return names, err
}

// CustomRoles returns the roles that a workspace defines, by name.
func (s *Service) CustomRoles(ctx context.Context, workspaceID int64) ([]CustomRole, error) {
	return s.store.ListRoles(ctx, workspaceID)
}

// CreateRole adds a role to a workspace. The fault is Invalid when the name or a
// permission is invalid, Forbidden unless the caller administers the workspace and
// has all of the permissions, and Conflict when the name is taken, ignoring case,
// or the workspace has too many roles.
func (s *Service) CreateRole(ctx context.Context, workspaceID int64, name string, permissions []string) (CustomRole, error) {
	var problems fault.Problems
	checkRoleName(name, &problems)
	set := readPermissions(permissions, &problems)
	if err := problems.Err(); err != nil {
		return CustomRole{}, err
	}
	if err := mayDefine(ctx, set); err != nil {
		return CustomRole{}, err
	}
	var created CustomRole
	err := s.store.InTx(ctx, func(ctx context.Context) (err error) {
		if err := s.checkRoom(ctx, workspaceID, name); err != nil {
			return err
		}
		created, err = s.store.CreateRole(ctx, CustomRole{WorkspaceID: workspaceID, Name: Role(name), Permissions: set})
		return err
	})
	return created, err
}

// checkRoleName reports the problems of the name of a custom role. Commands
// separate roles by commas.
func checkRoleName(name string, problems *fault.Problems) {
	message := ""
	switch unusable := strings.ContainsFunc(name, func(r rune) bool { return r == ',' || !unicode.IsPrint(r) }); {
	case name == "" || strings.TrimSpace(name) != name || unusable:
		message = "Input should have visible characters, no commas, and no spaces at its ends"
	case len([]rune(name)) > maxRoleName:
		message = fmt.Sprintf("Input should have at most %d characters", maxRoleName)
	case !RoleNamed(name).custom():
		message = fmt.Sprintf("%s is a built-in role: choose another name", RoleNamed(name))
	}
	if message != "" {
		problems.Add(fault.In("name"), "value_error", "%s", message)
	}
}

// readPermissions returns the permissions with the names, and reports those that
// custom roles cannot have.
func readPermissions(names []string, problems *fault.Problems) Permissions {
	for i, name := range names {
		p, known := permissionsByName[name]
		switch {
		case !known:
			problems.Add(fault.In("permissions", i), "enum", "Unknown permission: use %s", strings.Join(all.Names(), ", "))
		case p == Own:
			problems.Add(fault.In("permissions", i), "value_error", "OWN is reserved for owners")
		}
	}
	set := NamedPermissions(names)
	if !set.Has(Read) {
		problems.Add(fault.In("permissions"), "value_error", "Input should contain READ. For a key that only logs requests, use the role Ingest")
	}
	return set
}

// mayDefine returns a Forbidden fault unless the caller administers the workspace
// and has all of the permissions, so that nobody can escalate their permissions
// with a role.
func mayDefine(ctx context.Context, permissions Permissions) error {
	if err := Require(ctx, Admin); err != nil {
		return err
	}
	return requireCovers(ctx, permissions, "the role has")
}

func requireCovers(ctx context.Context, permissions Permissions, what string) error {
	if CallerOf(ctx).Permissions.Covers(permissions) {
		return nil
	}
	return fault.New(fault.Forbidden, "You do not have permission to do this: %s permissions that you do not have", what)
}

// checkRoom locks the workspace and returns a Conflict fault when it cannot have
// another role with the name.
func (s *Service) checkRoom(ctx context.Context, workspaceID int64, name string) error {
	if err := s.store.LockWorkspace(ctx, workspaceID); err != nil {
		return err
	}
	defined, err := s.store.ListRoles(ctx, workspaceID)
	if err != nil {
		return err
	}
	for _, role := range defined {
		if strings.EqualFold(string(role.Name), name) {
			return fault.Conflictf("A role named %q already exists", role.Name)
		}
	}
	if len(defined) >= MaxCustomRoles {
		return fault.Conflictf("The workspace already has %d roles of its own, which is the limit", MaxCustomRoles)
	}
	return nil
}

// ChangeRole replaces the permissions of a role. The fault is NotFound when the
// workspace has no such role, Invalid when a permission is invalid, and Forbidden
// unless the caller administers the workspace and has all permissions of the role,
// before and after.
func (s *Service) ChangeRole(ctx context.Context, workspaceID, id int64, permissions []string) (CustomRole, error) {
	var problems fault.Problems
	set := readPermissions(permissions, &problems)
	if err := problems.Err(); err != nil {
		return CustomRole{}, err
	}
	var changed CustomRole
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		before, err := s.lockedRole(ctx, workspaceID, id)
		if err != nil {
			return err
		}
		if err := mayDefine(ctx, before.Permissions|set); err != nil {
			return err
		}
		changed, err = s.store.ChangeRole(ctx, workspaceID, id, set)
		return err
	})
	s.guard.Forget()
	return changed, err
}

// lockedRole locks the workspace and returns one of its roles.
func (s *Service) lockedRole(ctx context.Context, workspaceID, id int64) (CustomRole, error) {
	if err := s.store.LockWorkspace(ctx, workspaceID); err != nil {
		return CustomRole{}, err
	}
	return s.store.GetRole(ctx, workspaceID, id)
}

// DeleteRole removes a role. The fault is NotFound when the workspace has no such
// role, Forbidden as for CreateRole, and Conflict when members or valid keys have
// the role.
func (s *Service) DeleteRole(ctx context.Context, workspaceID, id int64) error {
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		role, err := s.lockedRole(ctx, workspaceID, id)
		if err != nil {
			return err
		}
		if err := mayDefine(ctx, role.Permissions); err != nil {
			return err
		}
		if err := s.checkUnused(ctx, role); err != nil {
			return err
		}
		return s.store.DeleteRole(ctx, workspaceID, id)
	})
	s.guard.Forget()
	return err
}

// checkUnused returns a Conflict fault when members or valid keys have the role.
func (s *Service) checkUnused(ctx context.Context, role CustomRole) error {
	members, err := s.store.ListMembers(ctx, role.WorkspaceID)
	if err != nil {
		return err
	}
	keys, err := s.store.ListKeys(ctx, role.WorkspaceID)
	if err != nil {
		return err
	}
	members = slices.DeleteFunc(members, func(m Member) bool { return !slices.Contains(m.Roles, role.Name) })
	keys = slices.DeleteFunc(keys, func(k Key) bool { return k.ended(s.clock()) || !slices.Contains(k.Roles, role.Name) })
	if len(members)+len(keys) == 0 {
		return nil
	}
	return fault.Conflictf("The role %q is in use by %s and %s", role.Name, count(len(members), "member"), count(len(keys), "key"))
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
