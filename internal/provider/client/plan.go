package client

import (
	"context"
	"net/http"
	"net/url"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// maxName limits the name of a provider, which becomes part of setting names.
const maxName = 100

// plan is a call that can be sent.
type plan struct {
	name     string
	provider *provider.Provider
	api      *provider.API
	request  provider.Request
	target   *target
	url      *url.URL
	header   http.Header
	body     []byte
	stream   func(provider.Delta)
	// delivered reports whether a piece of the answer was delivered.
	delivered bool
	// answer is absent until the call has succeeded.
	answer jsontree.Value
}

// plan checks a call and determines its target.
func (s *Service) plan(ctx context.Context, workspace int64, call Call) (*plan, error) {
	if call.Provider == "" || len(call.Provider) > maxName {
		return nil, fault.BadRequestf("The model has no provider")
	}
	known, listed := builtin.Providers.Find(call.Provider)
	if !known.Callable() {
		return nil, fault.BadRequestf("Models of provider '%s' cannot be called", call.Provider)
	}
	arguments, err := jsontree.Parse(call.Arguments)
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "The arguments of the call are not JSON")
	}
	if arguments.Kind() != jsontree.Object {
		return nil, fault.BadRequestf("The arguments of the call must be an object")
	}
	p := &plan{name: call.Provider, provider: known, stream: call.Stream, request: provider.Request{
		Model: call.Model, Arguments: arguments, Typed: call.API != "",
	}}
	if named := arguments.Get("model").Str(); named != "" {
		p.request.Model = named
	}
	if p.api, err = p.chooseAPI(call.API); err != nil {
		return nil, err
	}
	if err := s.findTarget(ctx, workspace, p, call.BaseURL, listed); err != nil {
		return nil, err
	}
	if p.request.Model == "" {
		return nil, fault.BadRequestf("No model given for provider '%s'", p.name)
	}
	if p.api.Caller.Stream == nil {
		p.stream = nil
	}
	return p, p.write(p.api.Caller)
}

// chooseAPI returns the API of the call.
func (p *plan) chooseAPI(apiType string) (*provider.API, error) {
	chosen := p.provider.API(apiType)
	if chosen == nil || chosen.Caller == nil {
		return nil, fault.BadRequestf("Provider '%s' has no API '%s' that can be called", p.name, apiType)
	}
	if p.provider.Choose == nil {
		return chosen, nil
	}
	return p.provider.Choose(p.provider, chosen, &p.request)
}

// write writes the request.
func (p *plan) write(caller *provider.Caller) error {
	p.request.Stream = p.stream != nil
	body, err := caller.Body(&p.request)
	if err != nil {
		return err
	}
	p.body = body.Bytes()
	p.url, p.header, err = caller.Address(&p.request)
	return err
}
