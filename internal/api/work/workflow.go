package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/workflow"
)

// workflows has the handlers of workflows.
type workflows struct{ service *workflow.Service }

const workflowTag = "Workflows"

func (h workflows) operations() []rest.Op {
	notFound := []int{http.StatusForbidden, http.StatusNotFound}
	return kit.Tagged(workflowTag, []rest.Op{
		{
			Method: http.MethodPost, Path: "/rest/workflows", ID: "createWorkflow", Summary: "Create a workflow or a version",
			Description: "Creates a workflow, or adds a version to the one given by workflow_id or workflow_name. Nodes must be complete: " +
				"nothing is inherited from earlier versions, except that … keeps the credential that the latest version has there. " +
				"Nothing is stored if the request is rejected.",
			Status: http.StatusCreated, Also: append(notFound, http.StatusConflict), Handler: rest.Handle(h.create),
		},
		{
			Method: http.MethodPatch, Path: "/rest/workflows/{workflow_id_or_name...}", ID: "patchWorkflow", Summary: "Patch a version",
			Description: "Adds a version that is an earlier one with changes. Configurations are merged, dependencies and variables are replaced, " +
				"and edges of removed nodes are removed. Credentials that are omitted or sent as … are kept. Nothing is stored if the request is rejected.",
			Status: http.StatusCreated, Also: notFound, Handler: rest.Handle(h.patch),
		},
		{
			Method: http.MethodGet, Path: "/workflows", ID: "listWorkflows", Summary: "List workflows",
			Description: "Returns a page of workflows, newest first.",
			Also:        []int{http.StatusBadRequest, http.StatusForbidden}, Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodGet, Path: "/workflows/{workflow_id_or_name...}", ID: "getWorkflow", Summary: "Get a version",
			Description: "Returns one version of a workflow with its nodes and edges. Credentials are shown as ….",
			Also:        notFound[1:], Handler: rest.Handle(h.get),
		},
		{
			Method: http.MethodGet, Path: "/workflows/{workflow_id_or_name...}/labels", ID: "listWorkflowLabels", Summary: "List release labels",
			Description: "Returns the release labels of a workflow and the versions they point at.",
			Also:        notFound[1:], Handler: rest.Handle(h.labels),
		},
		{
			Method: http.MethodGet, Path: "/workflows/{workflow_id_or_name...}/versions", ID: "listWorkflowVersions",
			Summary:     "List versions",
			Description: "Returns a page of the versions of a workflow, newest first, without their nodes and edges.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	})
}

func (h workflows) create(ctx context.Context, in *createWorkflowRequest) (*workflowRecord, error) {
	record, created, err := h.service.Create(ctx, kit.Workspace(ctx), workflow.CreateInput{
		Name: in.Name, WorkflowID: in.WorkflowID, WorkflowName: in.WorkflowName, FolderID: in.FolderID,
		Definition: workflow.Definition{Nodes: in.Nodes, Edges: in.Edges, Variables: in.Variables},
		Release: registry.Release{
			CommitMessage: in.CommitMessage, Labels: in.Labels, ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Author: kit.Author(ctx),
		},
	})
	if err != nil {
		return nil, err
	}
	if created {
		return wireWorkflowRecord(record, "Workflow created successfully"), nil
	}
	return wireWorkflowRecord(record, versionCreated), nil
}

const versionCreated = "Workflow version created successfully"

func (h workflows) patch(ctx context.Context, in *patchWorkflowRequest) (*workflowRecord, error) {
	patch := workflow.Patch{
		Base: kit.OrZero(in.BaseVersion),
		Changes: workflow.Changes{
			Nodes: in.Nodes,
			Edges: in.Edges, HasEdges: in.Edges != nil,
			Variables: in.Variables, HasVariables: in.Variables != nil,
		},
		Release: registry.Release{CommitMessage: in.CommitMessage, Labels: in.Labels, Author: kit.Author(ctx)},
	}
	record, err := h.service.Patch(ctx, kit.Workspace(ctx), in.Identifier, patch)
	if err != nil {
		return nil, err
	}
	return wireWorkflowRecord(record, versionCreated), nil
}

func (h workflows) get(ctx context.Context, in *getWorkflowQuery) (*workflowVersion, error) {
	version := registry.Selector{Label: kit.OrZero(in.Label), Number: kit.OrZero(in.Version)}
	record, err := h.service.Get(ctx, kit.Workspace(ctx), in.Identifier, version)
	if err != nil {
		return nil, err
	}
	return wireWorkflowVersion(record), nil
}

var workflowRoutes = kit.EntityRoutes{
	Kind: entity.KindWorkflow, ID: "Workflow", Noun: "workflow", Tag: workflowTag, Base: "/workflows/{workflow_id}",
}

// workflowPath is the path of one workflow.
type workflowPath struct {
	ID int64 `path:"workflow_id" minimum:"1" description:"The id of the workflow."`
}

// EntityKey implements kit.EntityPath.
func (p workflowPath) EntityKey() (int64, string) { return p.ID, "" }

// The inputs with an external id in the body or in the path, and with a release
// label.
type (
	attachWorkflowExternalID struct {
		workflowPath
		kit.ExternalID
	}
	deleteWorkflowExternalID struct {
		workflowPath
		kit.ExternalIDPath
	}
	pointWorkflowLabel struct {
		workflowPath
		kit.LabelTarget
	}
	removeWorkflowLabel struct {
		workflowPath
		kit.LabelPath
	}
)
