package access

import (
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// linkFor is how long a sign-in link is valid.
const linkFor = 7 * 24 * time.Hour

// SignInPath returns the path in the web app that redeems a token. The token is in
// the fragment, so that it never appears in server logs.
func SignInPath(token string) string { return "/sign-in#token=" + token }

// Invitation is an invited member. Token signs in to a new account once; it is ""
// if the user already had an account.
type Invitation struct {
	Member Member
	Token  string
}

// Invite adds a user to a workspace with the roles. The fault is Forbidden unless
// the caller administers the workspace and has all permissions of the roles, or when the account was created by
// another workspace and the caller is not an owner; Invalid when the address or a
// role is invalid, and Conflict when the user is already a member.
func (s *Service) Invite(ctx context.Context, workspaceID int64, email string, roles []Role) (Invitation, error) {
	if err := s.checkMember(ctx, email, roles); err != nil {
		return Invitation{}, err
	}
	var invited Invitation
	err := s.store.InTx(ctx, func(ctx context.Context) (err error) {
		invited, err = s.invite(ctx, workspaceID, email, normalRoles(roles))
		return err
	})
	return invited, err
}

func (s *Service) checkMember(ctx context.Context, email string, roles []Role) error {
	var problems fault.Problems
	checkEmail(email, &problems)
	checkRoles(roles, &problems)
	if err := problems.Err(); err != nil {
		return err
	}
	return Require(ctx, Admin)
}

// checkRoles rejects the roles that members cannot have.
func checkRoles(roles []Role, problems *fault.Problems) {
	if slices.Contains(roles, Owner) {
		problems.Add(fault.In("roles"), "value_error", "Owner is not a role of members: set the field owner instead")
	}
	if slices.Contains(roles, Ingest) {
		problems.Add(fault.In("roles"), "value_error", "Ingest is a role of keys only")
	}
}

func (s *Service) invite(ctx context.Context, workspaceID int64, email string, roles []Role) (Invitation, error) {
	// The lock serializes invitations, so that nobody becomes a member twice.
	if err := s.lockRoles(ctx, workspaceID, roles); err != nil {
		return Invitation{}, err
	}
	if err := s.coversRoles(ctx, workspaceID, roles, "the member would have"); err != nil {
		return Invitation{}, err
	}
	user, isNew, err := s.account(ctx, workspaceID, email)
	if err != nil {
		return Invitation{}, err
	}
	if _, err := s.store.FindMember(ctx, workspaceID, user.ID); err == nil {
		return Invitation{}, fault.Conflictf("%s is already a member of this workspace", user.Email)
	} else if !fault.Is(err, fault.NotFound) {
		return Invitation{}, err
	}
	var invited Invitation
	if invited.Member, err = s.store.SetMember(ctx, workspaceID, user.ID, roles); err != nil || !isNew && !unused(user, workspaceID) {
		return invited, err
	}
	invited.Token, err = s.link(ctx, user.ID)
	return invited, err
}

// account returns the user with an address, creating it if necessary, and reports
// whether it is new. The fault is Forbidden for an account created by the
// administrators of another workspace, unless the caller is an owner: those
// administrators had the sign-in link and may be the ones who use the account.
func (s *Service) account(ctx context.Context, workspaceID int64, email string) (user User, isNew bool, err error) {
	isOwner := Require(ctx, Own) == nil
	user, err = s.store.FindUser(ctx, email)
	switch {
	case fault.Is(err, fault.NotFound) && isOwner:
		user, err = s.store.CreateUser(ctx, email, false)
		return user, true, err
	case fault.Is(err, fault.NotFound):
		user, err = s.store.OpenAccount(ctx, workspaceID, email)
		return user, true, err
	case err == nil && !isOwner && user.OpenedBy != nil && *user.OpenedBy != workspaceID:
		return user, false, fault.New(fault.Forbidden, "The account %s was created by another workspace: only an owner can invite it", user.Email)
	}
	return user, false, err
}

// unused reports whether the workspace created the account and nobody has used it
// yet, so that another invitation may return another link.
func unused(user User, workspaceID int64) bool {
	return user.OpenedBy != nil && *user.OpenedBy == workspaceID && user.LastSignInAt == nil && user.Password == "" && !user.Owner
}

// link creates a token that signs in once.
func (s *Service) link(ctx context.Context, userID int64) (string, error) {
	token := newSecret()
	return token, s.store.SetSignInLink(ctx, userID, HashOf(token), s.clock().Add(linkFor))
}

// MakeLink creates a token with which a user can sign in once and set a new
// password. The fault is NotFound when the user does not exist, and Forbidden
// unless the caller is an owner, because the token gives access to all of the
// user's workspaces.
func (s *Service) MakeLink(ctx context.Context, userID int64) (string, error) {
	if _, err := s.store.GetUser(ctx, userID); err != nil {
		return "", hideUnknown(ctx, err)
	}
	if err := Require(ctx, Own); err != nil {
		return "", err
	}
	return s.link(ctx, userID)
}

// UnusedOwner returns the first owner if no owner has ever signed in, else nil.
// The fault is Forbidden unless the caller is an owner.
func (s *Service) UnusedOwner(ctx context.Context) (*User, error) {
	if err := Require(ctx, Own); err != nil {
		return nil, err
	}
	users, err := s.store.ListUsers(ctx)
	if err != nil {
		return nil, err
	}
	owners := slices.DeleteFunc(users, func(u User) bool { return !u.Owner })
	if len(owners) == 0 || slices.ContainsFunc(owners, func(u User) bool { return u.LastSignInAt != nil || u.Password != "" }) {
		return nil, nil
	}
	return &owners[0], nil
}

// OfferLink is MakeLink with a token that the caller chooses, for a user without
// another link that is still valid. It reports whether the token is valid now.
// Offering it again extends its time.
func (s *Service) OfferLink(ctx context.Context, userID int64, token string) (bool, error) {
	if err := Require(ctx, Own); err != nil {
		return false, err
	}
	return s.store.OfferSignInLink(ctx, userID, HashOf(token), s.clock().Add(linkFor))
}

// hideUnknown hides from everyone except owners which accounts exist.
func hideUnknown(ctx context.Context, err error) error {
	if forbidden := Require(ctx, Own); forbidden != nil {
		return forbidden
	}
	return err
}

// Members returns the members of a workspace. The fault is Forbidden unless
// the caller administers it.
func (s *Service) Members(ctx context.Context, workspaceID int64) ([]Member, error) {
	if err := Require(ctx, Admin); err != nil {
		return nil, err
	}
	return s.store.ListMembers(ctx, workspaceID)
}

// FindUser returns the user with an address, or a NotFound fault. The fault is
// Forbidden unless the caller is an owner.
func (s *Service) FindUser(ctx context.Context, email string) (User, error) {
	if err := Require(ctx, Own); err != nil {
		return User{}, err
	}
	return s.store.FindUser(ctx, email)
}

// MemberPatch changes a member; nil fields are kept.
type MemberPatch struct {
	Roles *[]Role
	Owner *bool
}

// ChangeMember applies a patch to a member, completely or not at all. The fault is
// NotFound when the workspace has no such member, Forbidden unless the caller
// administers the workspace (and is an owner, to change Owner; and has all
// permissions of the roles before and after, to change Roles), Invalid when a role
// is invalid, and Conflict when no owner would be left.
func (s *Service) ChangeMember(ctx context.Context, workspaceID, userID int64, patch MemberPatch) (Member, error) {
	if patch.Roles != nil {
		var problems fault.Problems
		checkRoles(*patch.Roles, &problems)
		if err := problems.Err(); err != nil {
			return Member{}, err
		}
	}
	var changed Member
	err := s.store.InTx(ctx, func(ctx context.Context) (err error) {
		// A change must not add back a member who is removed concurrently.
		if err := s.store.LockWorkspace(ctx, workspaceID); err != nil {
			return err
		}
		before, err := s.store.FindMember(ctx, workspaceID, userID)
		if err != nil {
			return err
		}
		changed, err = s.applyMember(ctx, before, patch)
		return err
	})
	s.guard.Forget()
	return changed, err
}

func (s *Service) applyMember(ctx context.Context, before Member, patch MemberPatch) (Member, error) {
	needed := []Permission{Admin}
	if patch.Owner != nil {
		needed = append(needed, Own)
	}
	if err := Require(ctx, needed...); err != nil {
		return Member{}, err
	}
	if patch.Owner != nil {
		if _, err := s.store.SetOwner(ctx, before.ID, *patch.Owner); err != nil {
			return Member{}, err
		}
	}
	if patch.Roles != nil {
		return s.replaceRoles(ctx, before, *patch.Roles)
	}
	return s.store.FindMember(ctx, before.WorkspaceID, before.ID)
}

// replaceRoles sets the roles of a member. Callers can neither give nor take
// permissions that they do not have.
func (s *Service) replaceRoles(ctx context.Context, before Member, roles []Role) (Member, error) {
	if err := s.checkKnown(ctx, before.WorkspaceID, roles); err != nil {
		return Member{}, err
	}
	if err := s.coversRoles(ctx, before.WorkspaceID, before.Roles, "the member has"); err != nil {
		return Member{}, err
	}
	if err := s.coversRoles(ctx, before.WorkspaceID, roles, "the member would have"); err != nil {
		return Member{}, err
	}
	return s.store.SetMember(ctx, before.WorkspaceID, before.ID, normalRoles(roles))
}

// RemoveMember removes a user from a workspace. The fault is NotFound when the
// user is not a member, and Forbidden unless the caller administers the
// workspace and has all permissions of the member's roles.
func (s *Service) RemoveMember(ctx context.Context, workspaceID, userID int64) error {
	member, err := s.store.FindMember(ctx, workspaceID, userID)
	if err != nil {
		return err
	}
	if err := Require(ctx, Admin); err != nil {
		return err
	}
	if err := s.coversRoles(ctx, workspaceID, member.Roles, "the member has"); err != nil {
		return err
	}
	err = s.store.RemoveMember(ctx, workspaceID, userID)
	s.guard.Forget()
	return err
}
