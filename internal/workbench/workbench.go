// Package workbench implements the capabilities of the steps of workflows and
// evaluations: prompts, language models, code, and calls to other servers. They
// are bound to a scope, which has the workspace. Every call to a language model
// becomes a request log.
package workbench

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"

	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/record"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/step"
)

// Options configures a Bench.
type Options struct {
	// Prompts is the registry of prompts. It is required.
	Prompts *prompt.Service
	// Models calls language models, and Logs stores the calls. Both are
	// required.
	Models *client.Service
	Logs   *requests.Service
	// Scripts runs code. Steps that need it fail when it is nil.
	Scripts *script.Runner
	// Tools runs tools of the registry for models. If it is nil, tool calls are
	// returned as the answer of the model.
	Tools Tools
	// HTTP calls other servers. Steps that need it fail when it is nil.
	HTTP *outbound.Client
	// Vault opens the credentials of steps, Variables has the environment
	// variables that they refer to. Steps that need one fail when it is nil.
	Vault     *step.Vault
	Variables Variables
	// Logger reports calls that could not be logged. It may be nil.
	Logger *slog.Logger
}

// Variables resolves environment variables.
type Variables interface {
	// Resolve returns the values of the workspace by name; tool is 0.
	Resolve(ctx context.Context, workspace, tool int64) (map[string]string, error)
}

// Bench provides the capabilities of steps. It is safe for concurrent use.
type Bench struct {
	prompts *prompt.Service
	models  *client.Service
	records record.Recorder
	scripts *script.Runner
	tools   Tools
	http    *http.Client
	vault   *step.Vault
	// variables may be nil.
	variables Variables
}

// New returns a bench with the options.
func New(o Options) *Bench {
	b := &Bench{
		prompts: o.Prompts, models: o.Models, scripts: o.Scripts, tools: o.Tools, vault: o.Vault, variables: o.Variables,
		records: record.Recorder{Logs: o.Logs, Logger: cmp.Or(o.Logger, slog.New(slog.DiscardHandler))},
	}
	if o.HTTP != nil {
		b.http = patient(o.HTTP)
	}
	return b
}

// Scope is the context in which steps run.
type Scope struct {
	// Workspace is the workspace of all lookups and logs.
	Workspace int64
	// Source, Tags and Metadata are those of the logs.
	Source   reqlog.Source
	Tags     []string
	Metadata []reqlog.Member
}

// Env returns the environment of the steps of a scope. The caller adds what
// depends on the run: values, depth, and how to run other workflows.
func (b *Bench) Env(scope Scope) step.Env {
	in := &scoped{bench: b, scope: scope}
	env := step.Env{Prompts: in, Models: in, Embeddings: in}
	if b.scripts != nil {
		env.Scripts = scripts{b.scripts, scope.Workspace}
	}
	if b.http != nil {
		env.HTTP = poster{b.http}
	}
	if b.vault != nil && b.variables != nil {
		env.Credentials = b.vault.Credentials(scope.Workspace, in.variable)
	}
	return env
}

// scoped is the bench within one scope.
type scoped struct {
	bench *Bench
	scope Scope
}

// variable returns an environment variable of the workspace, "" if it has no
// value.
func (s *scoped) variable(ctx context.Context, name string) (string, error) {
	values, err := s.bench.variables.Resolve(ctx, s.scope.Workspace, 0)
	return values[name], err
}
