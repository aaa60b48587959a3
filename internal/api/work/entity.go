package work

import (
	"slices"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
)

var (
	workflowRoutes = kit.EntityRoutes{
		Kind: entity.KindWorkflow, ID: "Workflow", Noun: "workflow", Tag: workflowTag, Base: "/workflows/{workflow_id}",
	}
	datasetRoutes = kit.EntityRoutes{
		Kind: entity.KindDataset, ID: "DatasetGroup", Noun: "dataset group", Tag: datasetTag,
		Base: "/api/public/v2/dataset-groups/{dataset_group_id}",
	}
	reportRoutes = kit.EntityRoutes{
		Kind: entity.KindReport, ID: "Report", Noun: "evaluation", Tag: evaluationTag, Base: "/reports/{report_id}",
	}
)

// externalIDOperations returns the operations on the external ids of all kinds.
func externalIDOperations(service *registry.ExternalIDs) []rest.Op {
	return slices.Concat(
		kit.ExternalIDOperations[workflowPath, attachWorkflowExternalID, deleteWorkflowExternalID](service, workflowRoutes),
		kit.ExternalIDOperations[datasetPath, attachDatasetExternalID, deleteDatasetExternalID](service, datasetRoutes),
		kit.ExternalIDOperations[reportPath, attachReportExternalID, deleteReportExternalID](service, reportRoutes),
	)
}

// The path of one entity of each kind; reportPath is with the other operations
// on evaluations.
type (
	workflowPath struct {
		ID int64 `path:"workflow_id" minimum:"1" description:"The id of the workflow."`
	}
	datasetPath struct {
		ID int64 `path:"dataset_group_id" minimum:"1" description:"The id of the dataset group."`
	}
)

// EntityKey implements kit.EntityPath.
func (p workflowPath) EntityKey() (int64, string) { return p.ID, "" }

// EntityKey implements kit.EntityPath.
func (p datasetPath) EntityKey() (int64, string) { return p.ID, "" }

// EntityKey implements kit.EntityPath.
func (p reportPath) EntityKey() (int64, string) { return p.ReportID, "" }

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
	attachDatasetExternalID struct {
		datasetPath
		kit.ExternalID
	}
	deleteDatasetExternalID struct {
		datasetPath
		kit.ExternalIDPath
	}
	attachReportExternalID struct {
		reportPath
		kit.ExternalID
	}
	deleteReportExternalID struct {
		reportPath
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
