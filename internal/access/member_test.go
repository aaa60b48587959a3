package access_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestInvite(t *testing.T) {
	onEachEngine(t, func(w *world) {
		roles := []access.Role{access.Developer, access.Viewer, access.Developer}
		invited := check.Must(w.Invite(w.ctx, w.home, "Ann@example.com", roles))(w.t)
		w.equal(invited.Member.Roles, []access.Role{access.Viewer, access.Developer})
		w.equal(invited.Member.Email, "Ann@example.com")
		w.equal([]bool{invited.Token != "", invited.Member.Owner}, []bool{true, false})

		// An existing account gets no new link, which would give access to it.
		again := check.Must(w.Invite(w.ctx, w.away, "ann@EXAMPLE.com", nil))(w.t)
		w.equal(again.Token, "")
		w.equal(again.Member.ID, invited.Member.ID)
		w.fails(check.Failure(w.Invite(w.ctx, w.home, "ann@example.com", nil)), fault.Conflict)
		w.equal(check.Must(w.Members(w.ctx, w.home))(w.t), []access.Member{invited.Member})
		w.equal([]int{w.audited(audit.Invite), w.audited(audit.Link)}, []int{2, 1})

		check.Must(w.SignInByLink(w.ctx, invited.Token, nil))(w.t)
	})
}

// The administrators who created an account may be the ones who use it, so that
// other workspaces must not trust its address.
func TestAccountsOfAnotherWorkspace(t *testing.T) {
	onEachEngine(t, func(w *world) {
		first := check.Must(w.Invite(w.as(access.Administrator), w.home, "bob@example.com", nil))(w.t)
		away := access.WithCaller(w.ctx, access.Caller{KeyID: 77, Workspace: w.away, Permissions: access.Administrator.Permissions()})
		w.fails(check.Failure(w.Invite(away, w.away, "Bob@example.com", nil)), fault.Forbidden)
		w.equal(len(check.Must(w.Members(w.ctx, w.away))(w.t)), 0)

		// The workspace that created the account can invite it again while it is unused.
		w.ok(w.RemoveMember(w.as(access.Administrator), w.home, first.Member.ID))
		second := check.Must(w.Invite(w.as(access.Administrator), w.home, "bob@example.com", nil))(w.t)
		w.equal(second.Token != "" && second.Token != first.Token, true)
		w.fails(check.Failure(w.SignInByLink(w.ctx, first.Token, nil)), fault.Unauthorized)
		check.Must(w.SignInByLink(w.ctx, second.Token, nil))(w.t)
		w.ok(w.RemoveMember(w.as(access.Administrator), w.home, first.Member.ID))
		w.equal(check.Must(w.Invite(w.as(access.Administrator), w.home, "bob@example.com", nil))(w.t).Token, "")

		check.Must(w.Invite(w.as(access.Owner), w.away, "bob@example.com", nil))(w.t) // owners may invite any account
	})
}

func TestRejectsInvalidInvitations(t *testing.T) {
	onEachEngine(t, func(w *world) {
		for name, email := range map[string]string{
			"empty": "", "no address": "ann", "with a name": "Ann <ann@example.com>", "two": "ann@example.com, bob@example.com",
			"spaces": " ann@example.com", "line break": "ann@example.com\n", "NUL": "ann\x00@example.com",
			"too long": strings.Repeat("a", 243) + "@example.com", "not in UTF-8": "ann\xff@example.com",
		} {
			if _, err := w.Invite(w.ctx, w.home, email, nil); !fault.Is(err, fault.Invalid) {
				w.t.Errorf("%s: %v", name, err)
			}
		}
		w.fails(check.Failure(w.Invite(w.ctx, w.home, "ann@example.com", []access.Role{access.Owner})), fault.Invalid)
		w.fails(check.Failure(w.Invite(w.ctx, 999, "ann@example.com", nil)), fault.NotFound)
		w.fails(check.Failure(w.Invite(w.as(access.Developer, access.Editor), w.home, "ann@example.com", nil)), fault.Forbidden)
		w.equal(check.Must(w.catalog.Accounts.ListUsers(w.ctx))(w.t), []access.User{}) // no account was created
		check.Must(w.Invite(w.as(access.Administrator), w.home, strings.Repeat("a", 242)+"@example.com", nil))(w.t)
	})
}

