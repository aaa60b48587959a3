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

const mcpVersion = "2025-06-18"

// mcpSession talks JSON-RPC to an MCP server, one message per POST.
type mcpSession struct {
	env            *Env
	address, token string
	// id and version are what the server chose when it was greeted.
	id, version string
	requests    int
}

// call greets the server and calls a tool.
func (s *mcpSession) call(ctx context.Context, tool string, arguments jsontree.Value) (jsontree.Value, error) {
	greeting, err := s.request(ctx, "initialize",
		[]byte(`{"protocolVersion":"`+mcpVersion+`","capabilities":{},"clientInfo":{"name":"promptuary","version":"1"}}`))
	if err != nil {
		return greeting, err
	}
	if version := greeting.Get("protocolVersion").Str(); isHeader("Mcp-Protocol-Version", version) {
		s.version = version
	}
	if err := s.notify(ctx, "notifications/initialized"); err != nil {
		return jsontree.Value{}, err
	}
	params := jsontree.AppendQuoted([]byte(`{"name":`), tool)
	params = append(append(append(params, `,"arguments":`...), arguments.Raw()...), '}')
	result, err := s.request(ctx, "tools/call", params)
	if err != nil {
		return result, err
	}
	return toolResult(result)
}

// toolResult returns what a tool said: its structured result, else its texts,
// else all its content.
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

// notify sends a message that has no answer.
func (s *mcpSession) notify(ctx context.Context, method string) error {
	reply, err := s.send(ctx, []byte(`{"jsonrpc":"2.0","method":"`+method+`"}`))
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

// request sends a message and returns the result in its answer.
func (s *mcpSession) request(ctx context.Context, method string, params []byte) (jsontree.Value, error) {
	s.requests++
	id := strconv.Itoa(s.requests)
	message := append([]byte(`{"jsonrpc":"2.0","id":`+id+`,"method":"`+method+`","params":`), params...)
	reply, err := s.send(ctx, append(message, '}'))
	if err != nil {
		return jsontree.Value{}, err
	}
	if reply.Body == nil {
		return jsontree.Value{}, failf("the MCP server gave no answer")
	}
	defer func() { _ = reply.Body.Close() }()
	if reply.Status < 200 || reply.Status > 299 {
		body, _ := io.ReadAll(io.LimitReader(reply.Body, 400))
		return jsontree.Value{}, refusal(reply.Status, body)
	}
	if session := reply.Header.Get("Mcp-Session-Id"); session != "" {
		s.id = session
	}
	return readResult(reply, id)
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

// readResult finds the answer to a request in a reply, which is one message or
// a stream of them. A stream is not read further than the answer, because the
// server may keep it open.
func readResult(reply *HTTPReply, id string) (jsontree.Value, error) {
	body := io.LimitReader(reply.Body, maxOutput+1)
	media, _, _ := mime.ParseMediaType(reply.Header.Get("Content-Type"))
	if media != "text/event-stream" {
		text, err := io.ReadAll(body)
		if err != nil {
			return jsontree.Value{}, fault.Wrap(fault.BadRequest, err, "the MCP server's answer broke off")
		}
		if result, ok, err := resultOf(text, id); ok {
			return result, err
		}
		return jsontree.Value{}, failf("the MCP server gave no answer to the request")
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
		if result, ok, err := resultOf(data, id); ok {
			return result, err
		}
		data = nil // what was found may refer to it
	}
	if result, ok, err := resultOf(data, id); ok {
		return result, err
	}
	return jsontree.Value{}, fault.Wrap(fault.BadRequest, lines.Err(), "the MCP server gave no answer to the request")
}

// resultOf returns the result, or the failure, that a message holds, and
// whether it is the answer to the request.
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
