package access

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Session is a session of a signed-in user.
type Session struct {
	User      User
	ExpiresAt time.Time
}

// caller returns the user as a caller without a workspace.
func (s *Session) caller(hash Hash) Caller {
	return Caller{UserID: s.User.ID, Email: s.User.Email, Session: hash}
}

// SessionFor is the duration of a session.
const SessionFor = 30 * 24 * time.Hour

// SignedIn is a new session with its token for the browser and its caller.
type SignedIn struct {
	Session
	Token  string
	Caller Caller
}

// SignIn starts a session with email address and password. The fault is
// Unauthorized when one of them is wrong, without saying which, RateLimited
// after too many wrong passwords, and Forbidden, without a session, when the
// person has access to no workspace.
func (s *Service) SignIn(ctx context.Context, email, password string) (SignedIn, error) {
	user, err := s.store.FindUser(ctx, email)
	if err == nil {
		email = user.Email // all spellings share one limit
	} else if !fault.Is(err, fault.NotFound) {
		return SignedIn{}, err
	}
	right, err := s.verify(ctx, user, email, password)
	if err != nil {
		return SignedIn{}, err
	}
	if !right {
		return SignedIn{}, fault.New(fault.Unauthorized, "Wrong email address or password")
	}
	return s.start(ctx, user)
}

// verify reports whether a password is that of a user, who is zero if there is
// no such account. It counts the attempt, and audits a wrong one. An unknown
// account takes as long as a known one. The fault is RateLimited after too many
// wrong passwords.
func (s *Service) verify(ctx context.Context, user User, account, password string) (right bool, err error) {
	client := ClientOf(ctx)
	if err := s.tries.begin(client, account); err != nil {
		return false, err
	}
	hash := cmp.Or(user.Password, nobody)
	if err := s.hashers.run(ctx, func() { right = matches(hash, password) }); err != nil {
		return false, err
	}
	if right && user.Password != "" {
		s.tries.succeed(client, account)
		return true, nil
	}
	return false, s.store.NoteWrongPassword(ctx, user, client)
}

// start creates a session. It rejects a user without access to a workspace before
// it writes anything.
func (s *Service) start(ctx context.Context, user User) (SignedIn, error) {
	signed := SignedIn{Session: Session{User: user, ExpiresAt: s.clock().Add(SessionFor)}, Token: newSecret()}
	signed.Caller = signed.caller(HashOf(signed.Token))
	if err := s.guard.place(ctx, user, 0, &signed.Caller); err != nil {
		return SignedIn{}, err
	}
	acting := WithCaller(ctx, signed.Caller)
	return signed, s.store.CreateSession(acting, user.ID, signed.Caller.Session, signed.ExpiresAt)
}

// SignInByLink starts a session with the token of a link, which becomes invalid,
// and sets the password if one is given. The fault is Unauthorized when the link
// is unknown, used or expired, Invalid when the password is invalid, and Forbidden
// when the user has access to no workspace. After the last two nothing has
// changed, and the link can be used again.
func (s *Service) SignInByLink(ctx context.Context, token string, password *string) (SignedIn, error) {
	hash, err := s.newPassword(ctx, password)
	if err != nil {
		return SignedIn{}, err
	}
	var signed SignedIn
	err = s.store.InTx(ctx, func(ctx context.Context) error {
		user, err := s.store.TakeSignInLink(ctx, HashOf(token))
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.Unauthorized, "This sign-in link is unknown, already used or expired")
		}
		if err != nil {
			return err
		}
		if signed, err = s.start(ctx, user); err != nil || hash == "" {
			return err
		}
		return s.replacePassword(WithCaller(ctx, signed.Caller), user.ID, hash, signed.Caller.Session)
	})
	s.guard.Forget()
	if err == nil && hash != "" {
		s.tries.forget(signed.User.Email) // the wrong passwords were for the old one
	}
	return signed, err
}

