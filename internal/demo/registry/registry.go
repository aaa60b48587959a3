// Package registry fills a workspace with demo data: prompts in folders, tools,
// skills, workflows, datasets, evaluations, and views of the logs. It uses the
// services as people would, and skips what already exists.
package registry

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/tool"
	"github.com/promptuary/promptuary/internal/view"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// Services are the services that create the demo data.
type Services struct {
	Access      *access.Service
	EnvVars     *envvar.Service
	Folders     *folder.Service
	Prompts     *prompt.Service
	Tools       *tool.Service
	Skills      *skill.Service
	Workflows   *workflow.Service
	Runs        *run.Service
	Datasets    *dataset.Service
	Evaluations *eval.Service
	Views       *view.Service
}

// Config configures a Filler. Equal seeds create equal rows.
type Config struct {
	Workspace int64
	Seed      uint64
	// Now is the time from which the lifetime of keys is counted.
	Now time.Time
}

// Filler fills one workspace. It is not safe for concurrent use.
type Filler struct {
	Services
	Config
	// folders maps paths to the ids of the folders that Publish created.
	folders map[string]int64
}

// New returns a filler.
func New(services Services, cfg Config) *Filler {
	return &Filler{Services: services, Config: cfg, folders: map[string]int64{}}
}

// Publish creates everything that does not depend on request logs.
func (f *Filler) Publish(ctx context.Context) error {
	return inOrder(ctx,
		f.addPeople, f.addKeys, f.addVariables, f.addFolders, f.addTools, f.addPrompts, f.addTest, f.addSkills, f.addWorkflows,
		f.addViews)
}

// Evaluate creates datasets, one of them from request logs, evaluates them, and
// runs a workflow. It waits for all runs to end.
func (f *Filler) Evaluate(ctx context.Context) error {
	return inOrder(ctx, f.addDatasets, f.addEvaluations, f.addRuns)
}

// FolderID returns the id of a folder that Publish created, or nil.
func (f *Filler) FolderID(path string) *int64 {
	if id, ok := f.folders[path]; ok {
		return &id
	}
	return nil
}

func inOrder(ctx context.Context, steps ...func(ctx context.Context) error) error {
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// pause is the polling interval for runs.
const pause = 10 * time.Millisecond

// waitFor polls until ended returns true.
func waitFor(ctx context.Context, ended func() (bool, error)) error {
	ticker := time.NewTicker(pause)
	defer ticker.Stop()
	for {
		if done, err := ended(); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
	}
}
