package kit

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
)

// Workspace returns the workspace that the caller acts in: the one that the
// request selects, or the caller's own.
func Workspace(ctx context.Context) int64 { return access.CallerOf(ctx).Workspace }

// Author returns the email address of the caller, or nil if it is unknown.
func Author(ctx context.Context) *string {
	if email := access.CallerOf(ctx).Email; email != "" {
		return &email
	}
	return nil
}

// WorkspaceQuery is the query parameter workspace_id.
type WorkspaceQuery struct {
	WorkspaceID *int64 `query:"workspace_id" minimum:"1" description:"The id of the workspace to act in; defaults to the key's. Owner keys can select every workspace, people those that they are a member of."`
}

// Scope returns the selected workspace.
func (w *WorkspaceQuery) Scope() *int64 { return w.WorkspaceID }

// WorkspaceBody is the member workspace_id of a body.
type WorkspaceBody struct {
	WorkspaceID *int64 `json:"workspace_id" minimum:"1" description:"The id of the workspace to act in; defaults to the key's. Owner keys can select every workspace, people those that they are a member of."`
}

// Scope returns the selected workspace.
func (w *WorkspaceBody) Scope() *int64 { return w.WorkspaceID }
