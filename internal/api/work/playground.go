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

// playgrounds has the handlers of the playground.
type playgrounds struct{ service *playground.Service }

func (h playgrounds) operations() []rest.Op {
	return kit.Tagged(playgroundTag, []rest.Op{
		{
			Method: http.MethodPost, Path: "/api/public/v2/playground/run", ID: "runPlayground", Summary: "Run a prompt in the playground",
			Description: "Renders a template, which need not be published, calls its model with the workspace's provider keys, and streams the response as server-sent events. " +
				"Any number of delta events carry {text} or {thinking} with the next chunk. One final event follows: " +
				"done with {request_id, provider, model, output, input_tokens, output_tokens, price, latency_ms, finish_reason, warning}, or error with {message, error_type, request_id}. " +
				"Lines that start with a colon only keep the connection open. Errors before the model is called have the usual form. " +
				"The call is logged with the tag playground, even if it fails. If the client disconnects, the call is cancelled. " +
				"Requires the permissions REQUEST_CREATE and PROMPT_EDIT. The number of concurrent calls per workspace is limited; further calls are rejected with 429.",
			Also:     []int{http.StatusForbidden, http.StatusNotFound, http.StatusTooManyRequests, http.StatusServiceUnavailable},
			Produces: []string{eventStreamType}, Handler: rest.RawBound(nil, h.run),
		},
		{
			Method: http.MethodGet, Path: "/api/public/v2/providers", ID: "listProviders", Summary: "List model providers",
			Description: "Returns the known model providers, whether the workspace can call them, the variables that configure them and where those are set, " +
				"and known models. Values of variables are never returned. Set a workspace's variables with the operations on environment variables.",
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

// playgroundListener sends the chunks of a response.
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
