package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/tool"
)

// tools has the handlers of the tool registry.
type tools struct{ service *tool.Service }

const (
	toolTag  = "Tools"
	toolBase = "/api/public/v2/tool-registry"
)

func (h tools) operations() []rest.Op {
	const one = toolBase + "/{identifier...}"
	return kit.Tagged(toolTag, []rest.Op{
		{
			Method: http.MethodGet, Path: toolBase, ID: "listTools", Summary: "List tools",
			Description: "Returns all matching tools, most recently changed first.",
			Also:        []int{http.StatusForbidden}, Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodPost, Path: toolBase, ID: "createTool", Summary: "Create a tool",
			Description: "Creates a tool with its first version. Any object is accepted as its definition and stored as is. Nothing is stored if the request is rejected.",
			Status:      http.StatusCreated, Also: []int{http.StatusForbidden, http.StatusNotFound, http.StatusConflict}, Handler: rest.Handle(h.create),
		},
		{
			Method: http.MethodGet, Path: one, ID: "getTool", Summary: "Get a version",
			Description: "Returns a tool with one of its versions.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.get),
		},
		{
			Method: http.MethodPost, Path: one + "/versions", ID: "createToolVersion", Summary: "Add a version",
			Description: "Adds a version to a tool. Nothing is inherited: execution and response schema of earlier versions are not kept.",
			Status:      http.StatusCreated, Also: []int{http.StatusForbidden, http.StatusNotFound}, Handler: rest.Handle(h.addVersion),
		},
		{
			Method: http.MethodPost, Path: one + "/test-execute", ID: "testExecuteTool", Summary: "Run a version",
			Description: "Runs the code of a version in the sandbox, with the environment variables of the workspace and the tool. Failures of the code are part of a " +
				"successful response. Requires permission to edit tools, because code can read those variables.",
			EmptyBody: true, Also: []int{http.StatusForbidden, http.StatusNotFound, http.StatusBadGateway, http.StatusServiceUnavailable}, Handler: rest.Handle(h.try),
		},
		{
			Method: http.MethodGet, Path: toolBase + "/{identifier...}/versions", ID: "listToolVersions",
			Summary:     "List versions",
			Description: "Returns a page of the versions of a tool, newest first, without their definitions and code.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	})
}

func (h tools) list(ctx context.Context, in *listToolsQuery) (*toolList, error) {
	query := in.Query(kit.Workspace(ctx))
	kit.Sort(&query, in.SortBy, in.SortOrder)
	items, err := h.service.List(ctx, query)
	if err != nil {
		return nil, err
	}
	return &toolList{Success: true, Tools: kit.Each(items, func(i tool.Item) toolItem {
		return wireTool(&i.Entity, i.Description, i.ExternalIDs)
	})}, nil
}

func (h tools) create(ctx context.Context, in *createToolRequest) (*createdTool, error) {
	record, err := h.service.Create(ctx, kit.Workspace(ctx), registry.CreateInput[tool.Content]{
		Name: in.Name, FolderID: in.FolderID, Content: new(in.content(in.Description)), Release: in.release(ctx, in.ExternalIDs...),
	})
	if err != nil {
		return nil, err
	}
	made := wireTool(&record.Entity, record.Content.Description, record.ExternalIDs)
	return &createdTool{Success: true, Tool: made, Version: wireToolVersion(record), ExternalIDs: made.ExternalIDs}, nil
}

func (h tools) get(ctx context.Context, in *getToolQuery) (*toolResponse, error) {
	record, err := h.service.Get(ctx, kit.Workspace(ctx), in.Identifier, in.version())
	if err != nil {
		return nil, err
	}
	return &toolResponse{Success: true, Tool: wireToolRecord(record)}, nil
}

func (h tools) addVersion(ctx context.Context, in *addToolVersionRequest) (*addedToolVersion, error) {
	record, err := h.service.AddVersion(ctx, kit.Workspace(ctx), in.Identifier, in.content(nil), in.release(ctx))
	if err != nil {
		return nil, err
	}
	return &addedToolVersion{Success: true, Version: wireToolVersion(record)}, nil
}

func (h tools) try(ctx context.Context, in *tryToolRequest) (*triedTool, error) {
	outcome, err := h.service.Try(ctx, kit.Workspace(ctx), in.Identifier, tool.Trial{
		Version: in.version(), Inputs: in.Inputs, Execution: in.Execution.execution(), Definition: in.Definition,
	})
	if err != nil {
		return nil, err
	}
	return wireOutcome(outcome), nil
}

var toolRoutes = kit.EntityRoutes{Kind: entity.KindTool, ID: "Tool", Noun: "tool", Tag: toolTag, Base: toolBase + "/{tool_id}"}

// toolPath is the path of one tool.
type toolPath struct {
	ID int64 `path:"tool_id" minimum:"1" description:"The id of the tool."`
}

// EntityKey implements kit.EntityPath.
func (p toolPath) EntityKey() (int64, string) { return p.ID, "" }

// The inputs with an external id in the body or in the path, and with a release
// label.
type (
	attachToolExternalID struct {
		toolPath
		kit.ExternalID
	}
	deleteToolExternalID struct {
		toolPath
		kit.ExternalIDPath
	}
	pointToolLabel struct {
		toolPath
		kit.LabelTarget
	}
	removeToolLabel struct {
		toolPath
		kit.LabelPath
	}
)
