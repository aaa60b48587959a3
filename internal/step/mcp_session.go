package step

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"mime"
	"net/textproto"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

var initializeParams = jsontree.MustParse(`{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"promptuary","version":"1"}}`)

// mcpSession talks JSON-RPC to an MCP server, one message per POST.
type mcpSession struct {
	env            *Env
	secrets        opener
	address, token string
	// id and version are chosen by the server in its first response.
	id, version string
	requests    int64
}

// open sets the address and the token.
func (s *mcpSession) open(ctx context.Context, address, token credential) (err error) {
	if s.address, err = s.secrets.address(ctx, address); err != nil {
		return err
	}
	s.token, err = s.secrets.header(ctx, token)
	return err
}

// call initializes the session and calls a tool.
func (s *mcpSession) call(ctx context.Context, tool string, arguments jsontree.Value) (jsontree.Value, error) {
	greeting, err := s.request(ctx, "initialize", func(w *jsontree.Writer) { w.Value(initializeParams) })
	if err != nil {
		return greeting, err
	}
	if version := greeting.Get("protocolVersion").Str(); isHeader("Mcp-Protocol-Version", version) {
		s.version = version
	}
	if err := s.notify(ctx, "notifications/initialized"); err != nil {
		return jsontree.Value{}, err
	}
	result, err := s.request(ctx, "tools/call", func(w *jsontree.Writer) {
		w.Object(func() {
			w.Key("name").String(tool)
			w.Key("arguments").Value(arguments)
		})
	})
	if err != nil {
		return result, err
	}
	return toolResult(result)
}

// toolResult returns the structured result of a tool, else its texts, else all
// of its content.
func toolResult(result jsontree.Value) (jsontree.Value, error) {
	content := result.Get("content")
	said, onlyText := []string{}, true
	for _, part := range content.Elems() {
		if part.Get("type").Str() != "text" {
			onlyText = false
			continue
		}
		said = append(said, part.Get("text").Str())
	}
	text := strings.Join(said, "\n")
	switch {
	case result.Get("isError").Bool():
		return jsontree.Value{}, failf("the tool failed: %s", shorten(text))
	case result.Get("structuredContent").Given():
		return result.Get("structuredContent"), nil
	case content.Given() && !onlyText:
		return content, nil
	default:
		return textValue(text)
	}
}

// notify sends a message that has no response.
func (s *mcpSession) notify(ctx context.Context, method string) error {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("jsonrpc").String("2.0")
		w.Key("method").String(method)
	})
	reply, err := s.send(ctx, w.Bytes())
	if err != nil {
		return err
	}
	if reply.Body != nil {
		_ = reply.Body.Close()
	}
	if reply.Status < 200 || reply.Status > 299 {
		return refusal(reply.Status, nil)
	}
	return nil
}

// request sends a message and returns the result in the response.
func (s *mcpSession) request(ctx context.Context, method string, params func(*jsontree.Writer)) (jsontree.Value, error) {
	s.requests++
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("jsonrpc").String("2.0")
		w.Key("id").Int(s.requests)
		w.Key("method").String(method)
		params(w.Key("params"))
	})
	reply, err := s.send(ctx, w.Bytes())
	if err != nil {
		return jsontree.Value{}, err
	}
	if reply.Body == nil {
		return jsontree.Value{}, failf("the MCP server gave no answer")
	}
	defer func() { _ = reply.Body.Close() }()
	if reply.Status < 200 || reply.Status > 299 {
		body, _ := io.ReadAll(io.LimitReader(reply.Body, 4096))
		return jsontree.Value{}, refusal(reply.Status, s.secrets.redact(body))
	}
	if session := reply.Header.Get("Mcp-Session-Id"); session != "" {
		s.id = session
	}
	return s.readResult(reply, strconv.FormatInt(s.requests, 10))
}

func (s *mcpSession) send(ctx context.Context, message []byte) (*HTTPReply, error) {
	header := textproto.MIMEHeader{}
	header.Set("Content-Type", "application/json")
	header.Set("Accept", "application/json, text/event-stream")
	if s.token != "" {
		header.Set("Authorization", "Bearer "+s.token)
	}
	if s.id != "" {
		header.Set("Mcp-Session-Id", s.id)
	}
	if s.version != "" {
		header.Set("Mcp-Protocol-Version", s.version)
	}
	return post(ctx, s.env, HTTPRequest{URL: s.address, Header: header, Body: message})
}

// readResult finds the result of a request in a reply, which is one message or
// a stream of them. It stops reading a stream at the result, because the server
// may keep it open.
func (s *mcpSession) readResult(reply *HTTPReply, id string) (jsontree.Value, error) {
	body := io.LimitReader(reply.Body, maxOutput+1)
	media, _, _ := mime.ParseMediaType(reply.Header.Get("Content-Type"))
	if media != "text/event-stream" {
		text, err := io.ReadAll(body)
		if err != nil {
			return jsontree.Value{}, fault.Wrap(fault.BadRequest, err, "the response of the MCP server was interrupted")
		}
		if result, ok, err := resultOf(s.secrets.redact(text), id); ok {
			return result, err
		}
		return jsontree.Value{}, failf("the MCP server did not respond to the request")
	}
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, maxOutput)
	var data []byte
	for lines.Scan() {
		line := lines.Bytes()
		if value, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(append(data, bytes.TrimPrefix(value, []byte(" "))...), '\n')
		}
		if len(line) > 0 {
			continue
		}
		if result, ok, err := resultOf(s.secrets.redact(data), id); ok {
			return result, err
		}
		data = nil // parsed values may refer to it
	}
	if result, ok, err := resultOf(s.secrets.redact(data), id); ok {
		return result, err
	}
	return jsontree.Value{}, fault.Wrap(fault.BadRequest, lines.Err(), "the MCP server did not respond to the request")
}

// resultOf returns the result or the error in a message, and whether it is the
// response to the request.
func resultOf(text []byte, id string) (result jsontree.Value, ok bool, err error) {
	message, parseErr := jsontree.Parse(text)
	if parseErr != nil || Text(message.Get("id")) != id {
		return result, false, nil //nolint:nilerr // some other message
	}
	if failure := message.Get("error"); failure.Given() {
		return result, true, failf("the MCP server refused: %s", shorten(failure.Get("message").Str()))
	}
	result = message.Get("result")
	return result, result.Kind() == jsontree.Object, nil
}
