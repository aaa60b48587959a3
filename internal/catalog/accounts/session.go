package accounts

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

// CreateSession starts a session and deletes expired ones.
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
	return engine.WrapError(err, "create session")
}

// FindSession returns a session by its hash.
func (s *Store) FindSession(ctx context.Context, hash access.Hash) (access.Session, error) {
	session, err := engine.QueryOne(ctx, s.db, scanSession, `
SELECT `+accountColumns+`, session.expires_at
FROM session
JOIN account ON account.id = session.account_id
WHERE session.hash = $1
AND session.expires_at > $2`, hash[:], s.db.Now())
	return engine.Wrap(session, engine.NotFound(err, "Session not found"), "find session")
}

func scanSession(r engine.Row) (access.Session, error) {
	var s access.Session
	err := r.Scan(append(intoUser(&s.User), engine.Time(&s.ExpiresAt))...)
	return s, err
}

// DeleteSession ends a session.
func (s *Store) DeleteSession(ctx context.Context, hash access.Hash) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.Session.Delete(`WHERE hash = $1`), hash[:])
		return err
	})
	return engine.WrapError(err, "delete session")
}

// DeleteSessions ends all sessions of a user but one.
func (s *Store) DeleteSessions(ctx context.Context, userID int64, keep access.Hash) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.Session.Delete(`WHERE account_id = $1 AND hash <> $2`), userID, keep[:])
		return err
	})
	return engine.WrapError(err, "delete sessions")
}

// NoteWrongPassword adds an entry about a wrong password to the audit log.
func (s *Store) NoteWrongPassword(ctx context.Context, user access.User, client string) error {
	user.Email = cmp.Or(user.Email, "unknown")
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		return s.noteUser(ctx, nil, audit.Wrong, user, engine.Detail{"address": client})
	})
	return engine.WrapError(err, "note wrong password")
}

// SetSignInLink replaces the sign-in link of a user.
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
	return engine.WrapError(err, "set sign-in link")
}

// OfferSignInLink sets the sign-in link of a user who has no other one.
func (s *Store) OfferSignInLink(ctx context.Context, userID int64, hash access.Hash, until time.Time) (offered bool, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		user, err := s.GetUser(ctx, userID)
		if err != nil {
			return err
		}
		set, err := engine.Exec(ctx, s.db, table.SignInLink.Insert(`
(account_id, hash, expires_at)
VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at
WHERE sign_in_link.hash = excluded.hash
OR sign_in_link.expires_at <= $4`), userID, hash[:], until, s.db.Now())
		if offered = set > 0; err != nil || !offered {
			return err
		}
		return s.noteUser(ctx, nil, audit.Link, user, nil)
	})
	return offered && err == nil, engine.WrapError(err, "offer sign-in link")
}

// TakeSignInLink invalidates a sign-in link and returns its user.
func (s *Store) TakeSignInLink(ctx context.Context, hash access.Hash) (access.User, error) {
	user, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.User, error) {
		id, err := engine.ExecOne(ctx, s.db, engine.ScanInt, table.SignInLink.Delete(`
WHERE hash = $1
AND expires_at > $2
RETURNING account_id`), hash[:], s.db.Now())
		if err != nil {
			return access.User{}, engine.NotFound(err, "This sign-in link is unknown, already used or expired")
		}
		return s.GetUser(ctx, id)
	})
	return engine.Wrap(user, err, "take sign-in link")
}

// FirstOwner creates the first owner of the installation.
func (s *Store) FirstOwner(ctx context.Context, workspaceID int64, email string) (access.User, bool, error) {
	if has, err := s.hasOwner(ctx); err != nil || has {
		return access.User{}, false, err
	}
	made := false
	user, err := engine.Transact(ctx, s.db, func(ctx context.Context) (access.User, error) {
		made = false
		// The lock lets only one of several starting processes create the owner.
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return access.User{}, err
		}
		if has, err := s.hasOwner(ctx); err != nil || has {
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

// hasOwner reports whether the installation has an owner.
func (s *Store) hasOwner(ctx context.Context) (bool, error) {
	users, err := s.ListUsers(ctx)
	return slices.ContainsFunc(users, func(u access.User) bool { return u.Owner }), err
}

// makeOwner makes the user with the address an owner. The user exists if they were
// invited before the first start.
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
