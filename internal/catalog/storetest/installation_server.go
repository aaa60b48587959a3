package storetest

import (
	"strconv"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/installation"
	"github.com/promptuary/promptuary/internal/check"
)

// joins fails the test unless the server joins, or the rival prevents it. It
// returns until when the rival is registered.
func (s *store) joins(name string, alone bool, lasting time.Duration, rival string) int64 {
	s.t.Helper()
	found, err := s.Installation.JoinServer(s.ctx, installation.Server{Name: name, Alone: alone, Status: "{}"}, lasting)
	s.ok(err)
	if found == nil {
		s.equal("", rival)
		return 0
	}
	s.equal(found.Name, rival)
	return found.Until
}

// running returns the names of the servers that run.
func (s *store) running() []string {
	names := []string{}
	for _, server := range check.Must(s.Installation.Servers(s.ctx))(s.t) {
		if server.Running {
			names = append(names, server.Name)
		}
	}
	return names
}

var serverCases = []testCase{
	{"a server with its own request logs is alone", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		s.joins("a", true, time.Hour, "")
		first := s.joins("b", true, time.Hour, "a")
		s.equal(s.joins("c", false, time.Hour, "a"), first)
		s.joins("a", true, 2*time.Hour, "")
		s.equal(s.joins("b", true, time.Hour, "a") > first, true)
		s.ok(s.Installation.LeaveServer(s.ctx, "b"))
		s.joins("b", true, time.Hour, "a")
		s.ok(s.Installation.LeaveServer(s.ctx, "a"))
		s.joins("b", true, time.Hour, "")
		s.joins("a", true, time.Hour, "b")
		s.equal(s.running(), []string{"b"})
	}},
	{"servers that share their request logs run together", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		s.joins("b", false, time.Hour, "")
		s.joins("a", false, time.Hour, "")
		s.joins("c", true, time.Hour, "a")
		s.equal(s.running(), []string{"a", "b"})
	}},
	{"a registration expires", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		s.joins("a", true, -time.Second, "")
		s.joins("b", true, time.Hour, "")
		s.joins("a", true, time.Hour, "b")
		s.equal(s.running(), []string{"b"})
		s.equal(len(check.Must(s.Installation.Servers(s.ctx))(s.t)), 2)
	}},
	{"a server that ended a day ago is forgotten", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		s.joins("a", false, -25*time.Hour, "")
		s.joins("b", false, time.Hour, "")
		s.equal(len(check.Must(s.Installation.Servers(s.ctx))(s.t)), 1)
	}},
	{"what a server reports is listed", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		server := installation.Server{Name: "a", Version: "1.2", Started: time.UnixMicro(5).UTC(), Status: `{"logs":1}`}
		check.Must(s.Installation.JoinServer(s.ctx, server, time.Hour))(s.t)
		server.Status = `{"logs":2}`
		check.Must(s.Installation.JoinServer(s.ctx, server, time.Hour))(s.t)
		all := check.Must(s.Installation.Servers(s.ctx))(s.t)
		s.equal(len(all), 1)
		server.Running, server.Until = true, all[0].Until
		s.equal(all[0], server)
	}},
	{"of concurrent servers with their own request logs one joins", func(s *store) {
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		var winners atomic.Int64
		s.allOK(check.Together(crowd, func(i int) error {
			rival, err := s.Installation.JoinServer(s.ctx, installation.Server{Name: strconv.Itoa(i), Alone: true, Status: "{}"}, time.Hour)
			if rival == nil && err == nil {
				winners.Add(1)
			}
			return err
		}))
		s.equal(winners.Load(), int64(1))
	}},
	{"calls are counted over all servers", func(s *store) {
		counts := func(limit, caller string, most int, window time.Duration, want bool) time.Duration {
			s.t.Helper()
			wait, ok, err := s.Installation.CountCall(s.ctx, limit, caller, most, window)
			s.ok(err)
			s.equal(ok, want)
			return wait
		}
		counts("search", "a", 2, time.Hour, true)
		counts("search", "a", 2, time.Hour, true)
		wait := counts("search", "a", 2, time.Hour, false)
		s.equal(wait > 59*time.Minute && wait <= time.Hour, true)
		counts("search", "a", 3, time.Hour, true) // rejected calls do not count
		counts("search", "b", 2, time.Hour, true)
		counts("suggest", "a", 2, time.Hour, true)
		counts("search", "a", 1, 0, true) // all calls are older than the window
		s.ok(s.Installation.ForgetCalls(s.ctx, time.Hour))
		counts("search", "a", 1, time.Hour, false)
		s.ok(s.Installation.ForgetCalls(s.ctx, -time.Second))
		counts("search", "a", 1, time.Hour, true)
	}},
	{"of concurrent calls as many as allowed are counted", func(s *store) {
		var counted atomic.Int64
		s.allOK(check.Together(crowd, func(int) error {
			_, ok, err := s.Installation.CountCall(s.ctx, "search", "a", crowd/2, time.Hour)
			if ok {
				counted.Add(1)
			}
			return err
		}))
		s.equal(counted.Load(), int64(crowd/2))
	}},
}
