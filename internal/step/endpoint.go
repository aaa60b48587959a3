package step

import (
	"context"
	"errors"
	"io"
	"maps"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	endpointSeconds    = 30
	maxEndpointSeconds = 600
	maxHeaders         = 100
)

var endpointSpec = Spec{
	Name: "ENDPOINT", Label: "HTTP request", Group: groupCalls, Icon: "globe",
	Doc:     "Sends the values so far to a URL and returns the response.",
	Summary: "{url}",
	Initial: []byte(`{"url":"https://"}`),
	Work:    Effect,
	Fields: []Field{
		{Name: "url", Kind: FieldText, Label: "URL", Hint: "All values so far are sent as JSON in a POST request."},
		{Name: "headers", Kind: FieldHeaders, Label: "Headers", Optional: true},
		{Name: "timeout", Kind: FieldNumber, Label: "Timeout in seconds", Optional: true, Hint: "Defaults to 30."},
	},
	read: readEndpoint,
}

// readEndpoint reads ENDPOINT: the response of another server to all values.
func readEndpoint(c *settings) runner {
	address := c.address("url")
	header := readHeader(c)
	timeout := time.Duration(c.seconds(endpointSeconds, maxEndpointSeconds, "timeout") * float64(time.Second))
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		body, err := objectOf(env.all())
		if err != nil {
			return body, err
		}
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		reply, err := post(ctx, env, HTTPRequest{URL: address, Header: maps.Clone(header), Body: body.Raw()})
		if err != nil {
			return jsontree.Value{}, err
		}
		return answer(reply)
	}
}

// address returns an absolute http or https URL.
func (c *settings) address(spellings ...string) string {
	text := c.text(spellings...)
	parsed, err := url.Parse(text)
	if text != "" && (err != nil || parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https") {
		c.reportAt(spellings[0], fault.Rulef("value_error", "Input should be an http or https URL"))
	}
	return text
}

func readHeader(c *settings) textproto.MIMEHeader {
	header := textproto.MIMEHeader{"Content-Type": {"application/json"}}
	given := c.optional(jsontree.Object, "headers")
	if given.Len() > maxHeaders {
		c.reportAt("headers", fault.MaxMembers(maxHeaders, given.Len()))
	}
	for name, value := range given.Members() {
		if !value.Given() {
			continue
		}
		if kind := value.Kind(); kind == jsontree.Array || kind == jsontree.Object || !isHeader(name, Text(value)) {
			c.fail("'headers' has an invalid header: '%s'", shorten(name))
			return nil
		}
		header.Set(name, Text(value))
	}
	return header
}

// isHeader reports whether a header is valid.
func isHeader(name, value string) bool {
	invalidName := func(r rune) bool {
		return r <= ' ' || r >= 0x7f || strings.ContainsRune(`()<>@,;:\"/[]?={}`, r)
	}
	return name != "" && !strings.ContainsFunc(name, invalidName) && !strings.ContainsAny(value, "\r\n\x00")
}

// post sends a request through the guarded client.
func post(ctx context.Context, env *Env, request HTTPRequest) (*HTTPReply, error) {
	if env.HTTP == nil {
		return nil, missing("Calling other servers is")
	}
	reply, err := env.HTTP.Post(ctx, request)
	if err != nil && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return nil, fault.Wrap(fault.BadRequest, err, "the server did not respond in time")
	}
	return reply, err
}

// answer returns the body of a response: JSON, or text if it is not JSON.
func answer(reply *HTTPReply) (jsontree.Value, error) {
	body, err := readBody(reply)
	if err != nil {
		return jsontree.Value{}, err
	}
	if reply.Status < 200 || reply.Status > 299 {
		return jsontree.Value{}, refusal(reply.Status, body)
	}
	if v, err := parseText(body); err == nil {
		return v, nil
	}
	return textValue(string(body))
}

func refusal(status int, body []byte) error {
	text := shorten(strings.ToValidUTF8(strings.TrimSpace(string(body[:min(len(body), 400)])), ""))
	if text == "" {
		return failf("the server answered with status %d", status)
	}
	return failf("the server answered with status %d: %s", status, text)
}

// readBody reads and closes a body, and limits its size.
func readBody(reply *HTTPReply) ([]byte, error) {
	if reply.Body == nil {
		return nil, nil
	}
	defer func() { _ = reply.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(reply.Body, maxOutput+1))
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "the response was interrupted")
	}
	if len(body) > maxOutput {
		return nil, failf("the server's answer is larger than %d MiB", maxOutput>>20)
	}
	return body, nil
}
