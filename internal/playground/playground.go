// Package playground runs prompts that need not be published: it renders the
// prompt, calls the model, streams the answer, and logs the call.
package playground

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/record"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Tag is the tag of the logs of playground calls.
const Tag = "playground"

// The defaults of Options.
const (
	defaultTotal = 64
	defaultEach  = 8
)

// Options configure a Service. Prompts, Models and Logs are required; all
// other zero values mean defaults.
type Options struct {
	Prompts *prompt.Service
	Models  *client.Service
	Logs    *requests.Service
	// Total limits the concurrent calls, Each those of one workspace.
	Total, Each int
	// Logger logs calls that could not be recorded; nil discards them.
	Logger *slog.Logger
}

// Service runs prompts. It is safe for concurrent use.
type Service struct {
	prompts *prompt.Service
	models  *client.Service
	records record.Recorder
	places  *places
}

// NewService returns a service with the options.
func NewService(o Options) *Service {
	return &Service{
		prompts: o.Prompts, models: o.Models,
		records: record.Recorder{Logs: o.Logs, Logger: cmp.Or(o.Logger, slog.New(slog.DiscardHandler))},
		places:  newPlaces(cmp.Or(o.Total, defaultTotal), cmp.Or(o.Each, defaultEach)),
	}
}

// Close cancels the calls in progress, rejects new ones, and returns when the
// cancelled calls are logged or ctx ends.
func (s *Service) Close(ctx context.Context) error { return s.places.close(ctx) }

// Providers returns the known providers and which of their settings the
// workspace has, without the values.
func (s *Service) Providers(ctx context.Context, workspace int64) ([]client.ProviderState, error) {
	return s.models.Providers(ctx, workspace)
}

// Request is a prompt to run.
type Request struct {
	// Content has metadata with the model.
	Content prompt.Content
	// Variables is absent or an object.
	Variables jsontree.Value
	// Prompt is the prompt to link the log to; the zero value means none.
	Prompt reqlog.PromptRef
}

// Piece is a chunk of an answer. Text continues the answer, Thinking the
// reasoning before it.
type Piece struct{ Text, Thinking string }

// Listener receives the progress of a call, from one goroutine.
type Listener interface {
	// Begin is called once, before the call is sent, when the request can no
	// longer be rejected.
	Begin()
	// Piece is called with each chunk of the answer.
	Piece(p Piece)
}

// Answer is the result of a call.
type Answer struct {
	// RequestID is the id of the log, 0 if it could not be written.
	RequestID       int64
	Provider, Model string
	// Output is the answer as a template.
	Output                    json.RawMessage
	InputTokens, OutputTokens int64
	// Price is in US dollars. Priced is false if the price is unknown.
	Price        float64
	Priced       bool
	Latency      time.Duration
	FinishReason string
	// Warning lists what the prompt lacked, "" for nothing.
	Warning string
}

// FailedError is a call that failed after Begin.
type FailedError struct {
	// Message describes the failure in one line, Type is the error type in
	// the log.
	Message, Type string
	// RequestID is the id of the log, 0 if there is none.
	RequestID int64
	cause     error
}

// Error returns the message.
func (e *FailedError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *FailedError) Unwrap() error { return e.cause }

// Run runs a prompt and returns the complete answer. Before Listener.Begin,
// errors are faults: Forbidden, RateLimited if the workspace has too many
// concurrent calls, NotFound if the prompt to link to does not exist, Invalid
// if the prompt cannot be rendered, and BadRequest if the model cannot be
// called, for example without a key. After that, all errors are *FailedError.
// The call is cancelled when its context ends. Every call that was sent is
// logged, whatever its result.
func (s *Service) Run(ctx context.Context, workspace int64, in Request, to Listener) (*Answer, error) {
	// Calls cost money, so the permission to log is not enough.
	if err := access.Require(ctx, access.RequestCreate, access.PromptEdit); err != nil {
		return nil, err
	}
	ctx, leave, err := s.places.enter(ctx, workspace)
	if err != nil {
		return nil, err
	}
	defer leave()
	t := &trial{service: s, workspace: workspace}
	if err := t.prepare(ctx, in); err != nil {
		return nil, err
	}
	to.Begin()
	t.call.Stream = func(d provider.Delta) { to.Piece(Piece(d)) }
	done, err := s.models.Complete(ctx, workspace, t.call)
	return t.finish(ctx, done, err)
}

// trial is one run of a prompt.
type trial struct {
	service   *Service
	workspace int64
	run       *prompt.Run
	// link is nil if the log is not linked to a prompt.
	link      *reqlog.PromptRef
	variables []byte
	call      client.Call
}

// prepare renders the prompt and checks that the call can be made.
func (t *trial) prepare(ctx context.Context, in Request) error {
	s := t.service
	if in.Prompt != (reqlog.PromptRef{}) {
		found, err := s.prompts.Resolve(ctx, t.workspace, in.Prompt)
		if err != nil {
			return err
		}
		t.link = &reqlog.PromptRef{ID: found.ID, Version: found.Version}
	}
	t.variables = reqlog.VariablesOf(in.Variables)
	run, err := s.prompts.PrepareInline(ctx, t.workspace, fault.In(), in.Content, prompt.Request{Variables: in.Variables})
	if err != nil {
		return err
	}
	t.run = run
	t.call = client.Call{Provider: run.Provider, Model: run.Model, API: run.APIType, Arguments: run.Arguments}
	return s.models.Check(ctx, t.workspace, t.call)
}

// finish logs the call and returns its result.
func (t *trial) finish(ctx context.Context, done *provider.Completion, err error) (*Answer, error) {
	var failure *provider.Error
	switch {
	case err == nil:
		id, price := t.record(ctx, done, nil)
		return t.answer(done, id, price), nil
	case errors.As(err, &failure):
		id, _ := t.record(ctx, failure.Completion, failure)
		return nil, &FailedError{Message: failure.Message, Type: failure.Type, RequestID: id, cause: err}
	default:
		// The check in prepare succeeded: the key was removed since, or the
		// catalog is unavailable.
		t.service.records.Logger.WarnContext(ctx, "a call to a model could not be made", "workspace", t.workspace,
			"provider", t.call.Provider, "model", t.call.Model, "error", err)
		return nil, &FailedError{Message: "The model can no longer be called", Type: provider.TypeOf(err), cause: err}
	}
}

func (t *trial) answer(done *provider.Completion, id int64, price reqlog.Price) *Answer {
	return &Answer{
		RequestID: id, Provider: done.Provider, Model: done.Engine, Output: done.Output,
		InputTokens: done.Usage.Input.N, OutputTokens: done.Usage.Output.N, Price: price.USD, Priced: price.Known(),
		Latency: max(0, done.End.Sub(done.Start)), FinishReason: done.FinishReason, Warning: t.run.Warning,
	}
}
