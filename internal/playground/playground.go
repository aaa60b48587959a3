// Package playground lets people try a prompt that need not be published: it
// renders the prompt, calls the model, hands on the answer while it is being
// written, and logs the call like every other.
package playground

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/record"
)

// Tag is what the logs of calls are tagged with.
const Tag = "playground"

// The defaults of Options.
const (
	defaultTotal = 64
	defaultEach  = 8
)

// Options are what a Service is made with. Prompts, Models and Logs must be
// set; every other zero value stands for a default.
type Options struct {
	Prompts *prompt.Service
	Models  *client.Service
	Logs    *reqlog.Service
	// Total bounds the calls under way, Each those of one workspace.
	Total, Each int
	// Logger is told of calls that could not be logged; nil tells nobody.
	Logger *slog.Logger
}

// Service makes calls for people who try prompts. It is safe for concurrent
// use.
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

// Close gives up the calls under way, takes no others, and returns when those
// that were given up are logged or ctx ends.
func (s *Service) Close(ctx context.Context) error { return s.places.close(ctx) }

// Providers returns the providers that can be called by name and what the
// workspace has set of them. No value of a setting is part of it.
func (s *Service) Providers(ctx context.Context, workspace int64) ([]client.ProviderState, error) {
	return s.models.Providers(ctx, workspace)
}

// Request is a prompt to try.
type Request struct {
	// Content is checked and in its normal form. Its metadata names the model.
	Content prompt.Content
	// Variables is absent, or an object of values.
	Variables jsontree.Value
	// Prompt is what the log shall be linked to, the zero value for nothing.
	Prompt reqlog.PromptRef
}

// Piece is a piece of an answer that is still being written. Text continues
// the answer, Thinking the reasoning that leads to it.
type Piece struct{ Text, Thinking string }

// Listener is told what becomes of a call while it is made, by one goroutine.
type Listener interface {
	// Begin is called once, before the call is sent: nothing is left then for
	// which the request could be refused.
	Begin()
	// Piece is called with each piece of the answer as it comes.
	Piece(p Piece)
}

// Answer is what came of a call.
type Answer struct {
	// RequestID is the log of the call, 0 when it could not be written.
	RequestID       int64
	Provider, Model string
	// Output is the answer as a template.
	Output                    json.RawMessage
	InputTokens, OutputTokens int64
	// Price is in US dollars. Priced is false when nobody knows it.
	Price        float64
	Priced       bool
	Latency      time.Duration
	FinishReason string
	// Warning says what the prompt lacked, "" for nothing.
	Warning string
}

// FailedError is a call that was sent, or was about to be, and failed.
type FailedError struct {
	// Message says in one line what happened, Type is the error type that the
	// log has.
	Message, Type string
	// RequestID is the log of the call, 0 when there is none.
	RequestID int64
	cause     error
}

// Error returns the message.
func (e *FailedError) Error() string { return e.Message }

// Unwrap returns the cause.
func (e *FailedError) Unwrap() error { return e.cause }

// Run tries a prompt and returns the answer when it is whole. Until the
// listener was told to begin, errors are faults: Forbidden, RateLimited when
// the workspace has too many calls under way, NotFound when the prompt to link
// to is not there, Invalid when the prompt cannot be rendered, and BadRequest
// when the model cannot be called, such as without a key. From then on every
// error is a *FailedError. A call whose context ends is given up. Every call
// that was sent is logged, whatever came of it.
func (s *Service) Run(ctx context.Context, workspace int64, in Request, to Listener) (*Answer, error) {
	// Calls cost money, so that it is not enough to be allowed to log.
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

// trial is one prompt that is tried.
type trial struct {
	service   *Service
	workspace int64
	run       *prompt.Run
	// link is nil when the log is linked to nothing.
	link      *reqlog.PromptRef
	variables []byte
	call      client.Call
}

// prepare renders the prompt and makes sure that the call can be made.
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
	run, err := s.prompts.PrepareInline(ctx, t.workspace, in.Content, prompt.Request{Variables: in.Variables})
	if err != nil {
		return err
	}
	t.run = run
	t.call = client.Call{Provider: run.Provider, Model: run.Model, API: run.APIType, Arguments: run.Arguments}
	return s.models.Check(ctx, t.workspace, t.call)
}

// finish logs the call and returns what came of it.
func (t *trial) finish(ctx context.Context, done *provider.Completion, err error) (*Answer, error) {
	var failure *provider.Error
	switch {
	case err == nil:
		return t.answer(done, t.record(ctx, done, nil)), nil
	case errors.As(err, &failure):
		id := t.record(ctx, failure.Completion, failure)
		return nil, &FailedError{Message: failure.Message, Type: failure.Type, RequestID: id, cause: err}
	default:
		// It could have been made a moment ago: somebody took the key away
		// meanwhile, or the catalog does not answer.
		t.service.records.Logger.WarnContext(ctx, "a call to a model could not be made", "workspace", t.workspace,
			"provider", t.call.Provider, "model", t.call.Model, "error", err)
		return nil, &FailedError{Message: "The model can no longer be called", Type: provider.TypeOf(err), cause: err}
	}
}

func (t *trial) answer(done *provider.Completion, id int64) *Answer {
	return &Answer{
		RequestID: id, Provider: done.Provider, Model: done.Engine, Output: done.Output,
		InputTokens: done.InputTokens, OutputTokens: done.OutputTokens, Price: done.Price, Priced: done.Priced,
		Latency: max(0, done.End.Sub(done.Start)), FinishReason: done.FinishReason, Warning: t.run.Warning,
	}
}
