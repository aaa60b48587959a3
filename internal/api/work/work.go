// Package work has the operations on what runs: workflows, datasets, evaluations, the
// playground, and the channels on which clients wait for runs.
package work

import (
	"slices"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/extid"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/release"
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
	ExternalIDs *extid.Service
	Releases    *release.Service
	Live        LiveTokens
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	return slices.Concat(
		workflows{service: s.Workflows}.operations(), workflows{service: s.Workflows}.versionOperations(), kit.ExternalIDOperations(s.ExternalIDs, workflowExternalIDs),
		workflowLabels{labels: kit.ReleaseLabels{Service: s.Releases}}.operations(),
		workflowRuns{service: s.Runs}.operations(), workflowRuns{service: s.Runs}.listOperations(), liveTokens{service: s.Live}.operations(),
		datasets{service: s.Datasets}.operations(), datasets{service: s.Datasets}.draftRowOperations(), kit.ExternalIDOperations(s.ExternalIDs, datasetExternalIDs),
		evaluations{service: s.Evaluations}.operations(), evaluations{service: s.Evaluations}.runListOperations(), kit.ExternalIDOperations(s.ExternalIDs, externalIDsOfReports),
		playgrounds{service: s.Playground}.operations(),
	)
}
