// Package client calls language models.
//
// A call takes the arguments of the provider's client library and sends them
// unchanged where possible, so that parameters newer than this program reach
// the provider. The answer is kept unchanged.
package client

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// Call is one call to a model.
type Call struct {
	// Provider is the provider's name, such as "openai" or "openai.azure".
	Provider string
	// Model is the name of the model. A model in the arguments takes
	// precedence.
	Model string
	// API selects one of the provider's APIs, such as "responses"; "" is the
	// provider's chat API, or the one that the arguments are for.
	API string
	// Arguments is the object of arguments of the provider's client library.
	// The call keeps a reference to it.
	Arguments json.RawMessage
	// BaseURL replaces the URL of the provider. Only a key of the workspace is
	// sent to it.
	BaseURL string
	// Stream, if set, is called with each piece of the answer, one at a time.
	// APIs without streaming deliver one piece.
	Stream func(provider.Delta)
}

// Service calls models. It is safe for concurrent use.
type Service struct {
	options          Options
	guarded, trusted *http.Client
	gate             gate
}

// New returns a service with the options.
func New(options Options) *Service {
	options = options.withDefaults()
	return &Service{
		options: options,
		guarded: newHTTPClient(options.Guarded),
		trusted: newHTTPClient(options.Trusted),
		gate:    gate{limit: options.Concurrency, doors: map[string]*door{}},
	}
}

// Complete makes a call for a workspace and returns the answer. A call that
// cannot be sent is a BadRequest fault; provider.NotConfigured reports whether
// only a key or a URL is missing. Once a call was sent, every failure is a
// *provider.Error, which wraps the error of the context if it has ended.
func (s *Service) Complete(ctx context.Context, workspace int64, call Call) (*provider.Completion, error) {
	p, err := s.plan(ctx, workspace, call)
	if err != nil {
		return nil, err
	}
	done := &provider.Completion{}
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
		if call.Stream != nil && !p.delivered {
			provider.Deliver(call.Stream, provider.Delta{Text: done.Text})
		}
		return done, nil
	}
	p.target.hide(failure)
	failure.Completion = done
	return nil, failure
}

// Check returns the fault that Complete would return without sending the call,
// or nil.
func (s *Service) Check(ctx context.Context, workspace int64, call Call) error {
	_, err := s.plan(ctx, workspace, call)
	return err
}

// finish reads the answer.
func (p *plan) finish(done *provider.Completion, raw []byte) *provider.Error {
	answer, failure := parseAnswer(raw)
	if failure != nil {
		return failure
	}
	finish, failure := p.api.Caller.Finish(answer)
	if failure != nil {
		return failure
	}
	done.Raw, done.FinishReason, p.answer = raw, finish, answer
	return nil
}

// parseAnswer parses an answer, which must be an object and not an error.
func parseAnswer(raw []byte) (jsontree.Value, *provider.Error) {
	answer, err := jsontree.Parse(raw)
	switch {
	case err != nil:
		return answer, provider.Malformed("it is not JSON (%v)", err)
	case answer.Kind() != jsontree.Object:
		return answer, provider.Malformed("it is %s, not an object", answer.Kind())
	case answer.Get("error").Given():
		return answer, provider.Refused(0, answer)
	}
	return answer, nil
}

// describe sets the fields for the request log, whether or not the call
// succeeded.
func (p *plan) describe(done *provider.Completion) {
	done.Record = builtin.Providers.Read(provider.Exchange{
		FunctionName: p.provider.Function(p.api), ProviderType: p.name, Kwargs: p.request.Arguments, Response: p.answer,
	})
	done.Engine = p.request.Model
	done.Text, done.ToolCalls = said(done.Output)
	if p.api.Caller.WantsJSON(p.request.Arguments) {
		if value, err := jsontree.Parse([]byte(done.Text)); err == nil {
			done.Structured = json.RawMessage(value.Raw())
		}
	}
}

// said returns the text and the tool calls of an output template.
func said(output json.RawMessage) (text string, calls json.RawMessage) {
	template, err := jsontree.Parse(output)
	if err != nil {
		return "", nil
	}
	holder := template
	for _, message := range template.Get("messages").Elems() {
		holder = message
	}
	var all []byte
	for _, item := range provider.Items(holder.Get("content")) {
		if item.IsText() {
			all = item.Text.AppendStr(all)
		}
	}
	if list := holder.Get("tool_calls"); list.Len() > 0 {
		calls = json.RawMessage(list.Raw())
	}
	return string(all), calls
}
