package storetest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var sequenceCases = []testCase{
	{"blocks are consecutive in each sequence", func(s *store) {
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 10))(s.t), int64(1))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 1))(s.t), int64(11))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "span", 5))(s.t), int64(1))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 2))(s.t), int64(12))
	}},
	{"a sequence continues above a floor and never decreases", func(s *store) {
		s.ok(s.Sequences.EnsureIDsAbove(s.ctx, "request", 100))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 1))(s.t), int64(101))
		s.ok(s.Sequences.EnsureIDsAbove(s.ctx, "request", 50))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 1))(s.t), int64(102))
		s.ok(s.Sequences.EnsureIDsAbove(s.ctx, "request", 200))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "request", 1))(s.t), int64(201))
		s.ok(s.Sequences.EnsureIDsAbove(s.ctx, "fresh", 0))
		s.equal(check.Must(s.Sequences.ReserveIDs(s.ctx, "fresh", 1))(s.t), int64(1))
	}},
	{"invalid arguments are rejected", func(s *store) {
		for _, n := range []int64{-1, 0, 1<<31 + 1} {
			s.fails(check.Failure(s.Sequences.ReserveIDs(s.ctx, "request", n)), fault.Invalid)
		}
		s.fails(s.Sequences.EnsureIDsAbove(s.ctx, "request", -1), fault.Invalid)
		s.fails(s.Sequences.EnsureIDsAbove(s.ctx, "request", 1<<62+1), fault.Invalid)
	}},
}
