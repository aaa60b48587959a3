package admin

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

const (
	adminTag  = "Administration"
	adminBase = "/api/admin"
)

// administration has the handlers of workspaces, people, keys and sessions.
type administration struct{ service *access.Service }

func (h administration) operations() []rest.Op {
	ops := append(h.workspaceOperations(), h.roleOperations()...)
	ops = append(ops, h.userOperations()...)
	ops = append(ops, h.keyOperations()...)
	ops = append(ops, h.sessionOperations()...)
	return kit.Tagged(adminTag, ops)
}

func (h administration) workspaceOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: adminBase + "/workspaces", ID: "listWorkspaces", Handler: rest.Handle(h.workspaces),
			Summary: "List workspaces", Description: "Returns the workspaces that the caller can see: for a key its own, for members theirs, for owners all.",
		},
		{
			Method: http.MethodPost, Path: adminBase + "/workspaces", ID: "createWorkspace", Handler: rest.Handle(h.createWorkspace),
			Summary: "Create a workspace", Description: "Creates an empty workspace. Owners only.",
			Status: http.StatusCreated, Also: []int{http.StatusConflict},
		},
		{
			Method: http.MethodPatch, Path: adminBase + "/workspaces/{workspace_id}", ID: "updateWorkspace", Handler: rest.Handle(h.changeWorkspace),
			Summary:     "Change a workspace",
			Description: "Renames a workspace, or sets whether callers without a role may only read. Owners can also disable it, which blocks all access but keeps its data.",
			Also:        []int{http.StatusNotFound, http.StatusConflict},
		},
	}
}

type workspaceItem struct {
	ID            int64      `json:"id" required:"true" description:"The id of the workspace."`
	Name          string     `json:"name" required:"true" description:"Name."`
	RolesRequired bool       `json:"roles_required" required:"true" description:"Whether callers without a role may only read."`
	CreatedAt     rest.Time  `json:"created_at" required:"true" description:"When it was created."`
	DisabledAt    *rest.Time `json:"disabled_at" required:"true" description:"When the workspace was disabled; null if it is enabled."`
}

func wireWorkspace(w access.Workspace) workspaceItem {
	return workspaceItem{
		ID: w.ID, Name: w.Name, RolesRequired: w.RolesRequired,
		CreatedAt: kit.Time(w.CreatedAt), DisabledAt: kit.TimeOrNil(w.DisabledAt),
	}
}

type workspaceResponse struct {
	Success   bool          `json:"success" required:"true" description:"Always true."`
	Workspace workspaceItem `json:"workspace" required:"true" description:"The workspace."`
}

func answerWorkspace(w access.Workspace, err error) (*workspaceResponse, error) {
	return &workspaceResponse{Success: true, Workspace: wireWorkspace(w)}, err
}

type workspaceList struct {
	Success    bool            `json:"success" required:"true" description:"Always true."`
	Workspaces []workspaceItem `json:"workspaces" required:"true" description:"The workspaces, oldest first."`
}

func (h administration) workspaces(ctx context.Context, _ *struct{}) (*workspaceList, error) {
	found, err := h.service.Workspaces(ctx)
	return &workspaceList{Success: true, Workspaces: kit.Each(found, wireWorkspace)}, err
}

type newWorkspace struct {
	Name string `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the workspace, unique on the server."`
}

func (h administration) createWorkspace(ctx context.Context, in *newWorkspace) (*workspaceResponse, error) {
	return answerWorkspace(h.service.CreateWorkspace(ctx, in.Name))
}

type changeWorkspaceRequest struct {
	WorkspaceID   int64   `path:"workspace_id" minimum:"1" description:"The id of the workspace."`
	Name          *string `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	RolesRequired *bool   `json:"roles_required" description:"Whether callers without a role may only read. Otherwise they may do everything except administration."`
	Disabled      *bool   `json:"disabled" description:"Whether to disable the workspace."`
}

// Scope selects the workspace to change, in which the caller acts.
func (in *changeWorkspaceRequest) Scope() *int64 { return &in.WorkspaceID }

func (h administration) changeWorkspace(ctx context.Context, in *changeWorkspaceRequest) (*workspaceResponse, error) {
	return answerWorkspace(h.service.ChangeWorkspace(ctx, in.WorkspaceID, access.WorkspacePatch{
		Name: in.Name, RolesRequired: in.RolesRequired, Disabled: in.Disabled,
	}))
}
