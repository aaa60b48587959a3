package access

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// deletions are the permissions of which folders need one to be deleted.
var deletions = []Permission{PromptDelete, WorkflowDelete, DatasetDelete, ReportDelete, ToolDelete, SkillDelete}

// changes says which permissions the kinds of entities need: to be edited, and
// to be deleted. Folders hold all kinds, and need one of any.
var changes = map[entity.Kind]struct{ edit, remove []Permission }{
	entity.KindFolder:      {AnyEdit, deletions},
	entity.KindPrompt:      {[]Permission{PromptEdit}, []Permission{PromptDelete}},
	entity.KindABTest:      {[]Permission{PromptEdit}, []Permission{PromptDelete}},
	entity.KindVariableSet: {[]Permission{PromptEdit}, []Permission{PromptDelete}},
	entity.KindWorkflow:    {[]Permission{WorkflowEdit}, []Permission{WorkflowDelete}},
	entity.KindDataset:     {[]Permission{DatasetEdit}, []Permission{DatasetDelete}},
	entity.KindReport:      {[]Permission{ReportEdit}, []Permission{ReportDelete}},
	entity.KindTool:        {[]Permission{ToolEdit}, []Permission{ToolDelete}},
	entity.KindSkill:       {[]Permission{SkillEdit}, []Permission{SkillDelete}},
}

// RequireEdit returns a Forbidden fault unless the caller of ctx may edit
// entities of all of the kinds.
func RequireEdit(ctx context.Context, kinds ...entity.Kind) error {
	for _, kind := range kinds {
		if err := RequireAny(ctx, changes[kind].edit...); err != nil {
			return err
		}
	}
	return nil
}

// RequireDelete returns a Forbidden fault unless the caller of ctx may delete
// entities of all of the kinds.
func RequireDelete(ctx context.Context, kinds ...entity.Kind) error {
	for _, kind := range kinds {
		if err := RequireAny(ctx, changes[kind].remove...); err != nil {
			return err
		}
	}
	return nil
}
