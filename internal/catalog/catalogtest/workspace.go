package catalogtest

import "github.com/promptuary/promptuary/internal/fault"

var workspaceCases = []testCase{
	{"create, get and find", func(s *store) {
		created := must(s.CreateWorkspace(s.ctx, "third"))(s.t)
		s.equal(must(s.GetWorkspace(s.ctx, created.ID))(s.t), created)
		s.equal(must(s.FindWorkspace(s.ctx, "third"))(s.t), created)
		s.equal(len(must(s.ListWorkspaces(s.ctx))(s.t)), 3)
	}},
	{"a taken or empty name is refused", func(s *store) {
		s.fails(failure(s.CreateWorkspace(s.ctx, "first")), fault.Conflict)
		s.fails(failure(s.CreateWorkspace(s.ctx, "")), fault.Invalid)
		s.fails(failure(s.EnsureWorkspace(s.ctx, "")), fault.Invalid)
	}},
	{"unknown is not found", func(s *store) {
		s.fails(failure(s.GetWorkspace(s.ctx, 999)), fault.NotFound)
		s.fails(failure(s.FindWorkspace(s.ctx, "First")), fault.NotFound)
		s.fails(failure(s.RenameWorkspace(s.ctx, 999, "x")), fault.NotFound)
		s.fails(failure(s.RequireRoles(s.ctx, 999, true)), fault.NotFound)
		s.fails(failure(s.DisableWorkspace(s.ctx, 999)), fault.NotFound)
		s.fails(failure(s.EnableWorkspace(s.ctx, 999)), fault.NotFound)
	}},
	{"rename", func(s *store) {
		renamed := must(s.RenameWorkspace(s.ctx, s.workspace, "another"))(s.t)
		s.equal(must(s.FindWorkspace(s.ctx, "another"))(s.t), renamed)
		s.fails(failure(s.FindWorkspace(s.ctx, "first")), fault.NotFound)
		s.equal(must(s.RenameWorkspace(s.ctx, s.workspace, "another"))(s.t), renamed)
		s.fails(failure(s.RenameWorkspace(s.ctx, s.other, "another")), fault.Conflict)
		s.fails(failure(s.RenameWorkspace(s.ctx, s.other, "")), fault.Invalid)
		s.equal(must(s.GetWorkspace(s.ctx, s.other))(s.t).Name, "second")
	}},
	{"disable, enable, demand roles", func(s *store) {
		before := must(s.GetWorkspace(s.ctx, s.workspace))(s.t)
		disabled := must(s.DisableWorkspace(s.ctx, s.workspace))(s.t)
		s.equal(disabled.DisabledAt != nil, true)
		s.equal(must(s.DisableWorkspace(s.ctx, s.workspace))(s.t), disabled)
		s.equal(must(s.GetWorkspace(s.ctx, s.workspace))(s.t), disabled)
		s.equal(must(s.EnableWorkspace(s.ctx, s.workspace))(s.t), before)
		demanding := must(s.RequireRoles(s.ctx, s.workspace, true))(s.t)
		s.equal(demanding.RolesRequired, true)
		s.equal(must(s.GetWorkspace(s.ctx, s.workspace))(s.t), demanding)
		s.equal(must(s.RequireRoles(s.ctx, s.workspace, false))(s.t), before)
		s.equal(must(s.GetWorkspace(s.ctx, s.other))(s.t).RolesRequired, false)
	}},
	{"ensure returns the same again", func(s *store) {
		first := must(s.EnsureWorkspace(s.ctx, "third"))(s.t)
		s.equal(must(s.EnsureWorkspace(s.ctx, "third"))(s.t), first)
	}},
	{"the default is the oldest", func(s *store) {
		s.equal(must(s.EnsureDefaultWorkspace(s.ctx))(s.t).ID, s.workspace)
	}},
	{"many processes ensure one workspace", func(s *store) {
		ids := make([]int64, 8)
		s.allOK(together(len(ids), func(i int) error {
			workspace, err := s.EnsureWorkspace(s.ctx, "shared")
			ids[i] = workspace.ID
			return err
		}))
		for _, id := range ids {
			s.equal(id, ids[0])
		}
	}},
}
