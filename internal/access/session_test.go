package access_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestSignIn(t *testing.T) {
	onEachEngine(t, func(w *world) {
		w.person("Ann@example.com")
		w.clock.Advance(time.Hour)
		signed := check.Must(w.SignIn(w.ctx, "ann@EXAMPLE.com", password))(w.t)
		w.equal([]any{signed.User.Email, signed.ExpiresAt}, []any{"Ann@example.com", w.clock.Now().Add(access.SessionFor)})
		caller := access.CallerOf(w.signedIn(signed.Token))
		w.equal([]any{caller.UserID, caller.KeyID, caller.Email}, []any{signed.User.ID, int64(0), "Ann@example.com"})
		w.equal(check.Must(w.Members(w.ctx, w.home))(w.t)[0].LastSignInAt, new(w.clock.Now()))

		w.member("fresh@example.com") // without a password
		for _, try := range [][2]string{
			{"ann@example.com", password + " "}, {"ann@example.com", ""}, {"nobody@example.com", password},
			{"fresh@example.com", password}, {"fresh@example.com", ""}, {"", ""},
		} {
			err := check.Failure(w.SignIn(w.ctx, try[0], try[1]))
			w.fails(err, fault.Unauthorized)
			w.equal(err.Error(), "Wrong email address or password")
		}
		entries := check.Must(w.catalog.Accounts.ListAudit(w.ctx, audit.Query{Action: audit.SignIn, Limit: 10}))(w.t)
		w.equal(len(entries), 2)
		w.equal(entries[0].Actor, audit.Actor{Kind: audit.ByUser, ID: &signed.User.ID, Name: "Ann@example.com"})
	})
}

// After ten wrong passwords the right one is rejected for five minutes, even if
// the attempts are concurrent.
func TestWrongPasswordsAreLimited(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	ann := w.person("Ann@example.com")
	w.person("bob@example.com")
	limited := 0
	for _, err := range check.Together(32, func(i int) error {
		return check.Failure(w.SignIn(w.ctx, []string{"ann@example.com", "ANN@EXAMPLE.COM"}[i%2], "wrong"))
	}) {
		if fault.Is(err, fault.RateLimited) {
			limited++
			continue
		}
		w.fails(err, fault.Unauthorized)
	}
	w.equal(limited, 22)
	err := check.Failure(w.SignIn(w.ctx, "ann@example.com", password))
	var refused *fault.Error
	if !errors.As(err, &refused) || refused.Kind != fault.RateLimited || refused.RetryAfter != 5*time.Minute {
		t.Errorf("got %+v, want RateLimited for five minutes", err)
	}
	w.fails(w.SetPassword(w.signedIn(ann.Token), password, "another password"), fault.RateLimited)
	check.Must(w.SignIn(w.ctx, "bob@example.com", password))(t)
	w.clock.Advance(5 * time.Minute)
	check.Must(w.SignIn(w.ctx, "ann@example.com", password))(t)

	for range 3 { // the right password resets the count
		for range 9 {
			w.fails(check.Failure(w.SignIn(w.ctx, "ann@example.com", "wrong")), fault.Unauthorized)
		}
		check.Must(w.SignIn(w.ctx, "ann@example.com", password))(t)
	}
}

// All spellings of an address share one count of wrong passwords.
func TestSpellingsShareTheLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.person("boss@example.com")
	for i := range 10 {
		spelling := []string{"boss@example.com", "bo\u017fs@example.com", "BOS\u017f@example.com"}[i%3] // a long s is an s
		w.fails(check.Failure(w.SignIn(w.ctx, spelling, "wrong")), fault.Unauthorized)
	}
	w.fails(check.Failure(w.SignIn(w.ctx, "bo\u017f\u017f@example.com", password)), fault.RateLimited)
}

// A user who is locked out can sign in with a link and a new password.
func TestNewPasswordResetsLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	ann := w.person("ann@example.com")
	for range 10 {
		w.fails(check.Failure(w.SignIn(w.ctx, "ann@example.com", "wrong")), fault.Unauthorized)
	}
	w.fails(check.Failure(w.SignIn(w.ctx, "ann@example.com", password)), fault.RateLimited)
	link := func() string { return check.Must(w.MakeLink(w.ctx, ann.User.ID))(t) }
	check.Must(w.SignInByLink(w.ctx, link(), nil))(t)
	w.fails(check.Failure(w.SignIn(w.ctx, "ann@example.com", password)), fault.RateLimited) // the password is unchanged
	check.Must(w.SignInByLink(w.ctx, link(), new("a fresh password")))(t)
	check.Must(w.SignIn(w.ctx, "ann@example.com", "a fresh password"))(t)
}

