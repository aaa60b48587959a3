package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h workflows) versionOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: "/workflows/{workflow_id_or_name...}/versions", ID: "listWorkflowVersions", Tag: workflowTag,
			Summary:     "List versions",
			Description: "Returns a page of the versions of a workflow, newest first, without their nodes and edges.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	}
}

type listWorkflowVersionsQuery struct {
	workflowIdentifier
	kit.VersionPaging
}

type workflowVersionPage struct {
	Items []workflowVersionItem `json:"items" required:"true" description:"The versions."`
	kit.PageInfo
}

type workflowVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The version."`
	kit.ListedVersion
	Nodes int `json:"node_count" required:"true" description:"How many nodes it has."`
}

func (h workflows) versions(ctx context.Context, in *listWorkflowVersionsQuery) (*workflowVersionPage, error) {
	page := in.Paging()
	found, total, err := h.service.ListVersions(ctx, kit.Workspace(ctx), in.Identifier, page.Slice())
	if err != nil {
		return nil, err
	}
	list := &workflowVersionPage{Items: make([]workflowVersionItem, len(found)), PageInfo: page.Info(total)}
	for i := range found {
		one := &found[i]
		list.Items[i] = workflowVersionItem{
			ID: one.Version.ID, ListedVersion: kit.WireListedVersion(&one.Version, one.Labels), Nodes: one.Shown,
		}
	}
	return list, nil
}
