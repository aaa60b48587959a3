package catalogtest

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// claims fails the test unless the server gets the catalog, or does not, as
// expected. It returns when the current claim ends.
func (s *store) claims(server string, lasting time.Duration, want bool) int64 {
	s.t.Helper()
	claim, ok, err := s.Installation.ClaimServer(s.ctx, server, lasting)
	s.ok(err)
	s.equal(ok, want)
	return claim.Until
}

var serverCases = []testCase{
	{"one server has the catalog", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		first := s.claims("a", time.Hour, true)
		s.equal(s.claims("b", time.Hour, false), first)
		s.equal(s.claims("a", 2*time.Hour, true) > first, true)
		s.ok(s.Installation.ReleaseServer(s.ctx, "b"))
		s.claims("b", time.Hour, false)
		s.ok(s.Installation.ReleaseServer(s.ctx, "a"))
		s.claims("b", time.Hour, true)
		s.claims("a", time.Hour, false)
	}},
	{"a claim expires", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		s.claims("a", -time.Second, true)
		s.claims("b", time.Hour, true)
		s.claims("a", time.Hour, false)
	}},
	{"of concurrent servers one gets the catalog", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		var winners atomic.Int64
		s.allOK(check.Together(crowd, func(i int) error {
			_, ok, err := s.Installation.ClaimServer(s.ctx, strconv.Itoa(i), time.Hour)
			if ok {
				winners.Add(1)
			}
			return err
		}))
		s.equal(winners.Load(), int64(1))
	}},
}