func TestSignInByLink(t *testing.T) {
	onEachEngine(t, func(w *world) {
		_, token := w.member("ann@example.com")
		w.fails(check.Failure(w.SignInByLink(w.ctx, "", nil)), fault.Unauthorized)
		w.fails(check.Failure(w.SignInByLink(w.ctx, token+"0", nil)), fault.Unauthorized)
		w.fails(check.Failure(w.SignInByLink(w.ctx, token, new("short"))), fault.Invalid)
		signed := check.Must(w.SignInByLink(w.ctx, token, new(password)))(w.t) // the link is still valid
		w.signedIn(signed.Token)
		w.fails(check.Failure(w.SignInByLink(w.ctx, token, nil)), fault.Unauthorized)
		check.Must(w.SignIn(w.ctx, "ann@example.com", password))(w.t)
		entries := check.Must(w.catalog.Accounts.ListAudit(w.ctx, audit.Query{Action: audit.Password, Limit: 10}))(w.t)
		w.equal(len(entries), 1)
		w.equal(entries[0].Actor.Name, "ann@example.com")
	})
}

func TestConcurrentUseOfLink(t *testing.T) {
	onEachEngine(t, func(w *world) {
		_, token := w.member("ann@example.com")
		w.oneOf(check.Together(32, func(int) error { return check.Failure(w.SignInByLink(w.ctx, token, nil)) }), fault.Unauthorized)
		w.equal(w.audited(audit.SignIn), 1)
	})
}

func TestNewPasswordByLinkEndsOtherSessions(t *testing.T) {
	onEachEngine(t, func(w *world) {
		before := w.person("ann@example.com")
		w.signedIn(before.Token)
		check.Must(w.SignInByLink(w.ctx, check.Must(w.MakeLink(w.ctx, before.User.ID))(w.t), nil))(w.t)
		w.signedIn(before.Token) // without a new password the session continues
		after := check.Must(w.SignInByLink(w.ctx, check.Must(w.MakeLink(w.ctx, before.User.ID))(w.t), new("another password")))(w.t)
		w.fails(check.Failure(w.Guard().Recognise(w.ctx, before.Token, 0)), fault.Unauthorized)
		w.signedIn(after.Token)
		w.fails(check.Failure(w.SignIn(w.ctx, "ann@example.com", password)), fault.Unauthorized)
	})
}

// A rejected sign-in of a user without access to a workspace changes nothing: the
// link or password works once the user has access.
func TestRejectedSignInChangesNothing(t *testing.T) {
	onEachEngine(t, func(w *world) {
		ann, token := w.member("ann@example.com")
		bob := w.person("bob@example.com")
		w.clock.Advance(time.Hour) // so that a new sign-in would have another time
		traces := func() []any {
			return []any{
				check.Must(w.catalog.Accounts.ListUsers(w.ctx))(w.t),
				check.Must(w.catalog.Accounts.ListAudit(w.ctx, audit.Query{Limit: 1000}))(w.t),
			}
		}
		refused := func(message string) {
			before := traces()
			check.Refused(w.t, check.Failure(w.SignInByLink(w.ctx, token, new(password))), fault.Forbidden, message)
			check.Refused(w.t, check.Failure(w.SignIn(w.ctx, "bob@example.com", password)), fault.Forbidden, message)
			w.equal(traces(), before)
		}
		check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{Disabled: new(true)}))(w.t)
		refused("This workspace is disabled")
		check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{Disabled: new(false)}))(w.t)
		for _, id := range []int64{ann.ID, bob.User.ID} {
			w.ok(w.RemoveMember(w.ctx, w.home, id))
		}
		refused("You are not a member of this workspace")

		for _, email := range []string{"ann@example.com", "bob@example.com"} {
			check.Must(w.Invite(w.ctx, w.away, email, nil))(w.t)
		}
		w.signedIn(check.Must(w.SignInByLink(w.ctx, token, new(password)))(w.t).Token)
		w.signedIn(check.Must(w.SignIn(w.ctx, "bob@example.com", password))(w.t).Token)
	})
}

// Signing in returns the caller that the session token stands for.
func TestCallerOfNewSession(t *testing.T) {
	onEachEngine(t, func(w *world) {
		first := w.person("ann@example.com", access.Publisher)
		second := check.Must(w.SignIn(w.ctx, "ann@example.com", password))(w.t)
		for _, signed := range []access.SignedIn{first, second} {
			w.equal(signed.Caller, check.Must(w.Guard().Recognise(w.ctx, signed.Token, 0))(w.t))
		}
	})
}

