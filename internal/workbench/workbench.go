// Package workbench gives the steps of workflows and evaluations what they work
// with: the registry of prompts, language models, code, and calls to other
// servers. All of it is handed out for one scope, which says in whose workspace
// the work is done. Every call to a language model becomes a request log.
package workbench

import (
	"cmp"
	"log/slog"
	"net/http"

	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/record"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/step"
)

// Options is what a Bench is made of.
type Options struct {
	// Prompts is the registry of prompts. It is required.
	Prompts *prompt.Service
	// Models calls language models, and Logs keeps what was said. Both are
	// required.
	Models *client.Service
	Logs   *reqlog.Service
	// Scripts runs code. Steps that need it fail when it is nil.
	Scripts *script.Runner
	// Tools runs the tools of the registry that models ask for. When it is nil
	// such calls are the model's answer.
	Tools Tools
	// HTTP calls other servers. Steps that need it fail when it is nil.
	HTTP *outbound.Client
	// Logger is told of calls that could not be logged; nil tells nobody.
	Logger *slog.Logger
}

// Bench hands out what steps work with. It is safe for concurrent use.
type Bench struct {
	prompts *prompt.Service
	models  *client.Service
	records record.Recorder
	scripts *script.Runner
	tools   Tools
	http    *http.Client
}

// New returns a bench with the options.
func New(o Options) *Bench {
	b := &Bench{
		prompts: o.Prompts, models: o.Models, scripts: o.Scripts, tools: o.Tools,
		records: record.Recorder{Logs: o.Logs, Logger: cmp.Or(o.Logger, slog.New(slog.DiscardHandler))},
	}
	if o.HTTP != nil {
		b.http = patient(o.HTTP)
	}
	return b
}

// Scope says in whose name steps work.
type Scope struct {
	// Workspace is where everything is looked up and logged.
	Workspace int64
	// Tags and Metadata are those of the logs.
	Tags     []string
	Metadata []reqlog.Member
	// SpanID is the span that the logs belong to, "" for none.
	SpanID string
}

// Env returns what the steps of the scope run in. The caller adds what only a
// run knows: its values, its depth, and how other workflows are run.
func (b *Bench) Env(scope Scope) step.Env {
	in := &scoped{bench: b, scope: scope}
	env := step.Env{Prompts: in, Models: in, Embeddings: in}
	if b.scripts != nil {
		env.Scripts = scripts{b.scripts, scope.Workspace}
	}
	if b.http != nil {
		env.HTTP = poster{b.http}
	}
	return env
}

// scoped is the bench within one scope.
type scoped struct {
	bench *Bench
	scope Scope
}