func TestChangeAndRemoveMember(t *testing.T) {
	onEachEngine(t, func(w *world) {
		ann := w.person("ann@example.com", access.Editor)
		w.signedIn(ann.Token)
		changed := check.Must(w.ChangeMember(w.as(access.Administrator), w.home, ann.User.ID, access.MemberPatch{Roles: &[]access.Role{access.Viewer}}))(w.t)
		w.equal(changed.Roles, []access.Role{access.Viewer})
		same(w.t, "at once", access.CallerOf(w.signedIn(ann.Token)).Permissions, "READ")
		w.equal(check.Must(w.ChangeMember(w.ctx, w.home, ann.User.ID, access.MemberPatch{}))(w.t), changed)

		w.fails(check.Failure(w.ChangeMember(w.as(access.Developer), w.home, ann.User.ID, access.MemberPatch{Roles: &[]access.Role{}})), fault.Forbidden)
		w.fails(check.Failure(w.ChangeMember(w.ctx, w.away, ann.User.ID, access.MemberPatch{})), fault.NotFound)
		w.fails(check.Failure(w.ChangeMember(w.ctx, w.home, 999, access.MemberPatch{})), fault.NotFound)
		w.fails(check.Failure(w.ChangeMember(w.ctx, w.home, ann.User.ID, access.MemberPatch{Roles: &[]access.Role{access.Owner}})), fault.Invalid)
		w.fails(check.Failure(w.ChangeMember(w.ctx, w.home, ann.User.ID, access.MemberPatch{Roles: &[]access.Role{access.Ingest}})), fault.Invalid)
		w.fails(w.RemoveMember(w.as(access.Developer), w.home, ann.User.ID), fault.Forbidden)
		w.fails(w.RemoveMember(w.ctx, w.away, ann.User.ID), fault.NotFound)
		w.fails(check.Failure(w.Members(w.as(access.Developer), w.home)), fault.Forbidden)

		w.ok(w.RemoveMember(w.as(access.Administrator), w.home, ann.User.ID))
		w.fails(check.Failure(w.Guard().Recognise(w.ctx, ann.Token, w.home)), fault.Forbidden) // immediately
		w.equal(check.Must(w.Members(w.ctx, w.home))(w.t), []access.Member{})
		w.fails(w.RemoveMember(w.ctx, w.home, ann.User.ID), fault.NotFound)
		w.equal(check.Must(w.FindUser(w.ctx, "ann@example.com"))(w.t).ID, ann.User.ID)
		w.fails(check.Failure(w.FindUser(w.as(access.Administrator), "ann@example.com")), fault.Forbidden)
	})
}

func TestOnlyOwnersChangeOwners(t *testing.T) {
	onEachEngine(t, func(w *world) {
		ann, _ := w.member("ann@example.com")
		bob, _ := w.member("bob@example.com")
		owner := func(is bool) access.MemberPatch { return access.MemberPatch{Owner: &is} }
		w.fails(check.Failure(w.ChangeMember(w.as(access.Administrator), w.home, ann.ID, owner(true))), fault.Forbidden)
		w.equal(check.Must(w.ChangeMember(w.as(access.Owner), w.home, ann.ID, owner(true)))(w.t).Owner, true)
		w.fails(check.Failure(w.ChangeMember(w.as(access.Administrator), w.home, ann.ID, owner(false))), fault.Forbidden)

		// The last owner stays, and nothing else of the patch is applied.
		both := access.MemberPatch{Owner: new(false), Roles: &[]access.Role{access.Viewer}}
		w.fails(check.Failure(w.ChangeMember(w.ctx, w.home, ann.ID, both)), fault.Conflict)
		w.equal(check.Must(w.catalog.Accounts.FindMember(w.ctx, w.home, ann.ID))(w.t).Roles, []access.Role{})
		w.ok(w.RemoveMember(w.ctx, w.home, ann.ID))
		w.equal(check.Must(w.catalog.Accounts.GetUser(w.ctx, ann.ID))(w.t).Owner, true)
		check.Must(w.Invite(w.ctx, w.home, "ann@example.com", nil))(w.t)

		check.Must(w.ChangeMember(w.ctx, w.home, bob.ID, owner(true)))(w.t)
		w.oneOf(check.Together(2, func(i int) error {
			return check.Failure(w.ChangeMember(w.ctx, w.home, []int64{ann.ID, bob.ID}[i], owner(false)))
		}), fault.Conflict)
		count := 0
		for _, user := range check.Must(w.catalog.Accounts.ListUsers(w.ctx))(w.t) {
			if user.Owner {
				count++
			}
		}
		w.equal(count, 1)
	})
}

