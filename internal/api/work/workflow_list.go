package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/workflow"
)

// listWorkflowsQuery selects a page of workflows. It has no rules in its
// tags, because an invalid page is answered with 400.
type listWorkflowsQuery struct {
	Page    int64 `query:"page" default:"1" description:"Page number, starting at 1."`
	PerPage int64 `query:"per_page" default:"30" description:"Page size, from 1 to 100."`
	kit.EntityFilters
}

const maxWorkflowsPerPage = 100

// paging returns the page, or a BadRequest fault if it is invalid.
func (in *listWorkflowsQuery) paging() (kit.Paging, error) {
	if in.Page < 1 || in.PerPage < 1 || in.PerPage > maxWorkflowsPerPage {
		return kit.Paging{}, fault.BadRequestf("Invalid pagination parameters")
	}
	return kit.Paging{Page: in.Page, PerPage: in.PerPage}, nil
}

type workflowItem struct {
	ID            int64            `json:"id" required:"true" description:"The id of the workflow."`
	WorkspaceID   int64            `json:"workspace_id" required:"true" description:"The id of the workspace."`
	UserID        *int64           `json:"user_id" required:"true" description:"The id of the account that created it; null if unknown."`
	Name          string           `json:"name" required:"true" description:"Name."`
	IsDeleted     bool             `json:"is_deleted" required:"true" description:"Always false."`
	LatestVersion *int64           `json:"latest_version_number" required:"true" description:"Number of the latest version; null if there is none."`
	Labels        []string         `json:"release_labels" required:"true" description:"All release labels of the workflow, by name."`
	ExternalIDs   []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

func (h workflows) list(ctx context.Context, in *listWorkflowsQuery) (*kit.Page[workflowItem], error) {
	page, err := in.paging()
	if err != nil {
		return nil, err
	}
	query := in.Query(kit.Workspace(ctx))
	query.Page = page.Slice()
	items, total, err := h.service.List(ctx, query)
	if err != nil {
		return nil, err
	}
	return kit.NewPage(page, total, items, wireWorkflow), nil
}

func wireWorkflow(i *workflow.Item) workflowItem {
	item := workflowItem{
		ID: i.Entity.ID, WorkspaceID: i.Entity.WorkspaceID, UserID: i.Entity.CreatorID, Name: i.Entity.Name,
		Labels: rest.NonNil(i.Labels), ExternalIDs: kit.WireExternalIDs(i.ExternalIDs),
	}
	if i.Entity.LatestVersion > 0 {
		item.LatestVersion = &i.Entity.LatestVersion
	}
	return item
}

type workflowLabelList struct {
	Success bool                `json:"success" required:"true" description:"Always true."`
	Labels  []workflowLabelItem `json:"release_labels" required:"true" description:"The labels, by name."`
}

type workflowLabelItem struct {
	Name          string `json:"release_label" required:"true" description:"Name of the label."`
	ID            int64  `json:"release_label_id" required:"true" description:"The id of the label."`
	VersionID     int64  `json:"workflow_version_id" required:"true" description:"The id of the version that it points at."`
	VersionNumber int64  `json:"workflow_version_number" required:"true" description:"Version number."`
}

func (h workflows) labels(ctx context.Context, in *workflowIdentifier) (*workflowLabelList, error) {
	labels, err := h.service.Labels(ctx, kit.Workspace(ctx), in.Identifier)
	if err != nil {
		return nil, err
	}
	return &workflowLabelList{Success: true, Labels: kit.Each(labels, func(l entity.Label) workflowLabelItem {
		return workflowLabelItem{Name: l.Name, ID: l.ID, VersionID: l.VersionID, VersionNumber: l.VersionNumber}
	})}, nil
}
