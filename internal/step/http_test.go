package step_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// serve starts a server for the duration of the test.
func serve(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server.URL
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	address := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.URL.Path {
		case "/echo":
			fmt.Fprintf(w, `{"method":%q,"type":%q,"x":%q,"body":%s}`, r.Method, r.Header.Get("Content-Type"), r.Header.Get("X-Token"), body)
		case "/text":
			fmt.Fprint(w, "plain")
		case "/empty":
			w.WriteHeader(http.StatusNoContent)
		case "/large":
			for range 17 {
				_, _ = w.Write(make([]byte, 1<<20))
			}
		case "/slow":
			<-r.Context().Done()
		default:
			http.Error(w, "no such thing", http.StatusNotFound)
		}
	})
	const values = `{"a":1.50,"b":null}`
	at := func(path string) string { return `{"url":"` + address + path + `"}` }
	runExamples(t, "ENDPOINT", newWorld(t).env(), []example{
		{name: "values", config: at("/echo"), values: values, want: `{"method":"POST","type":"application/json","x":"","body":{"a":1.50,"b":null}}`},
		{name: "headers", config: `{"url":"` + address + `/echo","headers":{"x-token":"t","content-type":"application/x","X-None":null},"timeout":null}`, values: `{}`,
			want: `{"method":"POST","type":"application/x","x":"t","body":{}}`},
		{name: "text", config: at("/text"), values: values, want: `"plain"`},
		{name: "nothing", config: at("/empty"), values: values, want: `""`},
		{name: "refused", config: at("/other"), values: values, fails: "the server answered with status 404: no such thing"},
		{name: "too large", config: at("/large"), values: values, fails: "larger than 16 MiB"},
		{name: "too slow", config: `{"url":"` + address + `/slow","timeout":0.05}`, values: values, fails: "did not respond in time"},
		{name: "no address", config: `{}`, refused: "url: Field required"},
		{name: "file", config: `{"url":"file:///etc/passwd"}`, refused: "url: Input should be an http or https URL"},
		{name: "no host", config: `{"url":"http:///x"}`, refused: "url: Input should be an http or https URL"},
		{name: "broken", config: `{"url":"http://[::1"}`, refused: "url: Input should be an http or https URL"},
		{name: "header with a line", config: `{"url":"http://x","headers":{"A":"b\r\nC: d"}}`, refused: "invalid header: 'A'"},
		{name: "header with a blank", config: `{"url":"http://x","headers":{"A b":"c"}}`, refused: "invalid header: 'A b'"},
		{name: "header is an object", config: `{"url":"http://x","headers":{"A":{}}}`, refused: "invalid header: 'A'"},
		{name: "no time", config: `{"url":"http://x","timeout":0}`, refused: "timeout: Input should be greater than 0"},
		{name: "too much time", config: `{"url":"http://x","timeout":601}`, refused: "timeout: Input should be less than or equal to 600"},
	})
}

// mcpServer is a strict MCP server. Each of its tools responds in another way.
func mcpServer(t *testing.T) string {
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		message, err := jsontree.Parse(text)
		method := message.Get("method").Str()
		accept := r.Header.Get("Accept")
		switch {
		case err != nil || !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream"):
			http.Error(w, "bad message", http.StatusBadRequest)
		case r.Header.Get("Authorization") != "Bearer secret":
			http.Error(w, "who are you?", http.StatusUnauthorized)
		case method == "initialize":
			w.Header().Set("Mcp-Session-Id", "s1")
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-03-26","capabilities":{},"serverInfo":{}}}`, message.Get("id").Raw())
		case r.Header.Get("Mcp-Session-Id") != "s1" || r.Header.Get("Mcp-Protocol-Version") != "2025-03-26":
			http.Error(w, "no session", http.StatusBadRequest)
		case method == "notifications/initialized":
			w.WriteHeader(http.StatusAccepted)
		case method == "tools/call":
			callTool(w, r, message.Get("params"), string(message.Get("id").Raw()))
		default:
			http.Error(w, "unknown method", http.StatusBadRequest)
		}
	})
}

