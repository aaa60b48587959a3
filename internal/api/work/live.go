package work

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/live"
	"github.com/promptuary/promptuary/internal/rest"
)

// LiveTokens issues the tokens with which clients connect to wait for runs.
type LiveTokens interface {
	// Token returns a token for a channel of a workspace.
	Token(workspace int64, channel string) live.Token
}

// liveTokens has the handler that issues tokens.
type liveTokens struct{ service LiveTokens }

func (h liveTokens) operations() []rest.Op {
	return []rest.Op{{
		Method: http.MethodPost, Path: "/ws-token-request-library", ID: "createLiveToken", Tag: workflowTag,
		Summary: "Get a token to wait for a run",
		Description: "Returns a token for one channel. Use it to connect to the WebSocket at /connection/websocket, which uses the JSON protocol of Centrifugo, " +
			"and subscribe to the channel: workflow_updates:{execution id} for a started run, or workflows:{workflow id}:run:{channel name suffix} " +
			"for a future one. The end of the run is published there once, also to clients that subscribe later. If several runs share the suffix, they receive the newest.",
		Status: http.StatusCreated, ErrorText: true, Handler: rest.Handle(h.create),
	}}
}

type liveTokenQuery struct {
	Channel string `query:"capability" required:"true" minLength:"1" maxLength:"512" description:"The channel to subscribe to."`
}

type liveTokenResponse struct {
	Success bool             `json:"success" required:"true" description:"Always true."`
	Backend string           `json:"messaging_backend" required:"true" enum:"centrifugo" description:"Protocol of the channel."`
	Details liveTokenDetails `json:"token_details" required:"true" description:"The token."`
}

type liveTokenDetails struct {
	Token      string              `json:"token" required:"true" description:"The connection token."`
	Issued     int64               `json:"issued" required:"true" description:"When the token was issued, in milliseconds since 1970."`
	Expires    int64               `json:"expires" required:"true" description:"When the token expires, in milliseconds since 1970. An open connection outlives it."`
	Capability map[string][]string `json:"capability" required:"true" description:"Allowed operations by channel."`
	ClientID   string              `json:"clientId" required:"true" description:"The id of the client that the token was issued to."`
}

func (h liveTokens) create(ctx context.Context, in *liveTokenQuery) (*liveTokenResponse, error) {
	token := h.service.Token(kit.Workspace(ctx), in.Channel)
	return &liveTokenResponse{Success: true, Backend: "centrifugo", Details: liveTokenDetails{
		Token: token.Token, Issued: token.Issued.UnixMilli(), Expires: token.Expires.UnixMilli(),
		Capability: token.Capability, ClientID: token.ClientID,
	}}, nil
}
