package registry

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/variableset"
)

// variableSets has the handlers of input variable sets.
type variableSets struct{ service *variableset.Service }

func (h variableSets) operations() []rest.Op {
	const all = "/api/public/v2/input-variable-sets"
	const one = all + "/{input_variable_set_id}"
	notFound := []int{http.StatusForbidden, http.StatusNotFound}
	return kit.Tagged("Input variable sets", []rest.Op{
		{
			Method: http.MethodPost, Path: all, ID: "createInputVariableSet", Summary: "Create a set",
			Description: "Creates a named set of values for input variables. Names need not be unique.",
			Status:      http.StatusCreated, Also: append(notFound, http.StatusConflict), Handler: rest.Handle(h.create),
		},
		{
			Method: http.MethodGet, Path: all, ID: "listInputVariableSets", Summary: "List sets",
			Description: "Returns a page of sets, newest first, each in its latest version.",
			Also:        notFound[:1], Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodGet, Path: one, ID: "getInputVariableSet", Summary: "Get a set",
			Description: "Returns a set in its latest version.", Also: notFound[1:], Handler: rest.Handle(h.get),
		},
		{
			Method: http.MethodPatch, Path: one, ID: "updateInputVariableSet", Summary: "Change a set",
			Description: "Renames a set, or adds a version with new values, or both.",
			Also:        notFound[1:], Handler: rest.Handle(h.update),
		},
		{
			Method: http.MethodDelete, Path: one, ID: "deleteInputVariableSet", Summary: "Delete a set",
			Description: "Deletes a set and all its versions.", Also: notFound[1:], Handler: rest.Handle(h.remove),
		},
	})
}

type createVariableSetRequest struct {
	Name        string           `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the set."`
	Variables   rest.RawObject   `json:"variables" required:"true" description:"Values of any type by variable name."`
	FolderID    *int64           `json:"folder_id" minimum:"1" description:"The id of the folder; defaults to the root."`
	ExternalIDs []kit.ExternalID `json:"external_ids" maxItems:"1000" description:"External ids to attach to the set."`
	kit.WorkspaceBody
}

type variableSetPath struct {
	ID int64 `path:"input_variable_set_id" minimum:"1" description:"The id of the set."`
}

type updateVariableSetRequest struct {
	variableSetPath
	Name      *string         `json:"name" minLength:"1" maxLength:"255" description:"New name."`
	Variables *rest.RawObject `json:"variables" description:"New values, which replace all."`
}

type listVariableSetsQuery struct {
	kit.Paging
	kit.EntityFilters
	Name string `query:"name" description:"Part of the name, ignoring case."`
}

type variableSetItem struct {
	ID          int64            `json:"id" required:"true" description:"The id of the set."`
	Name        string           `json:"name" required:"true" description:"Name."`
	Variables   rest.RawObject   `json:"variables" required:"true" description:"Values by variable name."`
	Version     int64            `json:"version_number" required:"true" description:"Number of the latest version."`
	WorkspaceID int64            `json:"workspace_id" required:"true" description:"The id of the workspace."`
	FolderID    *int64           `json:"folder_id" required:"true" description:"The id of the folder; null at the root."`
	CreatedAt   rest.Time        `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt   rest.Time        `json:"updated_at" required:"true" description:"When it was last changed."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

type variableSetResponse struct {
	Success bool            `json:"success" required:"true" description:"Always true."`
	Set     variableSetItem `json:"input_variable_set" required:"true" description:"The set."`
}

type variableSetPage struct {
	Success bool              `json:"success" required:"true" description:"Always true."`
	Sets    []variableSetItem `json:"input_variable_sets" required:"true" description:"The sets."`
	kit.PageInfo
}

func wireVariableSet(s *variableset.Set) variableSetItem {
	return variableSetItem{
		ID: s.Entity.ID, Name: s.Entity.Name, Variables: rest.RawObject(s.Content), Version: s.Version.Number,
		WorkspaceID: s.Entity.WorkspaceID, FolderID: s.Entity.FolderID,
		CreatedAt: kit.Time(s.Entity.CreatedAt), UpdatedAt: kit.Time(s.Entity.UpdatedAt),
		ExternalIDs: kit.WireExternalIDs(s.ExternalIDs),
	}
}

func answerVariableSet(s *variableset.Set, err error) (*variableSetResponse, error) {
	if err != nil {
		return nil, err
	}
	return &variableSetResponse{Success: true, Set: wireVariableSet(s)}, nil
}

func (h variableSets) create(ctx context.Context, in *createVariableSetRequest) (*variableSetResponse, error) {
	return answerVariableSet(h.service.Create(ctx, kit.Workspace(ctx), registry.CreateInput[json.RawMessage]{
		Name: in.Name, FolderID: in.FolderID, Content: new(json.RawMessage(in.Variables)),
		Release: registry.Release{ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Author: kit.Author(ctx)},
	}))
}

func (h variableSets) list(ctx context.Context, in *listVariableSetsQuery) (*variableSetPage, error) {
	query := in.Query(kit.Workspace(ctx))
	query.NameContains, query.Page = in.Name, in.Slice()
	found, total, err := h.service.ListRecords(ctx, query)
	if err != nil {
		return nil, err
	}
	return &variableSetPage{Success: true, Sets: kit.EachRef(found, wireVariableSet), PageInfo: in.Info(total)}, nil
}

func (h variableSets) get(ctx context.Context, in *variableSetPath) (*variableSetResponse, error) {
	return answerVariableSet(h.service.GetByID(ctx, kit.Workspace(ctx), in.ID, registry.Selector{}))
}

func (h variableSets) update(ctx context.Context, in *updateVariableSetRequest) (*variableSetResponse, error) {
	patch := variableset.Patch{Name: in.Name, Author: kit.Author(ctx)}
	if in.Variables != nil {
		patch.Variables = json.RawMessage(*in.Variables)
	}
	return answerVariableSet(h.service.Update(ctx, kit.Workspace(ctx), in.ID, patch))
}

func (h variableSets) remove(ctx context.Context, in *variableSetPath) (*kit.SuccessResponse, error) {
	return kit.Succeeded(h.service.Delete(ctx, kit.Workspace(ctx), in.ID))
}
