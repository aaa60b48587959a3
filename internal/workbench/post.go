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

// longestPost is how long a step may wait for a server at most. Steps set
// shorter limits of their own.
const longestPost = 10 * time.Minute

// patient returns the guarded client with the time that steps may take.
func patient(client *outbound.Client) *http.Client {
	own := *client.HTTP()
	own.Timeout = longestPost
	return &own
}

// poster sends requests for steps through a guarded client.
type poster struct{ client *http.Client }

// Post implements step.HTTP. The body comes as the server writes it, because
// some servers keep an answer open that has said all.
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

// unanswered says why there is no answer. It does not repeat what the network
// said: that tells of hosts that are nobody's business.
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
