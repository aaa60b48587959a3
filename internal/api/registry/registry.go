// Package registry has the operations on prompt templates, A/B tests, folders, input
// variable sets, tools, skill collections and environment variables.
package registry

import (
	"slices"

	"github.com/promptuary/promptuary/internal/abtest"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/tool"
	"github.com/promptuary/promptuary/internal/variableset"
)

// Services are the services that the operations call.
type Services struct {
	Prompts      *prompt.Service
	ABTests      *abtest.Service
	Folders      *folder.Service
	VariableSets *variableset.Service
	Tools        *tool.Service
	Skills       *skill.Service
	EnvVars      *envvar.Service
	ExternalIDs  *registry.ExternalIDs
	Releases     *registry.Labels
}

// Operations returns the operations of the package.
func Operations(s Services) []rest.Op {
	templates := prompts{service: s.Prompts, tests: s.ABTests, labels: s.Releases}
	collections := skills{service: s.Skills}
	return slices.Concat(
		templates.operations(), templates.labelOperations(), templates.abTestOperations(),
		abTestResults{s.ABTests}.operations(), templates.legacyOperations(),
		folders{service: s.Folders}.operations(), variableSets{service: s.VariableSets}.operations(),
		tools{service: s.Tools}.operations(), collections.operations(),
		workspaceEnvVars{service: s.EnvVars}.operations(), toolEnvVars{service: s.EnvVars, tools: s.Tools}.operations(),
		externalIDOperations(s.ExternalIDs, collections), releaseLabelOperations(s.Releases, collections),
	)
}

// externalIDOperations returns the operations on the external ids of all kinds.
func externalIDOperations(service *registry.ExternalIDs, collections skills) []rest.Op {
	return slices.Concat(
		kit.ExternalIDOperations[promptPath, attachPromptExternalID, deletePromptExternalID](service, promptRoutes),
		kit.ExternalIDOperations[folderPath, attachFolderExternalID, deleteFolderExternalID](service, folderRoutes),
		kit.ExternalIDOperations[toolPath, attachToolExternalID, deleteToolExternalID](service, toolRoutes),
		kit.ExternalIDOperations[skillIdentifier, attachSkillExternalID, deleteSkillExternalID](service, collections.routes()),
	)
}

// releaseLabelOperations returns the operations that move the release labels of
// tools and skill collections.
func releaseLabelOperations(service *registry.Labels, collections skills) []rest.Op {
	return slices.Concat(
		kit.ReleaseLabelOperations[pointToolLabel, removeToolLabel](service, toolRoutes),
		kit.ReleaseLabelOperations[pointSkillLabel, removeSkillLabel](service, collections.routes()),
	)
}
