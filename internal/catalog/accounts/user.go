package accounts

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

const accountColumns = `account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at`

// intoUser returns the destinations of accountColumns.
func intoUser(u *access.User) []any {
	return []any{&u.ID, &u.Email, &u.Password, &u.Owner, &u.OpenedBy, engine.Time(&u.CreatedAt), engine.NullTime(&u.LastSignInAt)}
}

func scanUser(r engine.Row) (access.User, error) {
	var u access.User
	err := r.Scan(intoUser(&u)...)
	return u, err
}

func scanMember(r engine.Row) (access.Member, error) {
	var m access.Member
	err := r.Scan(append(intoUser(&m.User), &m.WorkspaceID, engine.List(&m.Roles), engine.Time(&m.JoinedAt))...)
	return m, err
}

func scanMembership(r engine.Row) (access.Membership, error) {
	var m access.Membership
	err := r.Scan(append(intoWorkspace(&m.Workspace), engine.List(&m.Roles))...)
	return m, err
}

// CreateUser adds a user.
func (s *Store) CreateUser(ctx context.Context, email string, owner bool) (access.User, error) {
	return s.createUser(ctx, email, owner, nil)
}

// OpenAccount adds a user on behalf of a workspace.
func (s *Store) OpenAccount(ctx context.Context, workspaceID int64, email string) (access.User, error) {
	return s.createUser(ctx, email, false, &workspaceID)
}

func (s *Store) createUser(ctx context.Context, email string, owner bool, openedBy *int64) (access.User, error) {
	if err := engine.CheckLength("email", email, engine.MaxName); err != nil {
		return access.User{}, fmt.Errorf("create user: %w", err)
	}
	user, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.User, error) {
		created, err := engine.ExecAll(ctx, s.db, scanUser, table.Account.Insert(`
(email, email_folded, owner, opened_by, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (email_folded) DO NOTHING
RETURNING `+accountColumns), email, engine.Fold(email), engine.Flag(owner), openedBy, s.db.Now())
		if err != nil {
			return access.User{}, err
		}
		if len(created) == 0 {
			return access.User{}, fault.Conflictf("User %s already exists", email)
		}
		return created[0], s.noteUser(ctx, nil, audit.Create, created[0], engine.Detail{"owner": owner})
	})
	return engine.Wrap(user, err, "create user")
}

func (s *Store) noteUser(
	ctx context.Context, workspaceID *int64, action audit.Action, user access.User, more engine.Detail,
) error {
	return engine.Note(ctx, s.db, workspaceID, action, audit.Subject{Kind: audit.SubjectUser, ID: user.ID, Name: user.Email}, more)
}

// GetUser returns a user by their id.
func (s *Store) GetUser(ctx context.Context, id int64) (access.User, error) {
	user, err := engine.QueryOne(ctx, s.db, scanUser, `
SELECT `+accountColumns+`
FROM account
WHERE id = $1`, id)
	return engine.Wrap(user, userNotFound(err), "get user")
}

func userNotFound(err error) error { return engine.NotFound(err, "User not found") }

// FindUser returns a user by their email address.
func (s *Store) FindUser(ctx context.Context, email string) (access.User, error) {
	user, err := engine.QueryOne(ctx, s.db, scanUser, `
SELECT `+accountColumns+`
FROM account
WHERE email_folded = $1`, engine.Fold(email))
	return engine.Wrap(user, userNotFound(err), "find user")
}

// ListUsers lists all users.
func (s *Store) ListUsers(ctx context.Context) ([]access.User, error) {
	users, err := engine.QueryAll(ctx, s.db, scanUser, `
SELECT `+accountColumns+`
FROM account
ORDER BY id`)
	return engine.Wrap(users, err, "list users")
}

// SetPassword stores the hash of a password.
func (s *Store) SetPassword(ctx context.Context, id int64, hash string) error {
	_, err := s.changeUser(ctx, id, audit.Password, nil, `password = $2`, hash)
	return engine.WrapError(err, "set password")
}

