package workbench_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// listen returns a server and how many requests have reached it.
func listen(t *testing.T, handler http.HandlerFunc) (*httptest.Server, *atomic.Int64) {
	t.Helper()
	count := &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		count.Add(1)
		handler(w, r)
	}))
	t.Cleanup(server.Close)
	return server, count
}

func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	_, _ = io.WriteString(w, `{"token":"`+r.Header.Get("X-Token")+`","body":`+string(body)+`}`)
}

func TestEndpoint(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	server, _ := listen(t, echo)
	got := w.value(w.home, "ENDPOINT", `{"url":`+quoted(server.URL)+`,"headers":{"X-Token":"abc"}}`, `{"a":1}`)
	check.Equal(t, "value", got, `{"token":"abc","body":{"a":1}}`)
	server.Close()
	_, err := w.run(w.home, "ENDPOINT", `{"url":`+quoted(server.URL)+`}`, `{}`)
	if failure := faultOf(t, err); err.Error() != "the server could not be reached" {
		t.Errorf("failed with %v, %v", failure.Message, err)
	}
}

// TestCredentialsOfVariables uses environment variables of two workspaces.
func TestCredentialsOfVariables(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	server, count := listen(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, map[string]string{"Bearer value-of-home": `"home"`, "Bearer value-of-away": `"away"`}[r.Header.Get("Authorization")])
	})
	config := `{"url":` + quoted(server.URL) + `,"headers":{"Authorization":"Bearer ${TOKEN}"}}`
	w.set(w.home, "TOKEN", "value-of-home")
	check.Equal(t, "home", w.value(w.home, "ENDPOINT", config, `{}`), `"home"`)
	_, err := w.run(w.away, "ENDPOINT", config, `{}`)
	check.Refused(t, err, fault.BadRequest, "the environment variable TOKEN is not set")
	check.Equal(t, "calls", count.Load(), 1)
	w.set(w.away, "TOKEN", "value-of-away")
	check.Equal(t, "away", w.value(w.away, "ENDPOINT", config, `{}`), `"away"`)
}

func TestEndpointsThatMayNotBeReached(t *testing.T) {
	t.Parallel()
	closed, open := newWorld(t, settings{closed: true}), newWorld(t, settings{})
	server, count := listen(t, echo)
	port := server.URL[strings.LastIndexByte(server.URL, ':'):]
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "0.0.0.0", "127.1"} {
		_, err := closed.run(closed.home, "ENDPOINT", `{"url":"http://`+host+port+`/"}`, `{}`)
		if failure := faultOf(t, err); !strings.Contains(failure.Message, "not a") {
			t.Errorf("%s: failed with %q", host, failure.Message)
		}
	}
	elsewhere, _ := listen(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "http://127.0.0.2"+port+"/", http.StatusTemporaryRedirect)
	})
	_, err := open.run(open.home, "ENDPOINT", `{"url":`+quoted(elsewhere.URL)+`}`, `{}`)
	if failure := faultOf(t, err); !strings.Contains(failure.Message, "redirects to an address that cannot be called") {
		t.Errorf("failed with %q", failure.Message)
	}
	check.Equal(t, "requests", count.Load(), int64(0))
}

func TestEndpointsThatTakeTooLong(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	server, _ := listen(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // a server sees that its client left only when it waits for more
		<-r.Context().Done()
	})
	_, err := w.run(w.home, "ENDPOINT", `{"url":`+quoted(server.URL)+`,"timeout":0.05}`, `{}`)
	if failure := faultOf(t, err); !strings.Contains(failure.Message, "did not respond in time") {
		t.Errorf("failed with %q", failure.Message)
	}
}

// TestAnswersAreReadAsTheyCome calls an MCP server that never ends its answers.
func TestAnswersAreReadAsTheyCome(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	server, _ := listen(t, func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		message := check.JSON(string(text))
		if !message.Get("id").Given() {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"jsonrpc":"2.0","id":`+string(message.Get("id").Raw())+`,"result":{"content":[{"type":"text","text":"done"}]}}`+"\n\n")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		<-r.Context().Done()
	})
	check.Equal(t, "value", w.value(w.home, "MCP", `{"server_url":`+quoted(server.URL)+`,"tool_name":"work"}`, `{}`), `"done"`)
}
