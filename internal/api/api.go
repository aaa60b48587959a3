// Package api is the HTTP edge: per kind of thing one table of operations with
// thin handlers, and the types that travel on the wire. Rules live in the
// domains.
package api

import (
	"context"
	"net/http"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/extid"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/release"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/tool"
	"github.com/promptuary/promptuary/internal/variableset"
	"github.com/promptuary/promptuary/internal/view"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// The names of the rate limits.
const (
	LimitSearch  = "search"
	LimitSuggest = "suggest"
)

// Services is what the operations work with.
type Services struct {
	Logs         *reqlog.Service
	Prompts      *prompt.Service
	ExternalIDs  *extid.Service
	Releases     *release.Service
	Folders      *folder.Service
	VariableSets *variableset.Service
	EnvVars      *envvar.Service
	Workflows    *workflow.Service
	Runs         *run.Service
	Datasets     *dataset.Service
	Skills       *skill.Service
	Evaluations  *eval.Service
	Tools        *tool.Service
	Playground   *playground.Service
	Live         LiveTokens
	Access       *access.Service
	Audit        *audit.Service
	Views        *view.Service
	Health       HealthSource
}

// Operations returns the whole table.
func Operations(s Services) []rest.Op {
	logs := requestLogs{service: s.Logs}
	templates := prompts{service: s.Prompts}
	return slices.Concat(
		logs.ingestOperations(), logs.trackOperations(), logs.queryOperations(),
		templates.operations(), templates.labelOperations(), templates.versionOperations(), templates.abTestOperations(), templates.legacyOperations(),
		folders{service: s.Folders}.operations(), variableSets{service: s.VariableSets}.operations(),
		workspaceEnvVars{service: s.EnvVars}.operations(),
		externalIDOperations(s.ExternalIDs, externalIDRoutes{
			kind: entity.KindPrompt, id: "promptTemplate", noun: "prompt template", tag: promptTag,
			base: "/prompt-templates/{prompt_template_id}", collection: "/prompt-templates/{prompt_template_id:digits}",
			handlers: externalIDHandlersOf[promptPath, attachPromptExternalID, deletePromptExternalID](),
		}),
		externalIDOperations(s.ExternalIDs, externalIDRoutes{
			kind: entity.KindFolder, id: "folder", noun: "folder", tag: folderTag,
			base: folderBase + "/{folder_id}", handlers: externalIDHandlersOf[folderPath, attachFolderExternalID, deleteFolderExternalID](),
		}),
		workflows{service: s.Workflows}.operations(), workflows{service: s.Workflows}.versionOperations(), externalIDOperations(s.ExternalIDs, workflowExternalIDs),
		datasets{service: s.Datasets}.operations(), datasets{service: s.Datasets}.draftRowOperations(), externalIDOperations(s.ExternalIDs, datasetExternalIDs),
		evaluations{service: s.Evaluations}.operations(), evaluations{service: s.Evaluations}.runListOperations(), externalIDOperations(s.ExternalIDs, externalIDsOfReports),
		tools{service: s.Tools}.operations(), tools{service: s.Tools}.versionOperations(), externalIDOperations(s.ExternalIDs, toolExternalIDs),
		toolEnvVars{service: s.EnvVars, find: s.Tools.Find}.operations(),
		skills{service: s.Skills, externalIDs: s.ExternalIDs}.operations(), skills{service: s.Skills}.versionOperations(),
		releaseLabels{service: s.Releases, skills: skills{service: s.Skills}}.operations(),
		workflowRuns{service: s.Runs}.operations(), workflowRuns{service: s.Runs}.listOperations(), liveTokens{service: s.Live}.operations(),
		playgrounds{service: s.Playground}.operations(),
		administration{service: s.Access}.operations(), auditLog{service: s.Audit, access: s.Access}.operations(),
		views{service: s.Views}.operations(), dashboards{service: s.Views}.operations(), health{source: s.Health}.operations(),
	)
}

func workspace(ctx context.Context) int64 { return access.CallerOf(ctx).Workspace }

// doneResponse is the answer of operations that have nothing to tell.
type doneResponse struct {
	Success bool   `json:"success" required:"true" description:"Always true."`
	Message string `json:"message" required:"true" description:"What was done."`
}

func done(message string) *doneResponse { return &doneResponse{Success: true, Message: message} }

// post fills in what most operations on request logs have in common.
func post(path, id, summary, description string, handler rest.Handler) rest.Op {
	return rest.Op{
		Method: http.MethodPost, Path: path, ID: id, Summary: summary, Description: description,
		Tag: "Request logs", Handler: handler,
	}
}
