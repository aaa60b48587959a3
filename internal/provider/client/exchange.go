package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// httpClient is a client whose answers are read by the exchange in the
// request's context.
type httpClient struct{ *http.Client }

// observed returns a client that sends as the given one does, nil for nil. It
// has no time limit of its own: a call has one.
func observed(client *http.Client, maxAnswer int64) *httpClient {
	if client == nil {
		return nil
	}
	next := client.Transport
	if next == nil {
		next = http.DefaultTransport
	}
	own := *client
	own.Transport = &observer{next, maxAnswer}
	own.Timeout = 0
	own.Jar = nil
	return &httpClient{&own}
}

// observer reads an answer before a provider's library sees it, and hands the
// library an empty one. So the answer is kept as it was written, is bounded,
// and cannot bring down a library that expects another.
type observer struct {
	next  http.RoundTripper
	limit int64
}

type exchangeKey struct{}

// exchange is one request and what came back.
type exchange struct {
	// events, when set, is called with each event of a stream.
	events func(data []byte) *Error
	// raw is the answer unless it came as events.
	raw []byte
	// done says that an answer came; failure is nil when it is a good one.
	done    bool
	failure *Error
}

func (x *exchange) within(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

// RoundTrip sends the request and reads the answer.
func (o *observer) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := o.next.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	defer func() { _ = response.Body.Close() }()
	x, ok := request.Context().Value(exchangeKey{}).(*exchange)
	if !ok {
		return nil, fmt.Errorf("a request to %s is not part of a call", request.URL.Host)
	}
	body := &boundedReader{from: response.Body, left: o.limit, limit: o.limit}
	x.failure = x.read(response, body)
	x.done = true
	return &http.Response{
		StatusCode: http.StatusOK, Proto: response.Proto, ProtoMajor: response.ProtoMajor, ProtoMinor: response.ProtoMinor,
		Header:  http.Header{"Content-Type": {"application/json"}},
		Body:    io.NopCloser(strings.NewReader("{}")),
		Request: request,
	}, nil
}

func (x *exchange) read(response *http.Response, body io.Reader) *Error {
	switch {
	case response.StatusCode >= http.StatusBadRequest:
		return readRefusal(response, body)
	case response.StatusCode >= http.StatusMultipleChoices:
		// A key would travel along to wherever the answer points.
		failure := newError(TypeProvider, "The provider answered with a redirect, which is not followed")
		failure.Status = response.StatusCode
		return failure
	case x.events != nil && strings.HasPrefix(response.Header.Get("Content-Type"), "text/event-stream"):
		return readEvents(body, x.events)
	default:
		raw, err := io.ReadAll(body)
		if err != nil {
			return broken(err)
		}
		x.raw = raw
		return nil
	}
}

// broken is an answer that broke off.
func broken(err error) *Error {
	var tooLarge *tooLargeError
	if errors.As(err, &tooLarge) {
		return newError(TypeProvider, "%s", tooLarge.Error())
	}
	return unreached(err)
}

// maxRefusal bounds the answer to a call that failed.
const maxRefusal = 1 << 20

func readRefusal(response *http.Response, body io.Reader) *Error {
	// What cannot be read does not matter: the status says that it failed.
	text, _ := io.ReadAll(io.LimitReader(body, maxRefusal))
	answer, _ := jsontree.Parse(text)
	failure := refused(response.StatusCode, answer)
	failure.Detail = string(text)
	failure.after = retryAfter(response.Header)
	return failure
}

// retryAfter returns how long a provider asks to wait, negative when it does
// not ask.
func retryAfter(header http.Header) time.Duration {
	for _, form := range []struct {
		name string
		unit time.Duration
	}{{"Retry-After-Ms", time.Millisecond}, {"Retry-After", time.Second}} {
		if n, err := strconv.ParseFloat(header.Get(form.name), 64); err == nil && n >= 0 && n < 1e6 {
			return time.Duration(n * float64(form.unit))
		}
	}
	if at, err := http.ParseTime(header.Get("Retry-After")); err == nil {
		return max(0, time.Until(at))
	}
	return -1
}

// boundedReader fails once more than the limit was read.
type boundedReader struct {
	from        io.Reader
	left, limit int64
}

type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string {
	return fmt.Sprintf("The provider's answer is larger than %d bytes", e.limit)
}

func (r *boundedReader) Read(p []byte) (int, error) {
	if r.left < 0 {
		return 0, &tooLargeError{r.limit}
	}
	if int64(len(p)) > r.left+1 {
		p = p[:r.left+1]
	}
	n, err := r.from.Read(p)
	r.left -= int64(n)
	if r.left < 0 {
		return n, &tooLargeError{r.limit}
	}
	return n, err
}

// readEvents splits a stream of server-sent events and hands on the data of
// each. Names of events are not needed: the data repeats them.
func readEvents(body io.Reader, handle func([]byte) *Error) *Error {
	var data []byte
	lines := lineReader{from: body}
	for {
		line, err := lines.next()
		ended := errors.Is(err, io.EOF)
		if err != nil && !ended {
			return broken(err)
		}
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			if len(data) > 0 {
				data = append(data, '\n')
			}
			data = append(data, bytes.TrimPrefix(value, []byte(" "))...)
		}
		if len(data) > 0 && (len(line) == 0 || ended) {
			if failure := handle(data); failure != nil {
				return failure
			}
			data = nil // the handler may keep what it was given
		}
		if ended {
			return nil
		}
	}
}

// lineReader reads lines of any length that end in a line feed, with or
// without a carriage return.
type lineReader struct {
	from    io.Reader
	pending []byte
	scanned int
	err     error
}

// next returns a line. The last one comes together with the error that ended
// the stream.
func (r *lineReader) next() ([]byte, error) {
	for {
		if at := bytes.IndexByte(r.pending[r.scanned:], '\n'); at >= 0 {
			end := r.scanned + at
			line := r.pending[:end]
			r.pending, r.scanned = r.pending[end+1:], 0
			return bytes.TrimSuffix(line, []byte("\r")), nil
		}
		if r.err != nil {
			line := r.pending
			r.pending, r.scanned = nil, 0
			return line, r.err
		}
		r.scanned = len(r.pending)
		r.fill()
	}
}

func (r *lineReader) fill() {
	buffer := make([]byte, 4096)
	n, err := r.from.Read(buffer)
	r.pending = append(r.pending, buffer[:n]...)
	r.err = err
}
