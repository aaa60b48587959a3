package storetest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var groupCases = []testCase{
	{"groups are per workspace", func(s *store) {
		first := check.Must(s.Groups.CreateGroup(s.ctx, s.workspace))(s.t)
		second := check.Must(s.Groups.CreateGroup(s.ctx, s.workspace))(s.t)
		s.equal(first != second, true)
		s.equal(check.Must(s.Groups.GroupExists(s.ctx, s.workspace, first))(s.t), true)
		s.equal(check.Must(s.Groups.GroupExists(s.ctx, s.other, first))(s.t), false)
		s.equal(check.Must(s.Groups.GroupExists(s.ctx, s.workspace, 999))(s.t), false)
	}},
	{"unknown workspaces are not found", func(s *store) {
		s.fails(check.Failure(s.Groups.CreateGroup(s.ctx, 999)), fault.NotFound)
	}},
}
