package workbench

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/textproto"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/step"
)

// longestPost is the maximum time that a step may wait for a server. Steps set
// shorter limits.
const longestPost = 10 * time.Minute

// patient returns the guarded client with the timeout of steps.
func patient(client *outbound.Client) *http.Client {
	own := *client.HTTP()
	own.Timeout = longestPost
	return &own
}

// poster sends requests for steps through a guarded client.
type poster struct{ client *http.Client }

// Post implements step.HTTP. The body is streamed, because some servers keep
// the connection open after a complete response.
func (p poster) Post(ctx context.Context, request step.HTTPRequest) (*step.HTTPReply, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, request.URL, bytes.NewReader(request.Body))
	if err != nil {
		return nil, fault.BadRequestf("this is not a valid address")
	}
	r.Header = http.Header(request.Header).Clone()
	answer, err := p.client.Do(r) //nolint:bodyclose // the step closes it
	if err != nil {
		return nil, unanswered(ctx, err)
	}
	return &step.HTTPReply{
		Status: answer.StatusCode, Header: textproto.MIMEHeader(answer.Header), Body: answer.Body,
	}, nil
}

// unanswered returns the reason why there is no response. It omits the network
// error, which could reveal internal hosts.
func unanswered(ctx context.Context, err error) error {
	var refused *outbound.Error
	var timeout net.Error
	switch {
	case errors.As(err, &refused):
		return fault.BadRequestf("%s", refused.Message)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &timeout) && timeout.Timeout():
		return fault.BadRequestf("the server did not answer in time")
	default:
		return fault.BadRequestf("the server could not be reached")
	}
}
