// Package client calls language models: OpenAI, Azure OpenAI, Anthropic, Google,
// Mistral, and whatever server speaks OpenAI's protocol.
//
// A call takes the arguments that a provider's own client would be called with
// and sends them as they are, so that a parameter that is newer than this
// program reaches the provider. The providers' libraries address, sign and
// send a request; the answer is read here, as it was written, because the
// libraries keep only what they know of it.
package client

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/convert"
)

// Call is one call to a model.
type Call struct {
	// Provider is the provider's name, such as "openai" or "openai.azure".
	Provider string
	// Model is the model's name. One among the arguments wins over it.
	Model string
	// API picks one of the provider's interfaces, such as "responses"; "" is
	// the provider's chat interface, or the one that the arguments are for.
	API string
	// Arguments is the object of arguments that the provider's client is
	// called with. The call keeps referring to it.
	Arguments json.RawMessage
	// BaseURL replaces the provider's address. Only a key of the workspace is
	// ever sent to it.
	BaseURL string
	// Stream, when set, is called with each piece of the answer as it comes,
	// one at a time. Interfaces that cannot stream answer all at once.
	Stream func(Delta)
}

// Delta is a piece of an answer that is still being written.
type Delta struct {
	// Text continues the answer, Thinking the reasoning that leads to it.
	Text, Thinking string
}

// Completion is what came of a call, in the terms of a request log.
type Completion struct {
	Provider, Model string
	// API says which of the provider's interfaces was called, "" where it has
	// only one.
	API string
	// Function names the library function that such a call stands for.
	Function string

	// Input and Output are templates: the conversation before the call, and
	// the answer. Parameters is the object of all other arguments.
	Input, Output, Parameters json.RawMessage
	// Raw is the provider's answer as it was written; of a stream, what the
	// provider would have answered without.
	Raw json.RawMessage

	// Text is what the model said, without its reasoning.
	Text string
	// Structured is the text as JSON when the call asked for JSON and the
	// model complied, nil otherwise.
	Structured json.RawMessage
	// ToolCalls is the array of tool calls, nil when there are none.
	ToolCalls json.RawMessage
	// FinishReason is the provider's word for why the answer ends.
	FinishReason string

	InputTokens, OutputTokens, CachedTokens, ThinkingTokens int64
	// Price is in US dollars. It is 0 and Priced is false when nobody knows
	// what the model costs.
	Price  float64
	Priced bool

	// Start and End are the times of the first try's begin and the last one's
	// end; Attempts counts the tries.
	Start, End time.Time
	Attempts   int
}

// Value returns the answer as one JSON value: what was asked for as JSON, or
// the text.
func (c *Completion) Value() json.RawMessage {
	if c.Structured != nil {
		return c.Structured
	}
	return jsontree.AppendQuoted(nil, c.Text)
}

// Service calls models. It is safe for concurrent use.
type Service struct {
	options          Options
	guarded, trusted *httpClient
	gate             gate
}

// New returns a service with the options.
func New(options Options) *Service {
	options = options.withDefaults()
	return &Service{
		options: options,
		guarded: observed(options.Guarded, options.MaxAnswer),
		trusted: observed(options.Trusted, options.MaxAnswer),
		gate:    gate{limit: options.Concurrency, doors: map[string]*door{}},
	}
}

// Complete makes a call for a workspace and returns the answer. A call that
// cannot be made is a BadRequest fault, which NotConfigured tells apart where
// only a key or an address is missing. Once a call was sent, every failure is
// an *Error, with the context's own error in its chain when that has ended.
func (s *Service) Complete(ctx context.Context, workspace int64, call Call) (*Completion, error) {
	p, err := s.plan(ctx, workspace, call)
	if err != nil {
		return nil, err
	}
	done := &Completion{}
	done.Start = s.options.Now()
	raw, attempts, failure := s.send(ctx, p)
	done.End = s.options.Now()
	done.Attempts = attempts
	if failure == nil {
		if failure = p.finish(done, raw); failure != nil && failure.Detail == "" {
			failure.Detail = string(raw)
		}
	}
	p.describe(done)
	if failure == nil {
		done.Price, done.Priced = s.options.Prices.price(p)
		if call.Stream != nil && !p.delivered {
			deliver(call.Stream, Delta{Text: done.Text})
		}
		return done, nil
	}
	p.target.hide(failure)
	failure.Completion = done
	return nil, failure
}

// Check returns the fault with which Complete would refuse a call without
// sending it, nil when there is none.
func (s *Service) Check(ctx context.Context, workspace int64, call Call) error {
	_, err := s.plan(ctx, workspace, call)
	return err
}

// finish reads the answer.
func (p *plan) finish(done *Completion, raw []byte) *Error {
	answer, err := jsontree.Parse(raw)
	if err != nil {
		return malformed("it is not JSON (%v)", err)
	}
	if answer.Kind() != jsontree.Object {
		return malformed("it is %s, not an object", answer.Kind())
	}
	if told := answer.Get("error"); told.Given() {
		return refused(0, answer)
	}
	finish, failure := p.wire.read(answer)
	if failure != nil {
		return failure
	}
	done.Raw, done.FinishReason, p.answer = raw, finish, answer
	return nil
}

// describe fills in what a request log says about the call, whether or not it
// was answered.
func (p *plan) describe(done *Completion) {
	log := convert.Convert(convert.Call{
		FunctionName: p.function(), ProviderType: p.name, Kwargs: p.arguments, Response: p.answer,
	})
	done.Provider, done.Model, done.API, done.Function = p.name, p.model, log.APIType, p.function()
	done.Input, done.Output, done.Parameters = log.Input, log.Output, log.Parameters
	done.InputTokens, done.OutputTokens = log.InputTokens, log.OutputTokens
	done.CachedTokens, done.ThinkingTokens = log.CachedTokens, log.ThinkingTokens
	done.Text, done.ToolCalls = said(log.Output)
	if wantsJSON(p.arguments) {
		done.Structured = structured(done.Text)
	}
}

// NotConfigured reports whether err says that a key or an address is missing.
func NotConfigured(err error) bool {
	var missing *missingError
	return errors.As(err, &missing)
}

// missingError is the fault of a provider that nobody configured.
type missingError struct{ fault *fault.Error }

func missing(format string, args ...any) error {
	return &missingError{fault.BadRequestf(format, args...)}
}

func (e *missingError) Error() string { return e.fault.Message }

func (e *missingError) Unwrap() error { return e.fault }