// SetOwner sets whether a user is an owner.
func (s *Store) SetOwner(ctx context.Context, id int64, owner bool) (access.User, error) {
	user, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.User, error) {
		// The locks prevent two owners from removing each other.
		if _, err := engine.ExecUnaudited(ctx, s.db, table.Account.Update(`SET owner = owner WHERE owner = 1`)); err != nil {
			return access.User{}, err
		}
		user, err := s.changeUser(ctx, id, audit.Change, engine.Detail{"owner": owner}, `owner = $2`, engine.Flag(owner))
		if err != nil {
			return access.User{}, err
		}
		left, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `SELECT COUNT(*) FROM account WHERE owner = 1`)
		if err == nil && left == 0 {
			err = fault.Conflictf("The installation must have an owner")
		}
		return user, err
	})
	return engine.Wrap(user, err, "set owner")
}

func (s *Store) changeUser(
	ctx context.Context, id int64, action audit.Action, more engine.Detail, set string, arg any,
) (access.User, error) {
	return engine.Transact(ctx, s.db, func(ctx context.Context) (access.User, error) {
		user, err := engine.ExecOne(ctx, s.db, scanUser, table.Account.Update(`
SET `+set+`
WHERE id = $1
RETURNING `+accountColumns), id, arg)
		if err != nil {
			return access.User{}, userNotFound(err)
		}
		return user, s.noteUser(ctx, nil, action, user, more)
	})
}

const memberColumns = accountColumns + `, membership.workspace_id, membership.roles, membership.created_at`

// SetMember adds a member or replaces their roles.
func (s *Store) SetMember(ctx context.Context, workspaceID, userID int64, roles []access.Role) (access.Member, error) {
	member, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.Member, error) {
		before, err := s.FindMember(ctx, workspaceID, userID)
		action := audit.Change
		if fault.Is(err, fault.NotFound) {
			action = audit.Invite
		} else if err != nil {
			return access.Member{}, err
		}
		_, err = engine.Exec(ctx, s.db, table.Membership.Insert(`
(workspace_id, account_id, roles, created_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id, account_id) DO UPDATE SET roles = excluded.roles`), workspaceID, userID, engine.ListText(roles), s.db.Now())
		if err != nil {
			return access.Member{}, engine.Missing(err, "User or workspace not found")
		}
		after, err := s.FindMember(ctx, workspaceID, userID)
		if err != nil {
			return access.Member{}, err
		}
		more := engine.Detail{"roles": append([]access.Role{}, roles...)}
		if action == audit.Change {
			more["before"] = before.Roles
		}
		return after, s.noteUser(ctx, &workspaceID, action, after.User, more)
	})
	return engine.Wrap(member, err, "set member")
}

// FindMember returns a member of a workspace.
func (s *Store) FindMember(ctx context.Context, workspaceID, userID int64) (access.Member, error) {
	member, err := engine.QueryOne(ctx, s.db, scanMember, `
SELECT `+memberColumns+`
FROM membership
JOIN account ON account.id = membership.account_id
WHERE membership.workspace_id = $1
AND membership.account_id = $2`, workspaceID, userID)
	return engine.Wrap(member, userNotFound(err), "find member")
}

// ListMembers lists the members of a workspace.
func (s *Store) ListMembers(ctx context.Context, workspaceID int64) ([]access.Member, error) {
	members, err := engine.QueryAll(ctx, s.db, scanMember, `
SELECT `+memberColumns+`
FROM membership
JOIN account ON account.id = membership.account_id
WHERE membership.workspace_id = $1
ORDER BY account.id`, workspaceID)
	return engine.Wrap(members, err, "list members")
}

// ListMemberships lists the workspaces of a user.
func (s *Store) ListMemberships(ctx context.Context, userID int64) ([]access.Membership, error) {
	memberships, err := engine.QueryAll(ctx, s.db, scanMembership, `
SELECT `+workspaceColumns+`, membership.roles
FROM membership
JOIN workspace ON workspace.id = membership.workspace_id
WHERE membership.account_id = $1
ORDER BY workspace.id`, userID)
	return engine.Wrap(memberships, err, "list memberships")
}

// RemoveMember removes a member.
func (s *Store) RemoveMember(ctx context.Context, workspaceID, userID int64) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		// The lock prevents concurrent changes to the member.
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return err
		}
		member, err := s.FindMember(ctx, workspaceID, userID)
		if err != nil {
			return err
		}
		_, err = engine.Exec(ctx, s.db, table.Membership.Delete(`
WHERE workspace_id = $1
AND account_id = $2`), workspaceID, userID)
		if err != nil {
			return err
		}
		return s.noteUser(ctx, &workspaceID, audit.Exclude, member.User, nil)
	})
	return engine.WrapError(err, "remove member")
}
