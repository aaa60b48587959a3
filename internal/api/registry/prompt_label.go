package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h prompts) labelOperations() []rest.Op {
	notFound := []int{http.StatusNotFound}
	return kit.Tagged(promptTag, []rest.Op{
		{
			Method: http.MethodGet, Path: "/prompt-templates/{identifier...}/labels", ID: "listPromptLabels",
			Summary: "List release labels", Description: "Returns the release labels of a template and the versions they point at.",
			Also: notFound, Handler: rest.Handle(h.listLabels),
		},
		{
			Method: http.MethodPost, Path: "/prompts/{prompt_id}/label", ID: "createPromptLabel",
			Summary:     "Create a release label",
			Description: "Points a new label at a version. A label that already points at it is returned unchanged; one that points at another version is rejected with 409.",
			Also:        []int{http.StatusNotFound, http.StatusConflict}, Handler: rest.Handle(h.createLabel),
		},
		{
			Method: http.MethodPatch, Path: "/prompt-labels/{prompt_label_id}", ID: "movePromptLabel",
			Summary: "Move a release label", Description: "Points a label at another version of its template. The change applies to the next request.",
			Also: notFound, Handler: rest.Handle(h.moveLabel),
		},
		{
			Method: http.MethodDelete, Path: "/prompt-labels/{prompt_label_id}", ID: "deletePromptLabel",
			Summary: "Delete a release label", Description: "Deletes a label and its A/B test. The version is kept.",
			Status: http.StatusNoContent, Also: notFound, Handler: rest.Handle(h.deleteLabel),
		},
	})
}

type promptIdentifier struct {
	Identifier string `path:"identifier" description:"The template's name or id."`
}

type labelList struct {
	Labels []labelItem `json:"release_labels" required:"true" description:"The labels, oldest first."`
}

type labelItem struct {
	VersionID     int64  `json:"prompt_version_id" required:"true" description:"The id of the version."`
	VersionNumber int64  `json:"prompt_version_number" required:"true" description:"Version number."`
	Name          string `json:"release_label" required:"true" description:"Name of the label."`
	ID            int64  `json:"release_label_id" required:"true" description:"The id of the label."`
}

func (h prompts) listLabels(ctx context.Context, in *promptIdentifier) (*labelList, error) {
	labels, err := h.service.Labels(ctx, kit.Workspace(ctx), in.Identifier)
	if err != nil {
		return nil, err
	}
	return &labelList{Labels: kit.Each(labels, func(l entity.Label) labelItem {
		return labelItem{VersionID: l.VersionID, VersionNumber: l.VersionNumber, Name: l.Name, ID: l.ID}
	})}, nil
}

// versionPointer selects a version of a template.
type versionPointer struct {
	VersionNumber *int64 `json:"prompt_version_number" minimum:"1" description:"Version number."`
	VersionID     *int64 `json:"prompt_version_id" minimum:"1" description:"The id of the version, instead of its number."`
}

// Validate requires one of the two.
func (in *versionPointer) Validate(problems *fault.Problems) {
	if in.VersionNumber == nil && in.VersionID == nil {
		problems.Report(fault.At(kit.BodyLoc, "prompt_version_number"), fault.Required)
	}
}

func (in *versionPointer) pointer() registry.Pointer {
	return registry.Pointer{ID: kit.OrZero(in.VersionID), Number: kit.OrZero(in.VersionNumber)}
}

type createLabelRequest struct {
	PromptID int64  `path:"prompt_id" minimum:"1" description:"The id of the template."`
	Name     string `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the label."`
	versionPointer
}

func (h prompts) createLabel(ctx context.Context, in *createLabelRequest) (*promptLabel, error) {
	label, err := h.labels.Create(ctx, entity.Owner{Workspace: kit.Workspace(ctx), Kind: entity.KindPrompt, ID: in.PromptID}, in.Name, in.pointer())
	if err != nil {
		return nil, err
	}
	return wireLabel(label), nil
}

type moveLabelRequest struct {
	ID int64 `path:"prompt_label_id" minimum:"1" description:"The id of the label."`
	versionPointer
}

func (h prompts) moveLabel(ctx context.Context, in *moveLabelRequest) (*promptLabel, error) {
	label, err := h.labels.MoveByID(ctx, kit.Workspace(ctx), entity.KindPrompt, in.ID, in.pointer())
	if err != nil {
		return nil, err
	}
	return wireLabel(label), nil
}

type deleteLabelRequest struct {
	ID int64 `path:"prompt_label_id" minimum:"1" description:"The id of the label."`
}

func (h prompts) deleteLabel(ctx context.Context, in *deleteLabelRequest) (*kit.SuccessResponse, error) {
	return nil, h.labels.DeleteByID(ctx, kit.Workspace(ctx), entity.KindPrompt, in.ID)
}