func TestOnlyOwnersCreateLinks(t *testing.T) {
	onEachEngine(t, func(w *world) {
		ann, first := w.member("ann@example.com")
		for _, id := range []int64{ann.ID, 999} { // they must not learn which accounts exist
			w.fails(check.Failure(w.MakeLink(w.as(access.Administrator), id)), fault.Forbidden)
		}
		w.fails(check.Failure(w.MakeLink(w.ctx, 999)), fault.NotFound)
		second := check.Must(w.MakeLink(w.as(access.Owner), ann.ID))(w.t)
		w.fails(check.Failure(w.SignInByLink(w.ctx, first, nil)), fault.Unauthorized) // it was replaced
		w.clock.Advance(7*24*time.Hour - 1)
		w.equal(check.Must(w.SignInByLink(w.ctx, second, nil))(w.t).User.ID, ann.ID)

		third := check.Must(w.MakeLink(w.ctx, ann.ID))(w.t)
		w.clock.Advance(7 * 24 * time.Hour)
		w.fails(check.Failure(w.SignInByLink(w.ctx, third, nil)), fault.Unauthorized)
		w.equal(access.SignInPath("abc"), "/sign-in#token=abc")
	})
}

// Eight processes that start concurrently with one catalog create one owner.
func TestConcurrentFirstOwner(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		programs := make([]*catalog.Catalog, 8)
		for i := range programs {
			programs[i] = check.Must(catalog.Open(t.Context(), dsn))(t)
		}
		made := make([]bool, len(programs))
		errs := check.Together(len(programs), func(i int) (err error) {
			_, made[i], err = programs[i].Accounts.FirstOwner(w.ctx, w.home, fmt.Sprintf("owner%d@localhost", i/2))
			return err
		})
		count := 0
		for i, program := range programs {
			w.ok(errs[i])
			w.ok(program.Close())
			if made[i] {
				count++
			}
		}
		w.equal(count, 1)
		members := check.Must(w.Members(w.ctx, w.home))(t)
		w.equal(len(members), 1)
		w.equal([]any{members[0].Owner, members[0].Roles}, []any{true, []access.Role{access.Administrator}})
		w.equal(len(check.Must(w.catalog.Accounts.ListUsers(w.ctx))(t)), 1)
		w.equal(w.audited(audit.Invite), 1)
	})
}

// Exactly one of several concurrent invitations of the same user succeeds, whether
// or not there is an account.
func TestConcurrentInvitations(t *testing.T) {
	onEachEngine(t, func(w *world) {
		check.Must(w.Invite(w.ctx, w.away, "known0@example.com", nil))(w.t)
		for round := range 8 { // the first rounds open connections
			for _, name := range []string{"known", "new"} {
				email := fmt.Sprintf("%s%d@example.com", name, round)
				w.oneOf(check.Together(8, func(int) error { return check.Failure(w.Invite(w.ctx, w.home, email, nil)) }), fault.Conflict)
			}
			check.Must(w.Invite(w.ctx, w.away, fmt.Sprintf("known%d@example.com", round+1), nil))(w.t)
		}
		w.equal(w.audited(audit.Invite), 9+16)
	})
}

// A member who is removed while their roles are changed is not added back.
func TestConcurrentChangeAndRemoval(t *testing.T) {
	onEachEngine(t, func(w *world) {
		ann, _ := w.member("ann@example.com")
		for range 24 {
			errs := check.Together(4, func(i int) error {
				if i == 0 {
					return w.RemoveMember(w.ctx, w.home, ann.ID)
				}
				return check.Failure(w.ChangeMember(w.ctx, w.home, ann.ID, access.MemberPatch{Roles: &[]access.Role{access.Administrator}}))
			})
			w.ok(errs[0])
			w.fails(check.Failure(w.catalog.Accounts.FindMember(w.ctx, w.home, ann.ID)), fault.NotFound)
			for _, err := range errs[1:] {
				if err != nil {
					w.fails(err, fault.NotFound)
				}
			}
			check.Must(w.Invite(w.ctx, w.home, "ann@example.com", nil))(w.t)
		}
	})
}
