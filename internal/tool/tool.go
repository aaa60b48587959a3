// Package tool is the registry of tools: functions that a model may call. A
// version of a tool has the definition that models see and, if the registry is
// to run it, code. The code runs in the sandbox with the environment of its
// tool and of no other.
package tool

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/script"
)

// Environment has the variables that code runs with.
type Environment interface {
	// Resolve returns the variables of a tool by key: those of the workspace,
	// overridden by those of the tool.
	Resolve(ctx context.Context, workspace, tool int64) (map[string]string, error)
}

// Runner runs code.
type Runner interface {
	// Run runs a program until it ends. Its errors are those of script.Runner.
	Run(ctx context.Context, program script.Program) (script.Result, error)
}

// Options are the dependencies of a Service.
type Options struct {
	Store       entity.Store
	Environment Environment
	// Scripts runs the code of tools. If it is nil, no tool can be run.
	Scripts Runner
	// Clock returns the current time; nil means time.Now.
	Clock func() time.Time
}

// Service is the registry. It is safe for concurrent use.
type Service struct {
	*registry.Registry[Content]
	store       entity.Store
	environment Environment
	scripts     Runner
	clock       func() time.Time
}

// Record is a version of a tool with its labels and external ids.
type Record = registry.Record[Content]

// NewService returns a registry with the options.
func NewService(o Options) *Service {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Service{
		store: o.Store, environment: o.Environment, scripts: o.Scripts, clock: o.Clock,
		Registry: registry.New(o.Store, registry.Kind[Content]{
			Kind: entity.KindTool, Check: Content.check, Encode: Content.encode, Decode: decode,
			MaxSize: MaxSize, FirstMessage: "Initial version",
		}),
	}
}

// AddVersion adds a version to a tool. It inherits only the description from
// the latest version. On any fault nothing is changed: NotFound for an unknown
// tool, Forbidden if the caller lacks the permission, BadRequest for a version
// that is too large.
func (s *Service) AddVersion(
	ctx context.Context, workspace int64, identifier string, content Content, release registry.Release,
) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	return s.Registry.AddVersion(ctx, workspace, owner.ID, registry.Edit[Content]{
		Release: release,
		Apply: func(_ context.Context, base entity.FoundVersion) (Content, error) {
			latest, err := decode(&base.Version)
			content.Description = latest.Description
			return content, err
		},
	})
}
