package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/rest"
)

// registryLabels has the handlers that move the release labels of tools and skill
// collections.
type registryLabels struct {
	labels kit.ReleaseLabels
	skills skills
}

func (h registryLabels) operations() []rest.Op {
	ops := kit.ReleaseLabelOperations(toolBase+"/{tool_id}", "Tool", "tool", toolTag,
		rest.Handle(h.pointOfTool), rest.Handle(h.removeOfTool))
	return append(ops, kit.ReleaseLabelOperations(skillPath+"/{identifier}", "SkillCollection", "skill collection", skillTag,
		rest.Handle(h.pointOfSkill), rest.Handle(h.removeOfSkill))...)
}

// The inputs of the kinds.
type (
	pointToolLabel struct {
		toolPath
		kit.LabelTarget
	}
	removeToolLabel struct {
		toolPath
		kit.LabelPath
	}
	pointSkillLabel struct {
		skillIdentifier
		kit.LabelTarget
	}
	removeSkillLabel struct {
		skillIdentifier
		kit.LabelPath
	}
)

func (h registryLabels) pointOfTool(ctx context.Context, in *pointToolLabel) (*kit.PointedLabel, error) {
	return h.labels.Point(ctx, kit.OwnerOf(ctx, entity.KindTool, in.ID), in.LabelTarget)
}

func (h registryLabels) removeOfTool(ctx context.Context, in *removeToolLabel) (*kit.SuccessResponse, error) {
	return h.labels.Remove(ctx, kit.OwnerOf(ctx, entity.KindTool, in.ID), in.LabelPath)
}

func (h registryLabels) pointOfSkill(ctx context.Context, in *pointSkillLabel) (*kit.PointedLabel, error) {
	owner, err := h.skills.owner(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	return h.labels.Point(ctx, owner, in.LabelTarget)
}

func (h registryLabels) removeOfSkill(ctx context.Context, in *removeSkillLabel) (*kit.SuccessResponse, error) {
	owner, err := h.skills.owner(ctx, in.Identifier)
	if err != nil {
		return nil, err
	}
	return h.labels.Remove(ctx, owner, in.LabelPath)
}
