package admin

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h administration) roleOperations() []rest.Op {
	const one = adminBase + "/roles/{role_id}"
	return []rest.Op{
		{
			Method: http.MethodGet, Path: adminBase + "/roles", ID: "listRoles", Handler: rest.Handle(h.roles),
			Summary: "List roles", Description: "Returns the roles that keys and members can have, with their permissions: the built-in ones and those of the workspace.",
		},
		{
			Method: http.MethodPost, Path: adminBase + "/roles", ID: "createRole", Handler: rest.Handle(h.createRole),
			Summary: "Create a role",
			Description: "Creates a custom role of the workspace, which keys and members can have like a built-in one. A workspace has at most 50 custom roles. " +
				"Callers cannot create a role with more permissions than their own.",
			Status: http.StatusCreated, Also: []int{http.StatusConflict},
		},
		{
			Method: http.MethodPatch, Path: one, ID: "updateRole", Handler: rest.Handle(h.changeRole),
			Summary:     "Change a role",
			Description: "Replaces the permissions of a custom role. They apply to its keys and members with the next request; other processes that share the catalog follow within seconds. The name cannot be changed.",
		},
		{
			Method: http.MethodDelete, Path: one, ID: "deleteRole", Handler: rest.Handle(h.deleteRole),
			Summary: "Delete a role", Description: "Deletes a custom role. A role that a member or a valid key has cannot be deleted.",
			Also: []int{http.StatusConflict},
		},
	}
}

type roleItem struct {
	ID          *int64   `json:"id" required:"true" description:"The id of the custom role; null for a built-in one."`
	Name        string   `json:"name" required:"true" description:"The role."`
	Permissions []string `json:"permissions" required:"true" description:"Permissions of the role."`
}

func wireRole(r access.CustomRole) roleItem {
	return roleItem{ID: &r.ID, Name: string(r.Name), Permissions: r.Permissions.Names()}
}

type roleList struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	Roles   []roleItem `json:"roles" required:"true" description:"The built-in roles, from fewest to most permissions, then the custom ones by name."`
}

func (h administration) roles(ctx context.Context, _ *kit.WorkspaceQuery) (*roleList, error) {
	list := &roleList{Success: true}
	for _, role := range access.Roles() {
		list.Roles = append(list.Roles, roleItem{Name: string(role), Permissions: role.Permissions().Names()})
	}
	custom, err := h.service.CustomRoles(ctx, kit.Workspace(ctx))
	list.Roles = append(list.Roles, kit.Each(custom, wireRole)...)
	return list, err
}

type roleResponse struct {
	Success bool     `json:"success" required:"true" description:"Always true."`
	Role    roleItem `json:"role" required:"true" description:"The role."`
}

func answerRole(role access.CustomRole, err error) (*roleResponse, error) {
	return &roleResponse{Success: true, Role: wireRole(role)}, err
}

// permissionNames is a list of permissions in a body.
type permissionNames struct {
	Permissions []string `json:"permissions" required:"true" maxItems:"100" items.maxLength:"64" description:"All permissions of the role, which must include READ."`
}

type createRoleRequest struct {
	kit.WorkspaceQuery
	Name string `json:"name" required:"true" minLength:"1" maxLength:"64" description:"Name of the role, unique in the workspace, ignoring case."`
	permissionNames
}

func (h administration) createRole(ctx context.Context, in *createRoleRequest) (*roleResponse, error) {
	return answerRole(h.service.CreateRole(ctx, kit.Workspace(ctx), in.Name, in.Permissions))
}

type rolePath struct {
	RoleID int64 `path:"role_id" minimum:"1" description:"The id of the custom role."`
	kit.WorkspaceQuery
}

type changeRoleRequest struct {
	rolePath
	permissionNames
	Name *string `json:"name" description:"Rejected, because the name of a role cannot be changed."`
}

// Validate rejects a new name, which would otherwise be ignored silently.
func (in *changeRoleRequest) Validate(problems *fault.Problems) {
	if in.Name != nil {
		problems.Add(fault.At(kit.BodyLoc, "name"), "value_error", "The name of a role cannot be changed")
	}
}

func (h administration) changeRole(ctx context.Context, in *changeRoleRequest) (*roleResponse, error) {
	return answerRole(h.service.ChangeRole(ctx, kit.Workspace(ctx), in.RoleID, in.Permissions))
}

func (h administration) deleteRole(ctx context.Context, in *rolePath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.DeleteRole(ctx, kit.Workspace(ctx), in.RoleID))
}
