package storetest

import (
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// later is a future time that both engines store exactly.
func later(after time.Duration) time.Time {
	return time.Now().Add(after).UTC().Truncate(time.Microsecond)
}

func (s *store) session(userID int64, secret string) access.Hash {
	s.t.Helper()
	hash := access.HashOf(secret)
	s.ok(s.Accounts.CreateSession(s.ctx, userID, hash, later(time.Hour)))
	return hash
}

// signedIn returns which of the sessions are valid.
func (s *store) signedIn(hashes ...access.Hash) []bool {
	s.t.Helper()
	last := make([]bool, len(hashes))
	for i, hash := range hashes {
		_, err := s.Accounts.FindSession(s.ctx, hash)
		last[i] = err == nil
		if err != nil {
			s.fails(err, fault.NotFound)
		}
	}
	return last
}

var sessionCases = []testCase{
	{"sign in and find", func(s *store) {
		ann := s.user("ann@example.com")
		hash, until := access.HashOf("one"), later(time.Hour)
		s.ok(s.Accounts.CreateSession(s.ctx, ann.ID, hash, until))
		found := check.Must(s.Accounts.FindSession(s.ctx, hash))(s.t)
		s.equal(found.ExpiresAt, until)
		s.equal(found.User, check.Must(s.Accounts.GetUser(s.ctx, ann.ID))(s.t))
		s.equal(time.Since(*found.User.LastSignInAt).Abs() < time.Hour, true)
		s.equal(s.signedIn(access.HashOf("One"), access.Hash{}), []bool{false, false})
	}},
	{"an offered link does not replace another one that is valid", func(s *store) {
		ann := s.user("ann@example.com")
		offer := func(token string, until time.Duration) bool {
			return check.Must(s.Accounts.OfferSignInLink(s.ctx, ann.ID, access.HashOf(token), later(until)))(s.t)
		}
		s.equal(offer("one", time.Hour), true)
		s.equal(offer("one", 2*time.Hour), true)
		s.equal(offer("two", time.Hour), false)
		s.fails(check.Failure(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("two"))), fault.NotFound)
		s.equal(check.Must(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("one")))(s.t).ID, ann.ID)
		s.equal(offer("three", -time.Second), true)
		s.equal(offer("four", time.Hour), true) // the third has expired
		s.fails(check.Failure(s.Accounts.OfferSignInLink(s.ctx, 999, access.HashOf("link"), later(time.Hour))), fault.NotFound)
	}},
	{"unknown users are not found", func(s *store) {
		s.fails(s.Accounts.CreateSession(s.ctx, 999, access.HashOf("one"), later(time.Hour)), fault.NotFound)
		s.equal(s.signedIn(access.HashOf("one")), []bool{false})
	}},
	{"expired sessions are not found", func(s *store) {
		ann := s.user("ann@example.com")
		s.ok(s.Accounts.CreateSession(s.ctx, ann.ID, access.HashOf("old"), later(-time.Second)))
		s.equal(s.signedIn(access.HashOf("old")), []bool{false})
		// The next sign-in deletes it, so that the hash is free again.
		s.session(ann.ID, "new")
		s.session(ann.ID, "old")
		s.equal(s.signedIn(access.HashOf("old"), access.HashOf("new")), []bool{true, true})
	}},
	{"end one session or all others", func(s *store) {
		ann, bob := s.user("ann@example.com"), s.user("bob@example.com")
		one, two, three, bobs := s.session(ann.ID, "1"), s.session(ann.ID, "2"), s.session(ann.ID, "3"), s.session(bob.ID, "4")
		s.ok(s.Accounts.DeleteSession(s.ctx, one))
		s.ok(s.Accounts.DeleteSession(s.ctx, one))
		s.equal(s.signedIn(one, two, three, bobs), []bool{false, true, true, true})
		s.ok(s.Accounts.DeleteSessions(s.ctx, ann.ID, three))
		s.equal(s.signedIn(one, two, three, bobs), []bool{false, false, true, true})
		s.ok(s.Accounts.DeleteSessions(s.ctx, ann.ID, access.Hash{}))
		s.equal(s.signedIn(one, two, three, bobs), []bool{false, false, false, true})
	}},
}

