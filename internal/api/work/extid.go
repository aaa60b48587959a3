package work

import (
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
)

// The paths of the kinds that have external ids; evaluations have one already.
type (
	workflowPath struct {
		ID int64 `path:"workflow_id" minimum:"1" description:"The workflow."`
	}
	datasetPath struct {
		ID int64 `path:"dataset_group_id" minimum:"1" description:"The dataset group."`
	}
)

func (p workflowPath) EntityID() int64 { return p.ID }
func (p datasetPath) EntityID() int64  { return p.ID }
func (p reportPath) EntityID() int64   { return p.ReportID }

// Their inputs with a pair, in the body or in the path.
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
)

// workflowExternalIDs says where the external ids of workflows are reached.
var workflowExternalIDs = kit.ExternalIDRoutes{
	Kind: entity.KindWorkflow, ID: "workflow", Noun: "workflow", Tag: workflowTag,
	Base: "/workflows/{workflow_id}", Handlers: kit.ExternalIDHandlersOf[workflowPath, attachWorkflowExternalID, deleteWorkflowExternalID](),
}

// datasetExternalIDs says where the external ids of dataset groups are reached.
var datasetExternalIDs = kit.ExternalIDRoutes{
	Kind: entity.KindDataset, ID: "datasetGroup", Noun: "dataset group", Tag: datasetTag,
	Base: "/api/public/v2/dataset-groups/{dataset_group_id}", Handlers: kit.ExternalIDHandlersOf[datasetPath, attachDatasetExternalID, deleteDatasetExternalID](),
}

// externalIDsOfReports says where the external ids of evaluations are reached.
var externalIDsOfReports = kit.ExternalIDRoutes{
	Kind: entity.KindReport, ID: "report", Noun: "evaluation", Tag: evaluationTag,
	Base: "/reports/{report_id}", Handlers: kit.ExternalIDHandlersOf[reportPath, attachReportExternalID, deleteReportExternalID](),
}
