package api

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/release"
	"github.com/promptuary/promptuary/internal/rest"
)

// releaseLabels has the handlers that move the release labels of workflows,
// tools and skill collections. Prompt templates have their own, older ones.
type releaseLabels struct {
	service *release.Service
	skills  skills
}

func (h releaseLabels) operations() []rest.Op {
	ops := releaseLabelOperations("/workflows/{workflow_id}", "Workflow", "workflow", workflowTag,
		rest.Handle(h.pointOfWorkflow), rest.Handle(h.removeOfWorkflow))
	ops = append(ops, releaseLabelOperations(toolBase+"/{tool_id}", "Tool", "tool", toolTag,
		rest.Handle(h.pointOfTool), rest.Handle(h.removeOfTool))...)
	return append(ops, releaseLabelOperations(skillPath+"/{identifier}", "SkillCollection", "skill collection", skillTag,
		rest.Handle(h.pointOfSkill), rest.Handle(h.removeOfSkill))...)
}

// releaseLabelOperations are the same for each kind; only what the path names
// differs, which is part of the type of the input.
func releaseLabelOperations(base, id, noun, tag string, point, remove rest.Handler) []rest.Op {
	path := base + "/release-labels/{label...}"
	also := []int{http.StatusForbidden, http.StatusNotFound}
	return []rest.Op{
		{
			Method: http.MethodPut, Path: path, ID: "put" + id + "ReleaseLabel", Tag: tag, Summary: "Create or move a release label",
			Description: "Lets a label point at a version of the " + noun + ": it is created, or leaves the version that it points at. " +
				"Whoever asks by the label gets that version from then on.",
			Also: also, Handler: point,
		},
		{
			Method: http.MethodDelete, Path: path, ID: "delete" + id + "ReleaseLabel", Tag: tag, Summary: "Delete a release label",
			Description: "Takes a label from the " + noun + ". The version that it points at stays.",
			Also:        also, Handler: remove,
		},
	}
}

type labelPath struct {
	Label string `path:"label" minLength:"1" maxLength:"255" description:"The label's name; slashes need not be escaped."`
}

type labelTarget struct {
	labelPath
	VersionNumber int64 `json:"version_number" required:"true" minimum:"1" description:"The version that it is to point at."`
}

// The inputs of the kinds.
type (
	pointWorkflowLabel struct {
		workflowPath
		labelTarget
	}
	removeWorkflowLabel struct {
		workflowPath
		labelPath
	}
	pointToolLabel struct {
		toolPath
		labelTarget
	}
	removeToolLabel struct {
		toolPath
		labelPath
	}
	pointSkillLabel struct {
		skillIdentifier
		labelTarget
	}
	removeSkillLabel struct {
		skillIdentifier
		labelPath
	}
)

type pointedLabel struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Label   releaseLabel `json:"release_label" required:"true" description:"The label."`
}

type releaseLabel struct {
	versionLabel
	VersionNumber int64 `json:"version_number" required:"true" description:"The version that it points at."`
}

func (h releaseLabels) pointOfWorkflow(ctx context.Context, in *pointWorkflowLabel) (*pointedLabel, error) {
	return h.point(ctx, ownerOf(ctx, entity.KindWorkflow, in.ID), in.labelTarget)
}

func (h releaseLabels) removeOfWorkflow(ctx context.Context, in *removeWorkflowLabel) (*successResponse, error) {
	return h.remove(ctx, ownerOf(ctx, entity.KindWorkflow, in.ID), in.labelPath)
}

func (h releaseLabels) pointOfTool(ctx context.Context, in *pointToolLabel) (*pointedLabel, error) {
	return h.point(ctx, ownerOf(ctx, entity.KindTool, in.ID), in.labelTarget)
}

func (h releaseLabels) removeOfTool(ctx context.Context, in *removeToolLabel) (*successResponse, error) {
	return h.remove(ctx, ownerOf(ctx, entity.KindTool, in.ID), in.labelPath)
}

func (h releaseLabels) pointOfSkill(ctx context.Context, in *pointSkillLabel) (*pointedLabel, error) {
	owner, err := h.skills.owner(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	return h.point(ctx, owner, in.labelTarget)
}

func (h releaseLabels) removeOfSkill(ctx context.Context, in *removeSkillLabel) (*successResponse, error) {
	owner, err := h.skills.owner(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	return h.remove(ctx, owner, in.labelPath)
}

func (h releaseLabels) point(ctx context.Context, owner entity.Owner, to labelTarget) (*pointedLabel, error) {
	label, err := h.service.Point(ctx, owner, to.Label, to.VersionNumber)
	if err != nil {
		return nil, err
	}
	return &pointedLabel{Success: true, Label: releaseLabel{versionLabel{ID: label.ID, Name: label.Name}, label.VersionNumber}}, nil
}

func (h releaseLabels) remove(ctx context.Context, owner entity.Owner, at labelPath) (*successResponse, error) {
	if err := h.service.Delete(ctx, owner, at.Label); err != nil {
		return nil, err
	}
	return &successResponse{Success: true}, nil
}
