package kit

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
)

// Workspace returns the workspace that the caller acts in.
func Workspace(ctx context.Context) int64 { return access.CallerOf(ctx).Workspace }

// Author returns the email address of the caller, or nil if it is unknown.
func Author(ctx context.Context) *string {
	if email := access.CallerOf(ctx).Email; email != "" {
		return &email
	}
	return nil
}

// InWorkspace returns a Forbidden fault if id is set and not the caller's
// workspace.
func InWorkspace(ctx context.Context, id *int64) error {
	if id != nil && *id != Workspace(ctx) {
		return fault.New(fault.Forbidden, "The API key does not cover workspace %d", *id)
	}
	return nil
}

// SameWorkspace returns a BadRequest fault if id is set and not the caller's
// workspace. Folders, datasets and evaluations answer this way.
func SameWorkspace(ctx context.Context, id *int64) error {
	if id != nil && *id != Workspace(ctx) {
		return fault.BadRequestf("Invalid workspace_id")
	}
	return nil
}