var linkCases = []testCase{
	{"a link works once", func(s *store) {
		ann := s.user("ann@example.com")
		hash := access.HashOf("link")
		s.ok(s.Accounts.SetSignInLink(s.ctx, ann.ID, hash, later(time.Hour)))
		s.fails(check.Failure(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("Link"))), fault.NotFound)
		s.equal(check.Must(s.Accounts.TakeSignInLink(s.ctx, hash))(s.t), ann)
		s.fails(check.Failure(s.Accounts.TakeSignInLink(s.ctx, hash)), fault.NotFound)
	}},
	{"expired links do not work", func(s *store) {
		ann := s.user("ann@example.com")
		s.ok(s.Accounts.SetSignInLink(s.ctx, ann.ID, access.HashOf("link"), later(-time.Second)))
		s.fails(check.Failure(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("link"))), fault.NotFound)
	}},
	{"a new link replaces the old one of the user only", func(s *store) {
		ann, bob := s.user("ann@example.com"), s.user("bob@example.com")
		s.ok(s.Accounts.SetSignInLink(s.ctx, bob.ID, access.HashOf("bob"), later(time.Hour)))
		s.ok(s.Accounts.SetSignInLink(s.ctx, ann.ID, access.HashOf("one"), later(time.Hour)))
		s.ok(s.Accounts.SetSignInLink(s.ctx, ann.ID, access.HashOf("two"), later(time.Hour)))
		s.fails(check.Failure(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("one"))), fault.NotFound)
		s.equal(check.Must(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("two")))(s.t).ID, ann.ID)
		s.equal(check.Must(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("bob")))(s.t).ID, bob.ID)
	}},
	{"unknown users are not found", func(s *store) {
		s.fails(s.Accounts.SetSignInLink(s.ctx, 999, access.HashOf("link"), later(time.Hour)), fault.NotFound)
	}},
	{"of concurrent uses of a link one succeeds", func(s *store) {
		ann := s.user("ann@example.com")
		s.ok(s.Accounts.SetSignInLink(s.ctx, ann.ID, access.HashOf("link"), later(time.Hour)))
		s.oneOf(check.Together(32, func(int) error {
			return check.Failure(s.Accounts.TakeSignInLink(s.ctx, access.HashOf("link")))
		}), fault.NotFound)
	}},
	{"the first owner is created once", func(s *store) {
		made := make([]bool, 8)
		s.allOK(check.Together(len(made), func(i int) (err error) {
			_, made[i], err = s.Accounts.FirstOwner(s.ctx, s.workspace, fmt.Sprintf("owner%d@example.com", i%2))
			return err
		}))
		count := 0
		for _, one := range made {
			if one {
				count++
			}
		}
		s.equal(count, 1)
		s.equal(len(check.Must(s.Accounts.ListUsers(s.ctx))(s.t)), 1)
		s.equal(len(s.owners()), 1)
		members := check.Must(s.Accounts.ListMembers(s.ctx, s.workspace))(s.t)
		s.equal(len(members), 1)
		s.equal(members[0].Roles, []access.Role{access.Administrator})
	}},
	{"an invited user can become the first owner", func(s *store) {
		s.user("ann@example.com")
		bob := s.user("bob@example.com")
		owner, made, err := s.Accounts.FirstOwner(s.ctx, s.workspace, "Bob@example.com")
		s.ok(err)
		s.equal(made, true)
		s.equal(owner.ID, bob.ID)
		s.equal(s.owners(), []string{"bob@example.com"})
		_, made, err = s.Accounts.FirstOwner(s.ctx, s.workspace, "ann@example.com")
		s.ok(err)
		s.equal(made, false)
		s.equal(s.owners(), []string{"bob@example.com"})
	}},
}
