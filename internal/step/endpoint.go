package step

import (
	"context"
	"errors"
	"io"
	"net/textproto"
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
	Doc:     "Sends the values of earlier nodes to a URL and returns the response.",
	Summary: "{url}",
	Initial: []byte(`{"url":"https://"}`),
	Work:    Effect,
	Fields: []Field{
		{Name: "url", Kind: FieldURL, Label: "URL", Hint: "All earlier values are sent as JSON in a POST request."},
		{
			Name: "headers", Kind: FieldHeaders, Label: "Headers", Optional: true, Secret: true, Public: publicHeaders,
			Hint: "Values are never shown again. ${NAME} stands for an environment variable of the workspace.",
		},
		{Name: "timeout", Kind: FieldNumber, Label: "Timeout in seconds", Optional: true, Hint: "Defaults to 30."},
	},
	SeesAll: true,
	read:    readEndpoint,
}

// publicHeaders are the headers that never contain credentials.
var publicHeaders = []string{
	"Accept", "Accept-Charset", "Accept-Encoding", "Accept-Language", "Cache-Control", "Content-Encoding", "Content-Language", "Content-Type",
	"Pragma", "Prefer", "User-Agent",
}

// readEndpoint reads ENDPOINT: the response of another server to all values.
func readEndpoint(c *settings) runner {
	address := c.address("url")
	headers := readHeaders(c)
	timeout := time.Duration(c.seconds(endpointSeconds, maxEndpointSeconds, "timeout") * float64(time.Second))
	return func(ctx context.Context, env *Env) (jsontree.Value, error) {
		body, err := objectOf(env.all())
		if err != nil {
			return body, err
		}
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		secrets := &opener{env: env}
		request, err := secrets.request(ctx, address, headers)
		if err != nil {
			return jsontree.Value{}, err
		}
		request.Body = body.Raw()
		reply, err := post(ctx, env, request)
		if err != nil {
			return jsontree.Value{}, err
		}
		return answer(reply, secrets)
	}
}

// request returns a request without a body.
func (o *opener) request(ctx context.Context, address credential, headers map[string]credential) (request HTTPRequest, err error) {
	if request.URL, err = o.address(ctx, address); err != nil {
		return request, err
	}
	request.Header = textproto.MIMEHeader{"Content-Type": {"application/json"}}
	for name, one := range headers {
		value, err := o.header(ctx, one)
		if err != nil {
			return request, err
		}
		request.Header.Set(name, value)
	}
	return request, nil
}

// address returns an absolute http or https URL, which can be sealed or in an
// environment variable.
func (c *settings) address(name string) credential {
	v, key := c.get(name)
	if IsSealed(v) {
		return readCredential(v)
	}
	text := c.text(name)
	before, _, isReference := reference(text)
	if text != "" && text != Hidden && !isAddress(text) && (!isReference || before != "") {
		c.reportAt(key, fault.Rulef("value_error", "Input should be an http or https URL"))
	}
	return credential{text: text}
}

// readHeaders returns the headers by canonical name; of several with one name
// the last counts.
func readHeaders(c *settings) map[string]credential {
	given := c.optional(jsontree.Object, "headers")
	if given.Len() > maxHeaders {
		c.reportAt("headers", fault.MaxMembers(maxHeaders, given.Len()))
	}
	headers := make(map[string]credential, given.Len())
	for name, v := range given.Members() {
		if !v.Given() {
			continue
		}
		one := readCredential(v)
		isText := v.Kind() != jsontree.Array && v.Kind() != jsontree.Object || one.sealed != ""
		if !isText || !isHeader(name, one.text) {
			c.fail("'headers' has an invalid header: '%s'", shorten(name))
			return nil
		}
		headers[textproto.CanonicalMIMEHeaderKey(name)] = one
	}
	return headers
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
func answer(reply *HTTPReply, secrets *opener) (jsontree.Value, error) {
	body, err := readBody(reply)
	if err != nil {
		return jsontree.Value{}, err
	}
	body = secrets.redact(body)
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
