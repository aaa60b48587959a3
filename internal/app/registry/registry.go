// Package registry builds the services for what people manage: prompts, tools, skills,
// variable sets, folders, environment variables.
package registry

import (
	"context"
	"fmt"
	"log/slog"
	"os/exec"

	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/app/metrics"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/prompt"
	kinds "github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/tool"
	"github.com/promptuary/promptuary/internal/variableset"
	"github.com/promptuary/promptuary/internal/workflow"
)

// Options are what the registry is built on.
type Options struct {
	Catalog *catalog.Catalog
	// Box seals secrets.
	Box *secret.Box
	// Python is the interpreter of code in Python, empty without one.
	Python string
	Logger *slog.Logger
}

// Registry has the services.
type Registry struct {
	Prompts *prompt.Service
	Tools   *tool.Service
	Skills  *skill.Service
	Folders *folder.Service
	EnvVars *envvar.Service
	// Vault seals the credentials of steps.
	Vault *step.Vault
	// Scripts runs the code of tools and steps.
	Scripts *script.Runner

	catalog *catalog.Catalog
}

// Open builds the services, and seals what earlier versions did not. A wrong secret key
// is only a warning, because an operator who has lost the key must be able to start and
// set all values again.
func Open(ctx context.Context, o Options) (*Registry, error) {
	entities := o.Catalog.Entities
	r := &Registry{
		catalog: o.Catalog, Vault: step.NewVault(o.Box), EnvVars: envvar.NewService(entities, o.Catalog.EnvVars, o.Box),
		Folders: folder.NewService(entities), Skills: skill.NewService(entities, o.Catalog.Skills, workflow.RandomID),
	}
	if err := r.EnvVars.CheckKey(ctx); err != nil {
		o.Logger.Warn("cannot decrypt stored environment variables: start with the secret key that encrypted them", "error", err)
	}
	seal := sealer{catalog: o.Catalog, vault: r.Vault, log: o.Logger}
	if err := seal.credentials(ctx); err != nil {
		o.Logger.Error("cannot seal the credentials of workflows and evaluations that an earlier version stored: the next start tries again", "error", err)
	}
	var err error
	if r.Scripts, err = newScripts(ctx, o); err != nil {
		return nil, err
	}
	r.Tools = tool.NewService(tool.Options{Store: entities, Environment: r.EnvVars, Scripts: r.Scripts})
	r.Prompts = prompt.NewService(entities, r.Tools)
	return r, nil
}

func newScripts(ctx context.Context, o Options) (*script.Runner, error) {
	options := script.Options{Logger: o.Logger}
	if o.Python == "" {
		return script.New(options), nil
	}
	path, err := exec.LookPath(o.Python)
	if err != nil {
		return nil, fmt.Errorf("option python-steps: %w", err)
	}
	options.Python = path
	runner := script.New(options)
	if _, err := runner.PythonIsolation(ctx); err != nil { // it also logs the protections that hold
		runner.Close()
		return nil, fmt.Errorf("option python-steps: %w", err)
	}
	return runner, nil
}

// Routes adds the services to those of the operations.
func (r *Registry) Routes(s *api.Services) {
	ids, releases := kinds.NewExternalIDs(r.catalog.Entities), kinds.NewLabels(r.catalog.Entities)
	s.Registry.Prompts, s.Registry.Tools, s.Registry.Skills = r.Prompts, r.Tools, r.Skills
	s.Registry.Folders, s.Registry.EnvVars = r.Folders, r.EnvVars
	s.Registry.VariableSets = variableset.NewService(r.catalog.Entities)
	s.Registry.ExternalIDs, s.Registry.Releases = ids, releases
	s.Work.ExternalIDs, s.Work.Releases = ids, releases
}

// Demo adds the services to those that create demo data.
func (r *Registry) Demo(s *registry.Services) {
	s.EnvVars, s.Folders, s.Prompts, s.Tools, s.Skills = r.EnvVars, r.Folders, r.Prompts, r.Tools, r.Skills
}

// Queues returns the queues in which workspaces take turns.
func (r *Registry) Queues() []metrics.Queue {
	return []metrics.Queue{{Name: "rendering", Queue: r.Prompts.Rendering()}, {Name: "code", Queue: r.Scripts.Queue()}}
}

// Metrics adds nothing to the metrics besides the queues.
func (r *Registry) Metrics(*metrics.Set) {}

// Close ends the processes that run code.
func (r *Registry) Close(context.Context) error {
	r.Scripts.Close()
	return nil
}
