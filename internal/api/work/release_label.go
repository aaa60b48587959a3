package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/rest"
)

// workflowLabels has the handlers that move the release labels of workflows.
type workflowLabels struct{ labels kit.ReleaseLabels }

func (h workflowLabels) operations() []rest.Op {
	return kit.ReleaseLabelOperations("/workflows/{workflow_id}", "Workflow", "workflow", workflowTag,
		rest.Handle(h.pointOfWorkflow), rest.Handle(h.removeOfWorkflow))
}

// The inputs.
type (
	pointWorkflowLabel struct {
		workflowPath
		kit.LabelTarget
	}
	removeWorkflowLabel struct {
		workflowPath
		kit.LabelPath
	}
)

func (h workflowLabels) pointOfWorkflow(ctx context.Context, in *pointWorkflowLabel) (*kit.PointedLabel, error) {
	return h.labels.Point(ctx, kit.OwnerOf(ctx, entity.KindWorkflow, in.ID), in.LabelTarget)
}

func (h workflowLabels) removeOfWorkflow(ctx context.Context, in *removeWorkflowLabel) (*kit.SuccessResponse, error) {
	return h.labels.Remove(ctx, kit.OwnerOf(ctx, entity.KindWorkflow, in.ID), in.LabelPath)
}
