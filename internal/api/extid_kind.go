package api

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/rest"
)

// entityPath is an input whose path names an entity by its id.
type entityPath interface{ entityID() int64 }

// entityPair is an input that has a pair besides.
type entityPair interface {
	entityPath
	ref() entity.ExternalRef
}

// externalIDHandlers make the handlers of one kind: all do the same, but the
// parameter of the path has another name, which is part of the type of the
// input.
type externalIDHandlers struct {
	attach, list, remove func(h externalIDs) rest.Handler
}

func externalIDHandlersOf[Path entityPath, Attach, Remove entityPair]() externalIDHandlers {
	return externalIDHandlers{
		attach: func(h externalIDs) rest.Handler {
			return rest.Handle(func(ctx context.Context, in *Attach) (*externalIDResponse, error) { return h.attach(ctx, *in) })
		},
		list: func(h externalIDs) rest.Handler {
			return rest.Handle(func(ctx context.Context, in *Path) (*externalIDsResponse, error) { return h.list(ctx, *in) })
		},
		remove: func(h externalIDs) rest.Handler {
			return rest.Handle(func(ctx context.Context, in *Remove) (*successResponse, error) { return h.remove(ctx, *in) })
		},
	}
}

// The paths of the kinds that have external ids; evaluations have one already.
type (
	promptPath struct {
		ID int64 `path:"prompt_template_id" minimum:"1" description:"The prompt template."`
	}
	folderPath struct {
		ID int64 `path:"folder_id" minimum:"1" description:"The folder."`
	}
	workflowPath struct {
		ID int64 `path:"workflow_id" minimum:"1" description:"The workflow."`
	}
	datasetPath struct {
		ID int64 `path:"dataset_group_id" minimum:"1" description:"The dataset group."`
	}
	toolPath struct {
		ID int64 `path:"tool_id" minimum:"1" description:"The tool."`
	}
)

func (p promptPath) entityID() int64   { return p.ID }
func (p folderPath) entityID() int64   { return p.ID }
func (p workflowPath) entityID() int64 { return p.ID }
func (p datasetPath) entityID() int64  { return p.ID }
func (p reportPath) entityID() int64   { return p.ReportID }
func (p toolPath) entityID() int64     { return p.ID }

// Their inputs with a pair, in the body or in the path.
type (
	attachPromptExternalID struct {
		promptPath
		externalID
	}
	deletePromptExternalID struct {
		promptPath
		externalIDPath
	}
	attachFolderExternalID struct {
		folderPath
		externalID
	}
	deleteFolderExternalID struct {
		folderPath
		externalIDPath
	}
	attachWorkflowExternalID struct {
		workflowPath
		externalID
	}
	deleteWorkflowExternalID struct {
		workflowPath
		externalIDPath
	}
	attachDatasetExternalID struct {
		datasetPath
		externalID
	}
	deleteDatasetExternalID struct {
		datasetPath
		externalIDPath
	}
	attachReportExternalID struct {
		reportPath
		externalID
	}
	deleteReportExternalID struct {
		reportPath
		externalIDPath
	}
	attachToolExternalID struct {
		toolPath
		externalID
	}
	deleteToolExternalID struct {
		toolPath
		externalIDPath
	}
)