func TestSetPassword(t *testing.T) {
	onEachEngine(t, func(w *world) {
		_, token := w.member("ann@example.com")
		here := check.Must(w.SignInByLink(w.ctx, token, nil))(w.t)
		ctx := w.signedIn(here.Token)
		w.ok(w.SetPassword(ctx, "", password)) // the first password needs no current one
		there := check.Must(w.SignIn(w.ctx, "ann@example.com", password))(w.t)
		others := w.person("bob@example.com")
		w.signedIn(there.Token)

		w.fails(w.SetPassword(ctx, "", "another password"), fault.Forbidden)
		w.fails(w.SetPassword(ctx, password+"!", "another password"), fault.Forbidden)
		w.fails(w.SetPassword(ctx, password, "short"), fault.Invalid)
		w.fails(w.SetPassword(ctx, password, strings.Repeat("x", 1001)), fault.Invalid)
		w.signedIn(there.Token)

		w.ok(w.SetPassword(ctx, password, "another password"))
		w.fails(check.Failure(w.Guard().Recognise(w.ctx, there.Token, 0)), fault.Unauthorized) // immediately
		w.signedIn(here.Token)
		w.signedIn(others.Token)
		w.fails(check.Failure(w.SignIn(w.ctx, "ann@example.com", password)), fault.Unauthorized)
		check.Must(w.SignIn(w.ctx, "ann@example.com", "another password"))(w.t)
		for _, ctx := range []struct{ err error }{
			{w.SetPassword(w.as(access.Owner), "", password)}, {w.SetPassword(w.ctx, "", password)},
		} {
			w.fails(ctx.err, fault.Forbidden)
		}
	})
}

func TestSignOut(t *testing.T) {
	onEachEngine(t, func(w *world) {
		here := w.person("ann@example.com")
		there := check.Must(w.SignIn(w.ctx, "ann@example.com", password))(w.t)
		ctx := w.signedIn(here.Token)
		w.ok(w.SignOut(ctx))
		w.fails(check.Failure(w.Guard().Recognise(w.ctx, here.Token, 0)), fault.Unauthorized) // immediately
		w.signedIn(there.Token)
		w.ok(w.SignOut(ctx))
		w.ok(w.SignOut(w.as(access.Viewer))) // a key has no session
		w.signedIn(there.Token)
	})
}

// A session is valid even if the user has access to no workspace.
func TestSessionWithoutWorkspace(t *testing.T) {
	onEachEngine(t, func(w *world) {
		signed := w.person("ann@example.com", access.Publisher)
		other := check.Must(w.SignIn(w.ctx, "ann@example.com", password))(w.t)
		w.ok(w.RemoveMember(w.ctx, w.home, signed.User.ID))
		w.fails(check.Failure(w.Guard().Recognise(w.ctx, signed.Token, 0)), fault.Forbidden)

		caller := check.Must(w.Guard().Session(w.ctx, signed.Token))(w.t)
		w.equal(caller, access.Caller{UserID: signed.User.ID, Email: "ann@example.com", Session: access.HashOf(signed.Token)})
		w.ok(w.SetPassword(access.WithCaller(w.ctx, caller), password, "another password"))
		w.fails(check.Failure(w.Guard().Session(w.ctx, other.Token)), fault.Unauthorized)
		w.ok(w.SignOut(access.WithCaller(w.ctx, caller)))
		w.fails(check.Failure(w.Guard().Session(w.ctx, signed.Token)), fault.Unauthorized)
		for _, wrong := range []string{"", signed.Token + "0", "pl_unknown"} {
			w.fails(check.Failure(w.Guard().Session(w.ctx, wrong)), fault.Unauthorized)
		}
	})
}

func TestCSRFToken(t *testing.T) {
	t.Parallel()
	one, two := access.HashOf("one"), access.HashOf("two")
	token := access.CSRFToken(one)
	if len(token) != 64 || token == access.CSRFToken(two) || token != access.CSRFToken(one) {
		t.Errorf("tokens are %q and %q", token, access.CSRFToken(two))
	}
	if err := access.CheckCSRF(one, token); err != nil {
		t.Error(err)
	}
	for name, wrong := range map[string]string{
		"none": "", "of another session": access.CSRFToken(two), "in upper case": strings.ToUpper(token),
		"cut": token[:63], "longer": token + "0",
	} {
		if err := access.CheckCSRF(one, wrong); !fault.Is(err, fault.Forbidden) {
			t.Errorf("%s: %v, want Forbidden", name, err)
		}
	}
}

func TestSelf(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	home, away := check.Must(w.catalog.Accounts.GetWorkspace(w.ctx, w.home))(t), check.Must(w.catalog.Accounts.GetWorkspace(w.ctx, w.away))(t)
	ann := w.person("ann@example.com", access.Viewer)
	self := check.Must(w.Self(w.signedIn(ann.Token)))(t)
	w.equal(self.User.Email, "ann@example.com")
	w.equal(self.Memberships, []access.Membership{{Workspace: home, Roles: []access.Role{access.Viewer}}})

	check.Must(w.ChangeMember(w.ctx, w.home, ann.User.ID, access.MemberPatch{Owner: new(true)}))(t)
	w.equal(check.Must(w.Self(w.signedIn(ann.Token)))(t).Memberships,
		[]access.Membership{{Workspace: home, Roles: []access.Role{access.Viewer}}, {Workspace: away}})

	_, secret := w.key(access.NewKeyInput{})
	caller := check.Must(w.identify(secret))(t)
	self = check.Must(w.Self(access.WithCaller(w.ctx, caller)))(t)
	w.equal(self, access.Self{Caller: caller, Memberships: []access.Membership{{Workspace: home}}})
}
