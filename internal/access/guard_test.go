package access_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/accounts"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// counted counts the lookups of callers.
type counted struct {
	*accounts.Store
	asked int
	err   error
	// during runs after a lookup, before it returns.
	during func()
}

func (c *counted) FindKey(ctx context.Context, hash access.Hash) (access.Key, error) {
	c.asked++
	if c.err != nil {
		return access.Key{}, c.err
	}
	key, err := c.Store.FindKey(ctx, hash)
	if c.during != nil {
		c.during()
	}
	return key, err
}

func (c *counted) FindSession(ctx context.Context, hash access.Hash) (access.Session, error) {
	c.asked++
	return c.Store.FindSession(ctx, hash)
}

// counting returns a guard that counts its lookups.
func (w *world) counting() (*access.Guard, *counted) {
	directory := &counted{Store: w.catalog.Accounts}
	return access.NewGuard(directory, w.clock.Now), directory
}

func TestKeyIsCachedForTwoSeconds(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	key, secret := w.key(access.NewKeyInput{Name: "laptop", Roles: []access.Role{access.Publisher}})
	guard, directory := w.counting()
	want := access.Caller{KeyID: key.ID, Workspace: w.home, Name: "laptop", Permissions: access.Publisher.Permissions()}
	for range 3 {
		w.equal(check.Must(guard.Identify(w.ctx, secret))(t), want)
	}
	w.equal(directory.asked, 1)
	check.Must(w.catalog.Accounts.RevokeKey(w.ctx, w.home, key.ID))(t) // by another process
	w.clock.Advance(2*time.Second - 1)
	w.equal(check.Must(guard.Identify(w.ctx, secret))(t), want)
	w.clock.Advance(1)
	w.fails(check.Failure(guard.Identify(w.ctx, secret)), fault.Unauthorized)
	w.equal(directory.asked, 2)
}

func TestUnknownSecretsAreUnauthorized(t *testing.T) {
	onEachEngine(t, func(w *world) {
		_, secret := w.key(access.NewKeyInput{})
		for _, key := range []string{"", "pl_", "pl_b", secret + " ", secret[:len(secret)-1], "PL" + secret[2:], "pl_\x00", "pl_\xff"} {
			w.fails(check.Failure(w.identify(key)), fault.Unauthorized)
			w.fails(check.Failure(w.Guard().Recognise(w.ctx, key, 0)), fault.Unauthorized)
		}
		check.Must(w.identify(secret))(w.t)
	})
}

func TestStoreErrorIsNotUnauthorized(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	_, secret := w.key(access.NewKeyInput{})
	guard, directory := w.counting()
	directory.err = errors.New("the catalog is away")
	if _, err := guard.Identify(w.ctx, secret); !errors.Is(err, directory.err) {
		t.Errorf("got %v, want the error of the store", err)
	}
	directory.err = nil
	check.Must(guard.Identify(w.ctx, secret))(t)
}

func TestCachedKeyExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	end := w.clock.Now().Add(time.Second)
	_, secret := w.key(access.NewKeyInput{ExpiresAt: &end})
	check.Must(w.identify(secret))(t)
	w.clock.Advance(time.Second - 1)
	check.Must(w.identify(secret))(t)
	w.clock.Advance(1)
	w.fails(check.Failure(w.identify(secret)), fault.Unauthorized)
}

func TestCachedSessionExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	signed := w.person("ann@example.com")
	w.equal(signed.ExpiresAt, w.clock.Now().Add(30*24*time.Hour))
	w.clock.Advance(access.SessionFor - time.Second)
	check.Must(w.Guard().Recognise(w.ctx, signed.Token, 0))(t)
	w.clock.Advance(time.Second - 1)
	check.Must(w.Guard().Recognise(w.ctx, signed.Token, 0))(t)
	w.clock.Advance(1)
	w.fails(check.Failure(w.Guard().Recognise(w.ctx, signed.Token, 0)), fault.Unauthorized)
}

func TestForget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	key, secret := w.key(access.NewKeyInput{})
	signed := w.person("ann@example.com")
	guard, directory := w.counting()
	look := func() {
		check.Must(guard.Identify(w.ctx, secret))(t)
		check.Must(guard.Recognise(w.ctx, signed.Token, 0))(t)
	}
	look()
	look()
	w.equal(directory.asked, 2)
	guard.Forget()
	look()
	w.equal(directory.asked, 4)
	check.Must(w.catalog.Accounts.RevokeKey(w.ctx, w.home, key.ID))(t)
	guard.Forget()
	w.fails(check.Failure(guard.Identify(w.ctx, secret)), fault.Unauthorized)
}

// A caller that was looked up before a change must not be cached after it.
func TestForgetDuringLookup(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	key, secret := w.key(access.NewKeyInput{})
	guard, directory := w.counting()
	directory.during = func() {
		check.Must(w.catalog.Accounts.RevokeKey(w.ctx, w.home, key.ID))(t)
		guard.Forget()
	}
	check.Must(guard.Identify(w.ctx, secret))(t)
	w.fails(check.Failure(guard.Identify(w.ctx, secret)), fault.Unauthorized)
}

// A key is not a session and a session is not a key, cached or not.
func TestKeysAndSessionsAreSeparate(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	_, secret := w.key(access.NewKeyInput{})
	signed := w.person("ann@example.com")
	check.Must(w.identify(secret))(t)
	check.Must(w.Guard().Recognise(w.ctx, signed.Token, 0))(t)
	w.fails(check.Failure(w.identify(signed.Token)), fault.Unauthorized)
	w.fails(check.Failure(w.Guard().Recognise(w.ctx, secret, 0)), fault.Unauthorized)
}

