package access

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// deletions are the permissions of which folders need one to be deleted.
var deletions = []Permission{PromptDelete, WorkflowDelete, DatasetDelete, ReportDelete, ToolDelete, SkillDelete}

// changes says which permissions the kinds of entities need: to be edited, to
// be deleted, and to have their release labels moved, if they have such labels.
// Folders hold all kinds, and need one of any.
var changes = map[entity.Kind]struct{ edit, remove, deploy []Permission }{
	entity.KindFolder:      {AnyEdit, deletions, nil},
	entity.KindPrompt:      {[]Permission{PromptEdit}, []Permission{PromptDelete}, []Permission{PromptDeploy}},
	entity.KindABTest:      {[]Permission{PromptEdit}, []Permission{PromptDelete}, nil},
	entity.KindVariableSet: {[]Permission{PromptEdit}, []Permission{PromptDelete}, nil},
	entity.KindWorkflow:    {[]Permission{WorkflowEdit}, []Permission{WorkflowDelete}, []Permission{WorkflowDeploy}},
	entity.KindDataset:     {[]Permission{DatasetEdit}, []Permission{DatasetDelete}, nil},
	entity.KindReport:      {[]Permission{ReportEdit}, []Permission{ReportDelete}, nil},
	entity.KindTool:        {[]Permission{ToolEdit}, []Permission{ToolDelete}, []Permission{ToolDeploy}},
	entity.KindSkill:       {[]Permission{SkillEdit}, []Permission{SkillDelete}, []Permission{SkillDeploy}},
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

// RequireDeploy returns a Forbidden fault unless the caller of ctx may move the
// release labels of entities of the kind.
func RequireDeploy(ctx context.Context, kind entity.Kind) error {
	return RequireAny(ctx, changes[kind].deploy...)
}