func callTool(w http.ResponseWriter, r *http.Request, params jsontree.Value, id string) {
	answer := func(result string) string { return `{"jsonrpc":"2.0","id":` + id + `,` + result + `}` }
	w.Header().Set("Content-Type", "application/json")
	switch params.Get("name").Str() {
	case "echo":
		fmt.Fprint(w, answer(`"result":{"content":[{"type":"text","text":"you said"},{"type":"text","text":`+quoted(string(params.Get("arguments").Raw()))+`}]}`))
	case "structured":
		fmt.Fprint(w, answer(`"result":{"content":[{"type":"text","text":"x"}],"structuredContent":{"a":1.50}}`))
	case "picture":
		fmt.Fprint(w, answer(`"result":{"content":[{"type":"image","data":"AA=="}]}`))
	case "fails":
		fmt.Fprint(w, answer(`"result":{"isError":true,"content":[{"type":"text","text":"out of paper"}]}`))
	case "stream":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, ": hello\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\n\n")
		fmt.Fprint(w, "data: {\"jsonrpc\":\"2.0\",\"id\":"+id+",\ndata: \"result\":{\"content\":[{\"type\":\"text\",\"text\":\"streamed\"}]}}\r\n\r\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done() // a stream may stay open
	case "empty stream":
		w.Header().Set("Content-Type", "text/event-stream")
	case "other":
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":"other","result":{}}`)
	default:
		fmt.Fprint(w, answer(`"error":{"code":-32602,"message":"Unknown tool"}`))
	}
}

func TestMCP(t *testing.T) {
	t.Parallel()
	address := mcpServer(t)
	call := func(tool string) string {
		return `{"server_url":"` + address + `","function_name":"` + tool + `","auth":"secret","input_mappings":{"x":"a","y":"missing"}}`
	}
	const values = `{"a":"v"}`
	runExamples(t, "MCP", newWorld(t).env(), []example{
		{name: "texts", config: call("echo"), values: values, want: quoted("you said\n" + `{"x":"v","y":null}`), sources: "a missing"},
		{name: "other spelling", config: `{"server_url":"` + address + `","tool_name":"echo","auth":{"type":"bearer","token":"secret"}}`, values: values, want: `"you said\u000a{}"`},
		{name: "structured", config: call("structured"), values: values, want: `{"a":1.50}`},
		{name: "not only text", config: call("picture"), values: values, want: `[{"type":"image","data":"AA=="}]`},
		{name: "stream", config: call("stream"), values: values, want: `"streamed"`},
		{name: "tool fails", config: call("fails"), values: values, fails: "the tool failed: out of paper"},
		{name: "empty stream", config: call("empty stream"), values: values, fails: "did not respond to the request"},
		{name: "answer to something else", config: call("other"), values: values, fails: "did not respond to the request"},
		{name: "unknown tool", config: call("nothing"), values: values, fails: "the MCP server refused: Unknown tool"},
		{name: "no token", config: `{"server_url":"` + address + `","tool_name":"echo"}`, values: values, fails: "status 401: who are you?"},
		{name: "server of a registry", config: `{"mcp_server_id":3,"tool_name":"echo"}`, values: values, fails: "there is no registry of MCP servers"},
		{name: "no server", config: `{"tool_name":"echo"}`, refused: "'mcp_server_id' or 'server_url' is required"},
		{name: "no tool", config: `{"mcp_server_id":3}`, refused: "tool_name: Field required"},
		{name: "token with a line", config: `{"mcp_server_id":3,"tool_name":"x","auth":"a\nb"}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "token is a number", config: `{"mcp_server_id":3,"tool_name":"x","auth":1}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "token of an object is a number", config: `{"mcp_server_id":3,"tool_name":"x","auth":{"token":1}}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "no text", config: `{"mcp_server_id":3,"tool_name":"x","auth":""}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "null is no token", config: `{"server_url":"` + address + `","tool_name":"echo","auth":null}`, values: values, fails: "status 401: who are you?"},
		{name: "no token in an object", config: `{"mcp_server_id":3,"tool_name":"x","auth":{"type":"basic","username":"u","password":"p"}}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "token is null", config: `{"mcp_server_id":3,"tool_name":"x","auth":{"token":null}}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "token is empty", config: `{"mcp_server_id":3,"tool_name":"x","auth":{"token":""}}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "list of tokens", config: `{"mcp_server_id":3,"tool_name":"x","auth":["a"]}`, refused: "auth: Input should be a token or an object with the member 'token'"},
		{name: "no address", config: `{"server_url":"stdio","tool_name":"x"}`, refused: "server_url: Input should be an http or https URL"},
	})
}

// TestInvalidResponses checks responses that violate the protocol.
func TestInvalidResponses(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing": "", "not JSON": "<html>", "no result": `{"jsonrpc":"2.0","id":1}`, "result is a list": `{"id":1,"result":[]}`, "array": `[1]`,
	} {
		address := serve(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
		env := newWorld(t).env()
		_, err := mustPrepare(t, "MCP", `{"server_url":"`+address+`","tool_name":"x"}`).Run(t.Context(), &env)
		if err == nil {
			t.Errorf("%s: no failure", name)
			continue
		}
		wantFault(t, err, "did not respond to the request")
	}
	env := step.Env{HTTP: poster{}}
	if _, err := mustPrepare(t, "ENDPOINT", `{"url":"http://127.0.0.1:1"}`).Run(t.Context(), &env); err == nil {
		t.Error("an unreachable server answered")
	}
}
