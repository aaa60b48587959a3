// Package work has the operations on workflows, datasets, evaluations and
// their runs, and on the playground.
package work

import (
	"slices"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// Services are the services that the operations call.
type Services struct {
	Workflows   *workflow.Service
	Runs        *run.Service
	Datasets    *dataset.Service
	Evaluations *eval.Service
	Playground  *playground.Service
	ExternalIDs *registry.ExternalIDs
	Releases    *registry.Labels
	Live        LiveTokens
	Exports     *export.Service
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	return slices.Concat(
		workflows{service: s.Workflows}.operations(),
		kit.ReleaseLabelOperations[pointWorkflowLabel, removeWorkflowLabel](s.Releases, workflowRoutes),
		workflowRuns{service: s.Runs}.operations(), liveTokens{service: s.Live}.operations(),
		datasets{service: s.Datasets}.operations(), evaluations{service: s.Evaluations}.operations(),
		playgrounds{service: s.Playground}.operations(), exports{service: s.Exports}.operations(), externalIDOperations(s.ExternalIDs),
	)
}

// externalIDOperations returns the operations on the external ids of all kinds.
func externalIDOperations(service *registry.ExternalIDs) []rest.Op {
	return slices.Concat(
		kit.ExternalIDOperations[workflowPath, attachWorkflowExternalID, deleteWorkflowExternalID](service, workflowRoutes),
		kit.ExternalIDOperations[datasetPath, attachDatasetExternalID, deleteDatasetExternalID](service, datasetRoutes),
		kit.ExternalIDOperations[reportPath, attachReportExternalID, deleteReportExternalID](service, reportRoutes),
	)
}