func TestRecordsWhenKeysAreUsed(t *testing.T) {
	onEachEngine(t, func(w *world) {
		key, secret := w.key(access.NewKeyInput{})
		guard := w.Guard()
		w.equal(guard.Used(), map[int64]time.Time{})
		w.fails(check.Failure(guard.Identify(w.ctx, "pl_unknown")), fault.Unauthorized)
		check.Must(guard.Identify(w.ctx, secret))(w.t)
		first := w.clock.Now()
		used := guard.Used()
		w.equal(used, map[int64]time.Time{key.ID: first})
		w.equal(guard.Used(), map[int64]time.Time{})
		w.ok(w.catalog.Accounts.TouchKeys(w.ctx, used))
		w.equal(check.Must(w.Keys(w.ctx, w.home))(w.t)[0].LastUsedAt, &first)

		w.clock.Advance(time.Minute - 1) // within the precision
		check.Must(guard.Identify(w.ctx, secret))(w.t)
		w.equal(guard.Used(), map[int64]time.Time{})
		w.clock.Advance(2 * time.Second)
		check.Must(guard.Identify(w.ctx, secret))(w.t)
		w.equal(guard.Used(), map[int64]time.Time{key.ID: w.clock.Now()})
	})
}

func TestWorkspaceOfUser(t *testing.T) {
	onEachEngine(t, func(w *world) {
		signed := w.person("ann@example.com", access.Viewer)
		recognise := func(workspace int64) (access.Caller, error) {
			return w.Guard().Recognise(w.ctx, signed.Token, workspace)
		}
		want := access.Caller{UserID: signed.User.ID, Email: "ann@example.com", Workspace: w.home, Permissions: access.SetOf(access.Read), Session: access.HashOf(signed.Token)}
		w.equal(check.Must(recognise(0))(w.t), want)
		w.equal(check.Must(recognise(w.home))(w.t), want)
		w.fails(check.Failure(recognise(w.away)), fault.Forbidden)
		w.fails(check.Failure(recognise(999)), fault.Forbidden)
		w.fails(check.Failure(recognise(-1)), fault.Forbidden)

		check.Must(w.Invite(w.ctx, w.away, "ann@example.com", []access.Role{access.Publisher}))(w.t)
		want.Workspace, want.Permissions = w.away, access.Publisher.Permissions()
		w.equal(check.Must(recognise(w.away))(w.t), want)

		w.ok(w.RemoveMember(w.ctx, w.home, signed.User.ID))
		w.equal(check.Must(recognise(0))(w.t), want)
		w.fails(check.Failure(recognise(w.home)), fault.Forbidden)
		w.ok(w.RemoveMember(w.ctx, w.away, signed.User.ID))
		w.fails(check.Failure(recognise(0)), fault.Forbidden)
	})
}

func TestOwnersCanAccessEveryWorkspace(t *testing.T) {
	onEachEngine(t, func(w *world) {
		signed := w.person("ann@example.com")
		check.Must(w.ChangeMember(w.ctx, w.home, signed.User.ID, access.MemberPatch{Owner: new(true)}))(w.t)
		disabled := access.WorkspacePatch{Disabled: new(true)}
		for range 2 { // the second time without memberships, and with all workspaces disabled
			for asked, want := range map[int64]int64{0: w.home, w.home: w.home, w.away: w.away} {
				caller := check.Must(w.Guard().Recognise(w.ctx, signed.Token, asked))(w.t)
				w.equal(caller.Workspace, want)
				w.equal(caller.Permissions, access.Owner.Permissions())
			}
			w.fails(check.Failure(w.Guard().Recognise(w.ctx, signed.Token, 999)), fault.Forbidden)
			check.Must(w.ChangeWorkspace(w.ctx, w.home, disabled))(w.t)
			check.Must(w.ChangeWorkspace(w.ctx, w.away, disabled))(w.t)
			if _, err := w.catalog.Accounts.FindMember(w.ctx, w.home, signed.User.ID); err == nil {
				w.ok(w.RemoveMember(w.ctx, w.home, signed.User.ID))
			}
		}
	})
}

func TestDisabledWorkspaceRejectsCallers(t *testing.T) {
	onEachEngine(t, func(w *world) {
		_, secret := w.key(access.NewKeyInput{Roles: []access.Role{access.Owner}})
		signed := w.person("ann@example.com", access.Administrator)
		check.Must(w.identify(secret))(w.t)
		w.signedIn(signed.Token)
		check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{Disabled: new(true)}))(w.t)
		const refusal = "This workspace is disabled"
		check.Refused(w.t, check.Failure(w.identify(secret)), fault.Forbidden, refusal)
		check.Refused(w.t, check.Failure(w.Guard().Recognise(w.ctx, signed.Token, 0)), fault.Forbidden, refusal)
		check.Refused(w.t, check.Failure(w.Guard().Recognise(w.ctx, signed.Token, w.home)), fault.Forbidden, refusal)

		check.Must(w.Invite(w.ctx, w.away, "ann@example.com", nil))(w.t)
		w.equal(check.Must(w.Guard().Recognise(w.ctx, signed.Token, 0))(w.t).Workspace, w.away)

		check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{Disabled: new(false)}))(w.t)
		check.Must(w.identify(secret))(w.t)
		w.equal(check.Must(w.Guard().Recognise(w.ctx, signed.Token, 0))(w.t).Workspace, w.home)
	})
}
