package work

import (
	"context"
	"errors"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/rest"
)

const playgroundTag = "Playground"

// playgrounds has the handlers of what people try prompts with.
type playgrounds struct{ service *playground.Service }

func (h playgrounds) operations() []rest.Op {
	return kit.Tagged(playgroundTag, []rest.Op{
		{
			Method: http.MethodPost, Path: "/api/public/v2/playground/run", ID: "runPlayground", Summary: "Try a prompt",
			Description: "Renders a template that need not be published, calls its model with the keys of the workspace, and answers with server-sent events as the model answers. " +
				"Any number of events delta have the object {text} or {thinking} with the next piece. Then comes one event and no other: " +
				"done with {request_id, provider, model, output, input_tokens, output_tokens, price, latency_ms, finish_reason, warning}, or error with {message, error_type, request_id}. " +
				"Lines that begin with a colon keep the connection open and mean nothing. What is refused before the model is called has the usual shape of an error. " +
				"The call is logged with the tag playground, also when it fails. A client that goes away gives the call up. " +
				"It needs the permissions REQUEST_CREATE and PROMPT_EDIT. A workspace has a few calls under way at most; one more is refused with 429.",
			Also:     []int{http.StatusForbidden, http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable},
			Produces: []string{eventStreamType}, Handler: rest.RawBound(nil, h.run),
		},
		{
			Method: http.MethodGet, Path: "/api/public/v2/providers", ID: "listProviders", Summary: "List the providers of models",
			Description: "Returns the providers that can be called by name, whether the workspace can call them, the variables that configure them and who has set those, " +
				"and models for menus. Values of variables are never returned. Variables of the workspace are set with the operations on its environment variables.",
			Handler: rest.Handle(h.providers),
		},
	})
}

func (h playgrounds) run(w http.ResponseWriter, r *rest.Request, in *runPlaygroundRequest) error {
	ctx, giveUp := context.WithCancel(r.Context())
	defer giveUp()
	stream := newEventStream(w, giveUp)
	defer stream.end()
	listener := &playgroundListener{stream: stream}
	answer, err := h.service.Run(ctx, kit.Workspace(ctx), in.request(kit.Given(r.Body, "input_variables")), listener)
	var failed *playground.FailedError
	switch {
	case errors.As(err, &failed):
		stream.send("error", wireFailure(failed))
	case err != nil:
		return err
	default:
		stream.send("done", wireAnswer(answer))
	}
	return nil
}

// playgroundListener sends what comes of a call.
type playgroundListener struct{ stream *eventStream }

// Begin implements playground.Listener.
func (l *playgroundListener) Begin() { l.stream.begin(pulse) }

// Piece implements playground.Listener.
func (l *playgroundListener) Piece(p playground.Piece) {
	l.stream.send("delta", playgroundDelta(p))
}

func (h playgrounds) providers(ctx context.Context, _ *struct{}) (*providerList, error) {
	found, err := h.service.Providers(ctx, kit.Workspace(ctx))
	if err != nil {
		return nil, err
	}
	list := &providerList{Success: true, Providers: make([]providerItem, len(found))}
	for i, p := range found {
		item := providerItem{Name: p.Name, Configured: p.Configured, Source: kit.OrNil(string(p.Source)), Models: p.Models}
		if item.Models == nil {
			item.Models = []string{}
		}
		for _, v := range p.Variables {
			item.Variables = append(item.Variables, providerVariable{v.Name, string(v.Purpose), v.Required, kit.OrNil(string(v.Source))})
		}
		list.Providers[i] = item
	}
	return list, nil
}
