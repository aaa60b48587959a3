package access

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"strings"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Session is somebody who signed in.
type Session struct {
	User      User
	ExpiresAt time.Time
}

// caller returns who signed in, who acts nowhere yet.
func (s *Session) caller(hash Hash) Caller {
	return Caller{UserID: s.User.ID, Email: s.User.Email, Session: hash}
}

// SessionFor is how long somebody stays signed in.
const SessionFor = 30 * 24 * time.Hour

// SignedIn is a new session with the token that the browser keeps, and whom
// it makes the person.
type SignedIn struct {
	Session
	Token  string
	Caller Caller
}

// SignIn starts a session with address and password. The fault is Unauthorized
// when they do not fit together, which is all that a stranger learns,
// RateLimited after too many wrong ones for the address, and Forbidden, with no
// session, when the person gets into no workspace.
func (s *Service) SignIn(ctx context.Context, email, password string) (SignedIn, error) {
	user, err := s.catalog.FindUser(ctx, email)
	if err == nil {
		email = user.Email // however it was written, it is one account
	} else if !fault.Is(err, fault.NotFound) {
		return SignedIn{}, err
	}
	if err := s.tries.begin(email); err != nil {
		return SignedIn{}, err
	}
	hash := user.Password
	if hash == "" {
		hash = nobody
	}
	fits := false
	if err := s.hashers.run(ctx, func() { fits = matches(hash, password) }); err != nil {
		return SignedIn{}, err
	}
	if !fits || user.Password == "" {
		return SignedIn{}, fault.New(fault.Unauthorized, "The address or the password is wrong")
	}
	s.tries.forget(email)
	return s.start(ctx, user)
}

// start makes a session. Who gets in nowhere is refused before anything is
// written.
func (s *Service) start(ctx context.Context, user User) (SignedIn, error) {
	signed := SignedIn{Session: Session{User: user, ExpiresAt: s.clock().Add(SessionFor)}, Token: newSecret()}
	signed.Caller = signed.caller(HashOf(signed.Token))
	if err := s.guard.place(ctx, user, 0, &signed.Caller); err != nil {
		return SignedIn{}, err
	}
	acting := WithCaller(ctx, signed.Caller)
	return signed, s.catalog.CreateSession(acting, user.ID, signed.Caller.Session, signed.ExpiresAt)
}

// SignInByLink starts a session with the token of a link, which ends with it,
// and sets the password where one is given. The fault is Unauthorized when the
// link is unknown, was used or has ended, Invalid when the password cannot be,
// and Forbidden when the person gets into no workspace; after the last two the
// link can be used again, and nothing was changed.
func (s *Service) SignInByLink(ctx context.Context, token string, password *string) (SignedIn, error) {
	hash, err := s.newPassword(ctx, password)
	if err != nil {
		return SignedIn{}, err
	}
	var signed SignedIn
	err = s.catalog.InTx(ctx, func(ctx context.Context) error {
		user, err := s.catalog.TakeSignInLink(ctx, HashOf(token))
		if fault.Is(err, fault.NotFound) {
			return fault.New(fault.Unauthorized, "This sign-in link is unknown, was used, or has ended")
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
		s.tries.forget(signed.User.Email) // wrong ones were wrong for another password
	}
	return signed, err
}

// newPassword returns the hash of a password that may be absent.
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

// replacePassword sets a password and ends the other sessions of the account:
// who knew the old one is out.
func (s *Service) replacePassword(ctx context.Context, userID int64, hash string, keep Hash) error {
	if err := s.catalog.SetPassword(ctx, userID, hash); err != nil {
		return err
	}
	return s.catalog.DeleteSessions(ctx, userID, keep)
}

// SetPassword sets the caller's own password and ends their other sessions.
// The current one is needed where there is one. The fault is Forbidden when it
// is wrong or the caller is not a person, and Invalid when the new one cannot
// be.
func (s *Service) SetPassword(ctx context.Context, current, password string) error {
	caller := CallerOf(ctx)
	if caller.UserID == 0 {
		return fault.New(fault.Forbidden, "Only people who are signed in have a password")
	}
	hash, err := s.newPassword(ctx, &password)
	if err != nil {
		return err
	}
	user, err := s.catalog.GetUser(ctx, caller.UserID)
	if err != nil {
		return err
	}
	if err := s.confirm(ctx, user, current); err != nil {
		return err
	}
	err = s.catalog.InTx(ctx, func(ctx context.Context) error {
		return s.replacePassword(ctx, user.ID, hash, caller.Session)
	})
	s.guard.Forget()
	return err
}

// confirm checks the current password of somebody who is signed in.
func (s *Service) confirm(ctx context.Context, user User, current string) error {
	if user.Password == "" {
		return nil
	}
	if err := s.tries.begin(user.Email); err != nil {
		return err
	}
	fits := false
	if err := s.hashers.run(ctx, func() { fits = matches(user.Password, current) }); err != nil {
		return err
	}
	if !fits {
		return fault.New(fault.Forbidden, "The current password is wrong")
	}
	s.tries.forget(user.Email)
	return nil
}

// SignOut ends the caller's session.
func (s *Service) SignOut(ctx context.Context) error {
	err := s.catalog.DeleteSession(ctx, CallerOf(ctx).Session)
	s.guard.Forget()
	return err
}

// Self is what callers are told of themselves.
type Self struct {
	Caller Caller
	// User is nil for keys.
	User *User
	// Memberships are the workspaces that the caller can act in; for owners
	// those that they are no member of are there, too, without roles.
	Memberships []Membership
}

// Self returns who the caller is.
func (s *Service) Self(ctx context.Context) (Self, error) {
	self := Self{Caller: CallerOf(ctx)}
	visible, err := s.Workspaces(ctx)
	if err != nil {
		return self, err
	}
	roles := map[int64][]Role{}
	if self.Caller.UserID != 0 {
		user, err := s.catalog.GetUser(ctx, self.Caller.UserID)
		if err != nil {
			return self, err
		}
		self.User = &user
		memberships, err := s.catalog.ListMemberships(ctx, user.ID)
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

// CSRFToken returns what a page must send beside the cookie of a session, to
// show that it could read an answer of ours and not only make the browser send
// the cookie.
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
	return fault.New(fault.Forbidden, "The header X-CSRF-Token is missing or wrong: see GET /api/admin/session")
}

// How many wrong passwords an address may have within how long.
const (
	maxTries  = 10
	triesPer  = 5 * time.Minute
	maxTrying = 10_000
)

// tries counts passwords by address until a right one. The zero value needs a
// clock.
type tries struct {
	clock func() time.Time
	mu    sync.Mutex
	wrong map[string]tried
}

type tried struct {
	count int
	since time.Time
}

// begin counts a password before it is checked, so that many at once are
// counted like many in turn. It returns a RateLimited fault after too many.
func (t *tries) begin(email string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	now, email := t.clock(), strings.ToLower(email)
	one := t.wrong[email]
	if now.Sub(one.since) >= triesPer {
		one = tried{since: now}
	}
	if one.count >= maxTries {
		refused := fault.New(fault.RateLimited, "Too many wrong passwords. Please retry later.")
		refused.RetryAfter = triesPer - now.Sub(one.since)
		return refused
	}
	if t.wrong == nil || len(t.wrong) >= maxTrying {
		t.wrong = map[string]tried{} // forgetting some is better than growing
	}
	one.count++
	t.wrong[email] = one
	return nil
}

func (t *tries) forget(email string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.wrong, strings.ToLower(email))
}
