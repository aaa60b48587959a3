package storetest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var workspaceCases = []testCase{
	{"create, get and find", func(s *store) {
		created := check.Must(s.Accounts.CreateWorkspace(s.ctx, "third"))(s.t)
		s.equal(check.Must(s.Accounts.GetWorkspace(s.ctx, created.ID))(s.t), created)
		s.equal(check.Must(s.Accounts.FindWorkspace(s.ctx, "third"))(s.t), created)
		s.equal(len(check.Must(s.Accounts.ListWorkspaces(s.ctx))(s.t)), 3)
	}},
	{"taken and blank names are rejected", func(s *store) {
		s.fails(check.Failure(s.Accounts.CreateWorkspace(s.ctx, "first")), fault.Conflict)
		s.fails(check.Failure(s.Accounts.CreateWorkspace(s.ctx, "")), fault.Invalid)
		s.fails(check.Failure(s.Accounts.EnsureWorkspace(s.ctx, "")), fault.Invalid)
	}},
	{"unknown ids are not found", func(s *store) {
		s.fails(check.Failure(s.Accounts.GetWorkspace(s.ctx, 999)), fault.NotFound)
		s.fails(check.Failure(s.Accounts.FindWorkspace(s.ctx, "First")), fault.NotFound)
		s.fails(check.Failure(s.Accounts.RenameWorkspace(s.ctx, 999, "x")), fault.NotFound)
		s.fails(check.Failure(s.Accounts.RequireRoles(s.ctx, 999, true)), fault.NotFound)
		s.fails(check.Failure(s.Accounts.DisableWorkspace(s.ctx, 999)), fault.NotFound)
		s.fails(check.Failure(s.Accounts.EnableWorkspace(s.ctx, 999)), fault.NotFound)
	}},
	{"rename", func(s *store) {
		renamed := check.Must(s.Accounts.RenameWorkspace(s.ctx, s.workspace, "another"))(s.t)
		s.equal(check.Must(s.Accounts.FindWorkspace(s.ctx, "another"))(s.t), renamed)
		s.fails(check.Failure(s.Accounts.FindWorkspace(s.ctx, "first")), fault.NotFound)
		s.equal(check.Must(s.Accounts.RenameWorkspace(s.ctx, s.workspace, "another"))(s.t), renamed)
		s.fails(check.Failure(s.Accounts.RenameWorkspace(s.ctx, s.other, "another")), fault.Conflict)
		s.fails(check.Failure(s.Accounts.RenameWorkspace(s.ctx, s.other, "")), fault.Invalid)
		s.equal(check.Must(s.Accounts.GetWorkspace(s.ctx, s.other))(s.t).Name, "second")
	}},
	{"disable, enable, require roles", func(s *store) {
		before := check.Must(s.Accounts.GetWorkspace(s.ctx, s.workspace))(s.t)
		disabled := check.Must(s.Accounts.DisableWorkspace(s.ctx, s.workspace))(s.t)
		s.equal(disabled.DisabledAt != nil, true)
		s.equal(check.Must(s.Accounts.DisableWorkspace(s.ctx, s.workspace))(s.t), disabled)
		s.equal(check.Must(s.Accounts.GetWorkspace(s.ctx, s.workspace))(s.t), disabled)
		s.equal(check.Must(s.Accounts.EnableWorkspace(s.ctx, s.workspace))(s.t), before)
		demanding := check.Must(s.Accounts.RequireRoles(s.ctx, s.workspace, true))(s.t)
		s.equal(demanding.RolesRequired, true)
		s.equal(check.Must(s.Accounts.GetWorkspace(s.ctx, s.workspace))(s.t), demanding)
		s.equal(check.Must(s.Accounts.RequireRoles(s.ctx, s.workspace, false))(s.t), before)
		s.equal(check.Must(s.Accounts.GetWorkspace(s.ctx, s.other))(s.t).RolesRequired, false)
	}},
	{"ensure returns the existing workspace", func(s *store) {
		first := check.Must(s.Accounts.EnsureWorkspace(s.ctx, "third"))(s.t)
		s.equal(check.Must(s.Accounts.EnsureWorkspace(s.ctx, "third"))(s.t), first)
	}},
	{"the default workspace is the oldest", func(s *store) {
		s.equal(check.Must(s.Accounts.EnsureDefaultWorkspace(s.ctx))(s.t).ID, s.workspace)
	}},
	{"concurrent calls ensure one workspace", func(s *store) {
		ids := make([]int64, 8)
		s.allOK(check.Together(len(ids), func(i int) error {
			workspace, err := s.Accounts.EnsureWorkspace(s.ctx, "shared")
			ids[i] = workspace.ID
			return err
		}))
		for _, id := range ids {
			s.equal(id, ids[0])
		}
	}},
}
