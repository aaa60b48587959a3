package storetest

import (
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func (s *store) user(email string) access.User {
	s.t.Helper()
	return check.Must(s.Accounts.CreateUser(s.ctx, email, false))(s.t)
}

func (s *store) owner(email string) access.User {
	s.t.Helper()
	return check.Must(s.Accounts.CreateUser(s.ctx, email, true))(s.t)
}

// owners returns the email addresses of the owners.
func (s *store) owners() []string {
	s.t.Helper()
	emails := []string{}
	for _, user := range check.Must(s.Accounts.ListUsers(s.ctx))(s.t) {
		if user.Owner {
			emails = append(emails, user.Email)
		}
	}
	return emails
}

var userCases = []testCase{
	{"create, get, find and list", func(s *store) {
		s.equal(check.Must(s.Accounts.ListUsers(s.ctx))(s.t), []access.User{})
		ann, bob := s.user("Ann@Example.com"), s.owner("bob@example.com")
		s.equal(ann, access.User{ID: ann.ID, Email: "Ann@Example.com", CreatedAt: ann.CreatedAt})
		s.equal(time.Since(ann.CreatedAt).Abs() < time.Hour, true)
		s.equal(bob.Owner, true)
		s.equal(check.Must(s.Accounts.GetUser(s.ctx, ann.ID))(s.t), ann)
		s.equal(check.Must(s.Accounts.ListUsers(s.ctx))(s.t), []access.User{ann, bob})
		for _, spelling := range []string{"Ann@Example.com", "ann@example.com", "ANN@EXAMPLE.COM"} {
			s.equal(check.Must(s.Accounts.FindUser(s.ctx, spelling))(s.t), ann)
		}
	}},
	{"email addresses are unique, ignoring case", func(s *store) {
		s.user("ärmel@example.com")
		s.fails(check.Failure(s.Accounts.CreateUser(s.ctx, "ärmel@example.com", true)), fault.Conflict)
		s.fails(check.Failure(s.Accounts.CreateUser(s.ctx, "ÄRMEL@EXAMPLE.COM", true)), fault.Conflict)
		s.equal(s.owners(), []string{})
	}},
	{"invalid email addresses are rejected", func(s *store) {
		s.fails(check.Failure(s.Accounts.CreateUser(s.ctx, "", false)), fault.Invalid)
		s.fails(check.Failure(s.Accounts.CreateUser(s.ctx, strings.Repeat("a", 2049), false)), fault.Invalid)
		s.fails(check.Failure(s.Accounts.CreateUser(s.ctx, "a\x00@b", false)), fault.Invalid)
		s.equal(check.Must(s.Accounts.ListUsers(s.ctx))(s.t), []access.User{})
	}},
	{"unknown ids are not found", func(s *store) {
		s.fails(check.Failure(s.Accounts.GetUser(s.ctx, 999)), fault.NotFound)
		s.fails(check.Failure(s.Accounts.FindUser(s.ctx, "ann@example.com")), fault.NotFound)
		s.fails(s.Accounts.SetPassword(s.ctx, 999, "hash"), fault.NotFound)
		s.fails(check.Failure(s.Accounts.SetOwner(s.ctx, 999, true)), fault.NotFound)
	}},
	{"set a password", func(s *store) {
		ann, bob := s.user("ann@example.com"), s.user("bob@example.com")
		s.ok(s.Accounts.SetPassword(s.ctx, ann.ID, "one hash"))
		s.ok(s.Accounts.SetPassword(s.ctx, ann.ID, "another hash"))
		ann.Password = "another hash"
		s.equal(check.Must(s.Accounts.ListUsers(s.ctx))(s.t), []access.User{ann, bob})
	}},
	{"the last owner cannot be removed", func(s *store) {
		ann, bob := s.owner("ann@example.com"), s.user("bob@example.com")
		s.fails(check.Failure(s.Accounts.SetOwner(s.ctx, ann.ID, false)), fault.Conflict)
		s.equal(s.owners(), []string{"ann@example.com"})
		s.equal(check.Must(s.Accounts.SetOwner(s.ctx, bob.ID, true))(s.t).Owner, true)
		s.equal(check.Must(s.Accounts.SetOwner(s.ctx, ann.ID, false))(s.t).Owner, false)
		s.equal(s.owners(), []string{"bob@example.com"})
		s.fails(check.Failure(s.Accounts.SetOwner(s.ctx, bob.ID, false)), fault.Conflict)
	}},
	{"two owners who remove each other leave one", func(s *store) {
		for _, name := range strings.Split("abcdefgh", "") {
			first, second := s.owner(name+"1@example.com"), s.owner(name+"2@example.com")
			for _, user := range check.Must(s.Accounts.ListUsers(s.ctx))(s.t) { // left by earlier rounds
				if user.Owner && user.ID < first.ID {
					check.Must(s.Accounts.SetOwner(s.ctx, user.ID, false))(s.t)
				}
			}
			errs := check.Together(2, func(i int) error {
				return check.Failure(s.Accounts.SetOwner(s.ctx, []int64{first.ID, second.ID}[i], false))
			})
			if errs[0] == nil {
				errs[0], errs[1] = errs[1], errs[0]
			}
			s.fails(errs[0], fault.Conflict)
			s.ok(errs[1])
			s.equal(len(s.owners()), 1)
		}
	}},
	{"of concurrent creations of an address one succeeds", func(s *store) {
		errs := check.Together(16, func(i int) error {
			return check.Failure(s.Accounts.CreateUser(s.ctx, []string{"ann@example.com", "ANN@example.com"}[i%2], false))
		})
		s.oneOf(errs, fault.Conflict)
		s.equal(len(check.Must(s.Accounts.ListUsers(s.ctx))(s.t)), 1)
	}},
}

// oneOf fails the test unless one of the calls succeeded and all others failed
// with the fault.
func (s *store) oneOf(errs []error, kind fault.Kind) {
	s.t.Helper()
	succeeded := 0
	for _, err := range errs {
		if err == nil {
			succeeded++
			continue
		}
		s.fails(err, kind)
	}
	s.equal(succeeded, 1)
}

var memberCases = []testCase{
	{"invite, change, list and remove", func(s *store) {
		ann, bob := s.user("ann@example.com"), s.owner("bob@example.com")
		invited := check.Must(s.Accounts.SetMember(s.ctx, s.workspace, bob.ID, []access.Role{access.Viewer}))(s.t)
		s.equal(invited, access.Member{User: bob, WorkspaceID: s.workspace, Roles: []access.Role{access.Viewer}, JoinedAt: invited.JoinedAt})
		s.equal(check.Must(s.Accounts.FindMember(s.ctx, s.workspace, bob.ID))(s.t), invited)
		second := check.Must(s.Accounts.SetMember(s.ctx, s.workspace, ann.ID, nil))(s.t)
		s.equal(second.Roles, []access.Role{})
		s.equal(check.Must(s.Accounts.ListMembers(s.ctx, s.workspace))(s.t), []access.Member{second, invited})

		changed := check.Must(s.Accounts.SetMember(s.ctx, s.workspace, bob.ID, []access.Role{access.Editor, access.Developer}))(s.t)
		s.equal(changed.JoinedAt, invited.JoinedAt)
		s.equal(changed.Roles, []access.Role{access.Editor, access.Developer})
		s.equal(check.Must(s.Accounts.FindMember(s.ctx, s.workspace, bob.ID))(s.t), changed)

		s.ok(s.Accounts.RemoveMember(s.ctx, s.workspace, bob.ID))
		s.fails(s.Accounts.RemoveMember(s.ctx, s.workspace, bob.ID), fault.NotFound)
		s.fails(check.Failure(s.Accounts.FindMember(s.ctx, s.workspace, bob.ID)), fault.NotFound)
		s.equal(check.Must(s.Accounts.ListMembers(s.ctx, s.workspace))(s.t), []access.Member{second})
		s.equal(check.Must(s.Accounts.GetUser(s.ctx, bob.ID))(s.t), bob)
	}},
	{"workspaces of a user", func(s *store) {
		ann, bob := s.user("ann@example.com"), s.user("bob@example.com")
		check.Must(s.Accounts.SetMember(s.ctx, s.other, ann.ID, []access.Role{access.Viewer}))(s.t)
		check.Must(s.Accounts.SetMember(s.ctx, s.workspace, ann.ID, []access.Role{access.Administrator}))(s.t)
		check.Must(s.Accounts.SetMember(s.ctx, s.other, bob.ID, nil))(s.t)
		check.Must(s.Accounts.RequireRoles(s.ctx, s.other, true))(s.t)
		disabled := check.Must(s.Accounts.DisableWorkspace(s.ctx, s.other))(s.t)
		s.equal(check.Must(s.Accounts.ListMemberships(s.ctx, ann.ID))(s.t), []access.Membership{
			{Workspace: check.Must(s.Accounts.GetWorkspace(s.ctx, s.workspace))(s.t), Roles: []access.Role{access.Administrator}},
			{Workspace: disabled, Roles: []access.Role{access.Viewer}},
		})
		s.equal(check.Must(s.Accounts.ListMemberships(s.ctx, bob.ID))(s.t), []access.Membership{{Workspace: disabled, Roles: []access.Role{}}})
		s.equal(check.Must(s.Accounts.ListMemberships(s.ctx, 999))(s.t), []access.Membership{})
		s.fails(check.Failure(s.Accounts.FindMember(s.ctx, s.workspace, bob.ID)), fault.NotFound)
		s.fails(s.Accounts.RemoveMember(s.ctx, s.workspace, bob.ID), fault.NotFound)
	}},
	{"unknown users and workspaces", func(s *store) {
		ann := s.user("ann@example.com")
		s.fails(check.Failure(s.Accounts.SetMember(s.ctx, 999, ann.ID, nil)), fault.NotFound)
		s.fails(check.Failure(s.Accounts.SetMember(s.ctx, s.workspace, 999, nil)), fault.NotFound)
		s.equal(check.Must(s.Accounts.ListMembers(s.ctx, 999))(s.t), []access.Member{})
	}},
	{"of concurrent removals of a member one succeeds and is audited", func(s *store) {
		ann := s.user("ann@example.com")
		for range 8 { // the first rounds open connections
			check.Must(s.Accounts.SetMember(s.ctx, s.workspace, ann.ID, nil))(s.t)
			s.audits(func() {
				s.oneOf(check.Together(8, func(int) error { return s.Accounts.RemoveMember(s.ctx, s.workspace, ann.ID) }), fault.NotFound)
			}, "remove from workspace USER ann@example.com {}")
		}
	}},
}
