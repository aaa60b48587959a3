// Package registry fills a workspace with things that a team could have made:
// templates in folders, tools, skills and workflows, then datasets and
// evaluations of them, and views of the logs. Everything goes through the services, as if people had
// made it, and what is there already is left alone: filling twice makes nothing
// twice.
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

// Services are what things are made with.
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

// Config decides what is made and where. Equal seeds make equal rows.
type Config struct {
	Workspace int64
	Seed      uint64
	// Now is what the end of a key is counted from.
	Now time.Time
}

// Filler fills one workspace. It is not safe for concurrent use.
type Filler struct {
	Services
	Config
	// folders are the ids of the folders by path, once they are made.
	folders map[string]int64
}

// New returns a filler.
func New(services Services, cfg Config) *Filler {
	return &Filler{Services: services, Config: cfg, folders: map[string]int64{}}
}

// Publish makes what request logs can name, and all else that needs none.
func (f *Filler) Publish(ctx context.Context) error {
	return inOrder(ctx,
		f.addPeople, f.addKeys, f.addVariables, f.addFolders, f.addTools, f.addPrompts, f.addTest, f.addSkills, f.addWorkflows,
		f.addViews)
}

// Evaluate makes datasets, one of them of request logs, evaluates them, and
// runs a workflow. It returns when all of that has ended.
func (f *Filler) Evaluate(ctx context.Context) error {
	return inOrder(ctx, f.addDatasets, f.addEvaluations, f.addRuns)
}

// FolderID returns the id of a folder that Publish made, nil for any other
// path.
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

// pause is how long it takes until somebody looks again how a run goes on.
const pause = 10 * time.Millisecond

// waitFor asks until the answer is yes.
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
