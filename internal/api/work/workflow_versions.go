package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/registry"
)

type listWorkflowVersionsQuery struct {
	workflowIdentifier
	kit.VersionPaging
}

type workflowVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The id of the version."`
	kit.ListedVersion
	Nodes int `json:"node_count" required:"true" description:"Number of nodes."`
}

func (h workflows) versions(ctx context.Context, in *listWorkflowVersionsQuery) (*kit.Page[workflowVersionItem], error) {
	return kit.ListVersions(ctx, in.Identifier, in.VersionPaging, h.service.ListVersions, wireWorkflowVersionItem)
}

func wireWorkflowVersionItem(v *registry.ListedVersion[int]) workflowVersionItem {
	return workflowVersionItem{ID: v.Version.ID, ListedVersion: kit.WireListedVersion(&v.Version, v.Labels), Nodes: v.Shown}
}
