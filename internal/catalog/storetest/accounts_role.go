package storetest

import (
	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func (s *store) role(workspaceID int64, name access.Role, permissions ...access.Permission) access.CustomRole {
	s.t.Helper()
	return check.Must(s.Accounts.CreateRole(s.ctx, access.CustomRole{WorkspaceID: workspaceID, Name: name, Permissions: access.SetOf(permissions...)}))(s.t)
}

var roleCases = []testCase{
	{"create, get and list", func(s *store) {
		tester := s.role(s.workspace, "tester", access.Read, access.ReportRun)
		author := s.role(s.workspace, "author", access.Read, access.PromptEdit, access.PromptCreate)
		s.equal([]any{author.WorkspaceID, author.Name, author.Permissions.Names()}, []any{s.workspace, access.Role("author"), []string{"READ", "PROMPT_CREATE", "PROMPT_EDIT"}})
		s.equal(check.Must(s.Accounts.GetRole(s.ctx, s.workspace, author.ID))(s.t), author)
		s.equal(check.Must(s.Accounts.ListRoles(s.ctx, s.workspace))(s.t), []access.CustomRole{author, tester})
		s.equal(check.Must(s.Accounts.ListRoles(s.ctx, s.other))(s.t), []access.CustomRole{})
	}},
	{"names are unique in a workspace", func(s *store) {
		s.role(s.workspace, "author", access.Read)
		s.fails(check.Failure(s.Accounts.CreateRole(s.ctx, access.CustomRole{WorkspaceID: s.workspace, Name: "author"})), fault.Conflict)
		s.role(s.other, "author", access.Read)
		s.fails(check.Failure(s.Accounts.CreateRole(s.ctx, access.CustomRole{WorkspaceID: 999, Name: "author"})), fault.NotFound)
	}},
	{"change", func(s *store) {
		author := s.role(s.workspace, "author", access.Read)
		changed := check.Must(s.Accounts.ChangeRole(s.ctx, s.workspace, author.ID, access.SetOf(access.Read, access.ToolEdit)))(s.t)
		s.equal(changed.Permissions.Names(), []string{"READ", "TOOL_EDIT"})
		s.equal(check.Must(s.Accounts.GetRole(s.ctx, s.workspace, author.ID))(s.t), changed)
		author.Permissions, author.UpdatedAt = changed.Permissions, changed.UpdatedAt
		s.equal(changed, author)
	}},
	{"delete", func(s *store) {
		author := s.role(s.workspace, "author", access.Read)
		s.ok(s.Accounts.DeleteRole(s.ctx, s.workspace, author.ID))
		s.fails(check.Failure(s.Accounts.GetRole(s.ctx, s.workspace, author.ID)), fault.NotFound)
		s.fails(s.Accounts.DeleteRole(s.ctx, s.workspace, author.ID), fault.NotFound)
		s.role(s.workspace, "author", access.Read)
	}},
	{"other workspaces reach no role", func(s *store) {
		author := s.role(s.workspace, "author", access.Read)
		s.fails(check.Failure(s.Accounts.GetRole(s.ctx, s.other, author.ID)), fault.NotFound)
		s.fails(check.Failure(s.Accounts.ChangeRole(s.ctx, s.other, author.ID, access.SetOf(access.Admin))), fault.NotFound)
		s.fails(s.Accounts.DeleteRole(s.ctx, s.other, author.ID), fault.NotFound)
		s.equal(check.Must(s.Accounts.GetRole(s.ctx, s.workspace, author.ID))(s.t), author)
	}},
	{"audit", func(s *store) {
		var author access.CustomRole
		s.audits(func() { author = s.role(s.workspace, "author", access.Read) }, `create ROLE author {"permissions":["READ"]}`)
		s.audits(func() {
			check.Must(s.Accounts.ChangeRole(s.ctx, s.workspace, author.ID, access.SetOf(access.Read, access.ToolEdit)))(s.t)
		}, `change ROLE author {"before":["READ"],"permissions":["READ","TOOL_EDIT"]}`)
		s.audits(func() { s.ok(s.Accounts.DeleteRole(s.ctx, s.workspace, author.ID)) }, `delete ROLE author {"permissions":["READ","TOOL_EDIT"]}`)
	}},
}