// newPassword returns the hash of a password, "" for nil.
func (s *Service) newPassword(ctx context.Context, password *string) (hash string, err error) {
	if password == nil {
		return "", nil
	}
	var problems fault.Problems
	checkPassword(*password, &problems)
	if err := problems.Err(); err != nil {
		return "", err
	}
	err = s.hashers.run(ctx, func() { hash = hashPassword(*password) })
	return hash, err
}

// replacePassword sets a password and ends the other sessions of the user, so that
// nobody stays signed in with the old password.
func (s *Service) replacePassword(ctx context.Context, userID int64, hash string, keep Hash) error {
	if err := s.store.SetPassword(ctx, userID, hash); err != nil {
		return err
	}
	return s.store.DeleteSessions(ctx, userID, keep)
}

// SetPassword sets the caller's password and ends the caller's other sessions. The
// current password is required if there is one. The fault is Forbidden when it is
// wrong or the caller is not a user, and Invalid when the new one is invalid.
func (s *Service) SetPassword(ctx context.Context, current, password string) error {
	caller := CallerOf(ctx)
	if caller.UserID == 0 {
		return fault.New(fault.Forbidden, "Only signed-in users have a password")
	}
	hash, err := s.newPassword(ctx, &password)
	if err != nil {
		return err
	}
	user, err := s.store.GetUser(ctx, caller.UserID)
	if err != nil {
		return err
	}
	if err := s.confirm(ctx, user, current); err != nil {
		return err
	}
	err = s.store.InTx(ctx, func(ctx context.Context) error {
		return s.replacePassword(ctx, user.ID, hash, caller.Session)
	})
	s.guard.Forget()
	return err
}

// confirm checks the current password of a signed-in user.
func (s *Service) confirm(ctx context.Context, user User, current string) error {
	if user.Password == "" {
		return nil
	}
	right, err := s.verify(ctx, user, user.Email, current)
	if err == nil && !right {
		err = fault.New(fault.Forbidden, "The current password is wrong")
	}
	return err
}

// SignOut ends the caller's session.
func (s *Service) SignOut(ctx context.Context) error {
	err := s.store.DeleteSession(ctx, CallerOf(ctx).Session)
	s.guard.Forget()
	return err
}

// Self describes the caller.
type Self struct {
	Caller Caller
	// User is nil for keys.
	User *User
	// Memberships are the workspaces that the caller can access. For owners they
	// include, without roles, those that they are not a member of.
	Memberships []Membership
}

// Self returns a description of the caller.
func (s *Service) Self(ctx context.Context) (Self, error) {
	self := Self{Caller: CallerOf(ctx)}
	visible, err := s.Workspaces(ctx)
	if err != nil {
		return self, err
	}
	roles := map[int64][]Role{}
	if self.Caller.UserID != 0 {
		user, err := s.store.GetUser(ctx, self.Caller.UserID)
		if err != nil {
			return self, err
		}
		self.User = &user
		memberships, err := s.store.ListMemberships(ctx, user.ID)
		if err != nil {
			return self, err
		}
		for _, m := range memberships {
			roles[m.Workspace.ID] = m.Roles
		}
	}
	for _, w := range visible {
		self.Memberships = append(self.Memberships, Membership{Workspace: w, Roles: roles[w.ID]})
	}
	return self, nil
}

// CSRFToken returns the token that a page must send in addition to the session
// cookie. It proves that the page can read our responses, and does not only make
// the browser send the cookie.
func CSRFToken(session Hash) string {
	sum := hmac.New(sha256.New, session[:])
	sum.Write([]byte("csrf"))
	return hex.EncodeToString(sum.Sum(nil))
}

// CheckCSRF returns a Forbidden fault unless the token belongs to the session.
func CheckCSRF(session Hash, token string) error {
	if subtle.ConstantTimeCompare([]byte(CSRFToken(session)), []byte(token)) == 1 {
		return nil
	}
	return fault.New(fault.Forbidden, "Missing or invalid X-CSRF-Token header: see GET /api/admin/session")
}
