package api

import (
	"context"
	"net/http"

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
	versionPaging
}

type workflowVersionPage struct {
	Items []workflowVersionItem `json:"items" required:"true" description:"The versions."`
	pageInfo
}

type workflowVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The version."`
	listedVersion
	Nodes int `json:"node_count" required:"true" description:"How many nodes it has."`
}

func (h workflows) versions(ctx context.Context, in *listWorkflowVersionsQuery) (*workflowVersionPage, error) {
	page := in.paging()
	found, total, err := h.service.ListVersions(ctx, workspace(ctx), in.Identifier, page.slice())
	if err != nil {
		return nil, err
	}
	list := &workflowVersionPage{Items: make([]workflowVersionItem, len(found)), pageInfo: page.info(total)}
	for i := range found {
		one := &found[i]
		list.Items[i] = workflowVersionItem{
			ID: one.Version.ID, listedVersion: wireListedVersion(&one.Version, one.Labels), Nodes: one.Shown,
		}
	}
	return list, nil
}
