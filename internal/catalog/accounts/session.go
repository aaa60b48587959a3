package accounts

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

// CreateSession stores that somebody signed in until a time, and forgets
// sessions that have ended. The fault is NotFound when there is no such
// account.
func (s *Store) CreateSession(ctx context.Context, userID int64, hash access.Hash, until time.Time) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		now := s.db.Now()
		if _, err := engine.Exec(ctx, s.db, table.Session.Delete(`WHERE expires_at <= $1`), now); err != nil {
			return err
		}
		if _, err := s.changeUser(ctx, userID, audit.SignIn, nil, `last_sign_in_at = $2`, now); err != nil {
			return err
		}
		_, err := engine.Exec(ctx, s.db, table.Session.Insert(`
(hash, account_id, created_at, expires_at)
VALUES ($1, $2, $3, $4)`), hash[:], userID, now, until)
		return err
	})
	if err != nil {
		return fmt.Errorf("create session: %w", err)
	}
	return nil
}

// FindSession returns who signed in and until when that lasts; the fault is
// NotFound when there is no such session or it has ended.
func (s *Store) FindSession(ctx context.Context, hash access.Hash) (access.Session, error) {
	session, err := engine.QueryOne(ctx, s.db, scanSession, `
SELECT `+accountColumns+`, session.expires_at
FROM session
JOIN account ON account.id = session.account_id
WHERE session.hash = $1
AND session.expires_at > $2`, hash[:], s.db.Now())
	if err != nil {
		return access.Session{}, fmt.Errorf("find session: %w", engine.NotFound(err, "session not found"))
	}
	return session, nil
}

func scanSession(r engine.Row) (access.Session, error) {
	var s access.Session
	err := r.Scan(append(intoUser(&s.User), engine.Time(&s.ExpiresAt))...)
	return s, err
}

// DeleteSession ends a session. One that is unknown has ended already.
func (s *Store) DeleteSession(ctx context.Context, hash access.Hash) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.Session.Delete(`WHERE hash = $1`), hash[:])
		return err
	})
	if err != nil {
		return fmt.Errorf("delete session: %w", err)
	}
	return nil
}

// DeleteSessions ends all sessions of an account but the one to keep.
func (s *Store) DeleteSessions(ctx context.Context, userID int64, keep access.Hash) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.Session.Delete(`WHERE account_id = $1 AND hash <> $2`), userID, keep[:])
		return err
	})
	if err != nil {
		return fmt.Errorf("delete sessions: %w", err)
	}
	return nil
}

// SetSignInLink gives an account a link that signs in once, in place of the
// one it had. The fault is NotFound when there is no such account.
func (s *Store) SetSignInLink(ctx context.Context, userID int64, hash access.Hash, until time.Time) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		user, err := s.GetUser(ctx, userID)
		if err != nil {
			return err
		}
		_, err = engine.Exec(ctx, s.db, table.SignInLink.Insert(`
(account_id, hash, expires_at)
VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at`), userID, hash[:], until)
		if err != nil {
			return err
		}
		return s.noteUser(ctx, nil, audit.Link, user, nil)
	})
	if err != nil {
		return fmt.Errorf("set sign-in link: %w", err)
	}
	return nil
}

// TakeSignInLink returns whose link it is and makes it invalid, so that of
// several that come at once one succeeds. The fault is NotFound when it is
// unknown, was used, or has ended.
func (s *Store) TakeSignInLink(ctx context.Context, hash access.Hash) (access.User, error) {
	user, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.User, error) {
		id, err := engine.ExecOne(ctx, s.db, engine.ScanInt, table.SignInLink.Delete(`
WHERE hash = $1
AND expires_at > $2
RETURNING account_id`), hash[:], s.db.Now())
		if err != nil {
			return access.User{}, engine.NotFound(err, "this sign-in link is unknown, was used, or has ended")
		}
		return s.GetUser(ctx, id)
	})
	if err != nil {
		return access.User{}, fmt.Errorf("take sign-in link: %w", err)
	}
	return user, nil
}

// FirstOwner makes the owner at a first start: the account with the address
// becomes one and a member of the workspace, unless the installation has an
// owner. It reports whether it did.
func (s *Store) FirstOwner(ctx context.Context, workspaceID int64, email string) (access.User, bool, error) {
	made := false
	user, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.User, error) {
		made = false
		// The lock lets one of several programs that start at once do it.
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return access.User{}, err
		}
		users, err := s.ListUsers(ctx)
		if err != nil || slices.ContainsFunc(users, func(u access.User) bool { return u.Owner }) {
			return access.User{}, err
		}
		user, err := s.makeOwner(ctx, email)
		if err != nil {
			return access.User{}, err
		}
		made = true
		_, err = s.SetMember(ctx, workspaceID, user.ID, []access.Role{access.Administrator})
		return user, err
	})
	if fault.Is(err, fault.Conflict) {
		return access.User{}, false, nil
	}
	return user, made && err == nil, err
}

// makeOwner makes the account with the address an owner. There is one already
// where somebody was invited before the first start.
func (s *Store) makeOwner(ctx context.Context, email string) (access.User, error) {
	known, err := s.FindUser(ctx, email)
	if fault.Is(err, fault.NotFound) {
		return s.CreateUser(ctx, email, true)
	}
	if err != nil {
		return access.User{}, err
	}
	return s.SetOwner(ctx, known.ID, true)
}
