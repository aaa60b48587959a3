package app

import (
	"github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/view"
	"github.com/promptuary/promptuary/internal/workflow"
)

// DemoServices returns the services that create demo data.
func (a *App) DemoServices() registry.Services {
	return registry.Services{
		Access: a.access, EnvVars: a.envVars, Folders: folder.NewService(a.catalog.Entities), Prompts: a.prompts,
		Tools: a.work.tools, Skills: skill.NewService(a.catalog.Entities, a.catalog.Skills, workflow.RandomID),
		Workflows: a.work.workflows, Runs: a.work.runs, Datasets: a.datasets, Evaluations: a.work.evaluations,
		Views: view.NewService(a.catalog.Views),
	}
}
