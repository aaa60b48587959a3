package access

import (
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// linkFor is how long a link to sign in with works.
const linkFor = 7 * 24 * time.Hour

// SignInPath is where a token is redeemed in the web app. The token stands behind the
// hash sign, so that it never reaches the log of a server.
func SignInPath(token string) string { return "/sign-in#token=" + token }

// Invitation is a member who was invited. Token opens a new account once; it
// is "" where the person has an account already.
type Invitation struct {
	Member Member
	Token  string
}

// Invite makes somebody a member of a workspace with the roles. The fault is
// Forbidden unless the caller administers it, or when the account was opened by
// another workspace and the caller is no owner; Invalid when the address or a
// role cannot be, and Conflict when they are a member already.
func (s *Service) Invite(ctx context.Context, workspaceID int64, email string, roles []Role) (Invitation, error) {
	if err := s.checkMember(ctx, email, roles); err != nil {
		return Invitation{}, err
	}
	var invited Invitation
	err := s.catalog.InTx(ctx, func(ctx context.Context) (err error) {
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

// checkRoles refuses the role that no member can have.
func checkRoles(roles []Role, problems *fault.Problems) {
	if slices.Contains(roles, Owner) {
		problems.Add([]any{"body", "roles"}, "value_error", "Owners are made by the member owner, not by a role")
	}
}

func (s *Service) invite(ctx context.Context, workspaceID int64, email string, roles []Role) (Invitation, error) {
	// One after the other, so that nobody becomes a member twice.
	if err := s.catalog.LockWorkspace(ctx, workspaceID); err != nil {
		return Invitation{}, err
	}
	user, isNew, err := s.account(ctx, workspaceID, email)
	if err != nil {
		return Invitation{}, err
	}
	if _, err := s.catalog.FindMember(ctx, workspaceID, user.ID); err == nil {
		return Invitation{}, fault.Conflictf("%s is a member of this workspace already", user.Email)
	} else if !fault.Is(err, fault.NotFound) {
		return Invitation{}, err
	}
	var invited Invitation
	if invited.Member, err = s.catalog.SetMember(ctx, workspaceID, user.ID, roles); err != nil || !isNew && !unused(user, workspaceID) {
		return invited, err
	}
	invited.Token, err = s.link(ctx, user.ID)
	return invited, err
}

// account returns the account with an address, and whether it is new because
// there was none.
// The fault is Forbidden for an account that was opened by the administrators
// of another workspace, unless the caller is an owner: those administrators may
// be the ones who sign in with it.
func (s *Service) account(ctx context.Context, workspaceID int64, email string) (user User, isNew bool, err error) {
	isOwner := Require(ctx, Own) == nil
	user, err = s.catalog.FindUser(ctx, email)
	switch {
	case fault.Is(err, fault.NotFound) && isOwner:
		user, err = s.catalog.CreateUser(ctx, email, false)
		return user, true, err
	case fault.Is(err, fault.NotFound):
		user, err = s.catalog.OpenAccount(ctx, workspaceID, email)
		return user, true, err
	case err == nil && !isOwner && user.OpenedBy != nil && *user.OpenedBy != workspaceID:
		return user, false, fault.New(fault.Forbidden, "The account %s was opened by another workspace: only an owner can invite it", user.Email)
	}
	return user, false, err
}

// unused reports whether the workspace opened the account and nobody has used
// it yet, so that whoever invites again may have another link.
func unused(user User, workspaceID int64) bool {
	return user.OpenedBy != nil && *user.OpenedBy == workspaceID && user.LastSignInAt == nil && user.Password == "" && !user.Owner
}

// link makes a token that signs in once.
func (s *Service) link(ctx context.Context, userID int64) (string, error) {
	token := newSecret()
	return token, s.catalog.SetSignInLink(ctx, userID, HashOf(token), s.clock().Add(linkFor))
}

// MakeLink makes a token with which somebody can sign in once and set another
// password. The fault is NotFound when there is no such account, and Forbidden
// unless the caller is an owner: with it one becomes that person, in every
// workspace of theirs.
func (s *Service) MakeLink(ctx context.Context, userID int64) (string, error) {
	if _, err := s.catalog.GetUser(ctx, userID); err != nil {
		return "", hideUnknown(ctx, err)
	}
	if err := Require(ctx, Own); err != nil {
		return "", err
	}
	return s.link(ctx, userID)
}

// hideUnknown tells nobody but owners which accounts there are.
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
	return s.catalog.ListMembers(ctx, workspaceID)
}

// FindUser returns the account with an address; the fault is NotFound when
// there is none. It is for commands, which may know everybody.
func (s *Service) FindUser(ctx context.Context, email string) (User, error) {
	if err := Require(ctx, Own); err != nil {
		return User{}, err
	}
	return s.catalog.FindUser(ctx, email)
}

// MemberPatch is what can be changed of a member; nil keeps it.
type MemberPatch struct {
	Roles *[]Role
	Owner *bool
}

// ChangeMember changes a member, all of it or nothing. The fault is NotFound
// when the workspace has no such member, Forbidden unless the caller
// administers it (and is an owner, to make or unmake one), Invalid when a role
// cannot be, and Conflict when there would be no owner left.
func (s *Service) ChangeMember(ctx context.Context, workspaceID, userID int64, patch MemberPatch) (Member, error) {
	if patch.Roles != nil {
		var problems fault.Problems
		checkRoles(*patch.Roles, &problems)
		if err := problems.Err(); err != nil {
			return Member{}, err
		}
	}
	var changed Member
	err := s.catalog.InTx(ctx, func(ctx context.Context) (err error) {
		// Who is removed meanwhile must not come back with the change.
		if err := s.catalog.LockWorkspace(ctx, workspaceID); err != nil {
			return err
		}
		if _, err := s.catalog.FindMember(ctx, workspaceID, userID); err != nil {
			return err
		}
		changed, err = s.applyMember(ctx, workspaceID, userID, patch)
		return err
	})
	s.guard.Forget()
	return changed, err
}

func (s *Service) applyMember(ctx context.Context, workspaceID, userID int64, patch MemberPatch) (Member, error) {
	needed := []Permission{Admin}
	if patch.Owner != nil {
		needed = append(needed, Own)
	}
	if err := Require(ctx, needed...); err != nil {
		return Member{}, err
	}
	if patch.Owner != nil {
		if _, err := s.catalog.SetOwner(ctx, userID, *patch.Owner); err != nil {
			return Member{}, err
		}
	}
	if patch.Roles != nil {
		return s.catalog.SetMember(ctx, workspaceID, userID, normalRoles(*patch.Roles))
	}
	return s.catalog.FindMember(ctx, workspaceID, userID)
}

// RemoveMember takes somebody out of a workspace. The fault is NotFound when
// they are no member of it, and Forbidden unless the caller administers it.
func (s *Service) RemoveMember(ctx context.Context, workspaceID, userID int64) error {
	if _, err := s.catalog.FindMember(ctx, workspaceID, userID); err != nil {
		return err
	}
	if err := Require(ctx, Admin); err != nil {
		return err
	}
	err := s.catalog.RemoveMember(ctx, workspaceID, userID)
	s.guard.Forget()
	return err
}
