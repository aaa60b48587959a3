// Package tool is the registry of tools: functions that a model may ask for.
// A tool has numbered versions, each with the definition that models are shown
// and, where the registry is to run it, with code. The code runs in the sandbox
// with the environment of its own tool and of no other.
package tool

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/script"
)

// Catalog is what the registry needs of the entity core; the promises of its
// methods are those of catalog.Catalog.
type Catalog interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error

	CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error)
	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	FindEntityByName(ctx context.Context, workspace int64, kind entity.Kind, name string) (entity.Entity, error)
	EntityNames(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error)
	ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error)
	LockEntity(ctx context.Context, workspace, id int64) error

	entity.VersionReader
	AddVersion(ctx context.Context, workspace, entity int64, input entity.NewVersion) (entity.Version, error)
	FindVersion(ctx context.Context, workspace int64, kind entity.Kind, selector entity.Selector) (entity.FoundVersion, error)
	VersionsByName(ctx context.Context, workspace int64, kind entity.Kind, refs []entity.Reference) ([]entity.FoundVersion, error)
	LatestVersions(ctx context.Context, workspace int64, entities []int64) (map[int64]entity.Version, error)

	SetLabel(ctx context.Context, workspace, entity int64, name string, number int64) (entity.Label, error)
	ListLabels(ctx context.Context, workspace, entity int64) ([]entity.Label, error)

	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	ExternalIDsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.ExternalID, error)
}

// Environment holds the variables that code runs with.
type Environment interface {
	// Resolve returns the variables of a tool by key: those of the workspace,
	// and the tool's in place of those with the same key.
	Resolve(ctx context.Context, workspace, tool int64) (map[string]string, error)
}

// Runner runs code.
type Runner interface {
	// Run runs a program to its end. Its errors are those of script.Runner.
	Run(ctx context.Context, program script.Program) (script.Result, error)
}

// Options is what a Service is made of.
type Options struct {
	Catalog     Catalog
	Environment Environment
	// Scripts runs the code of tools. Without it nothing can be run.
	Scripts Runner
	// Clock says what time it is; nil stands for the clock of the machine.
	Clock func() time.Time
}

// Service is the registry. It is safe for concurrent use.
type Service struct {
	catalog     Catalog
	environment Environment
	scripts     Runner
	clock       func() time.Time
}

// NewService returns a registry with the options.
func NewService(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Service{catalog: o.Catalog, environment: o.Environment, scripts: o.Scripts, clock: o.Clock}
}

// Version chooses one version of a tool: the one with the number, or the one
// that the label points at, or the latest when both are zero.
type Version struct {
	Number int64
	Label  string
}

// Record is one version of a tool with what belongs to the tool.
type Record struct {
	Entity  entity.Entity
	Version entity.Version
	Content Content
	// Labels are all labels of the tool, by name.
	Labels      []entity.Label
	ExternalIDs []entity.ExternalID
}
