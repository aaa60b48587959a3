package api_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// model implements the APIs of OpenAI and Anthropic. By default it answers
// "Hello there" in two chunks.
type model struct {
	*httptest.Server
	mu   sync.Mutex
	seen []asked
	// answer, if set, replaces the default answer.
	answer func(w http.ResponseWriter, r *http.Request)
}

// asked is a request to the model.
type asked struct {
	key  string
	body jsontree.Value
}

// operatorKey is the operator's key for Anthropic.
const operatorKey = "key-of-the-operator"

// newPlayground returns the playground service of a world, with a model on
// loopback. The operator has set a key for Anthropic, and only an address for
// OpenAI.
func newPlayground(t *testing.T, w *world, prompts *prompt.Service, variables *envvar.Service, logs *requests.Service) *playground.Service {
	t.Helper()
	w.model = &model{}
	w.model.Server = httptest.NewServer(w.model)
	t.Cleanup(w.model.Close)
	environment := map[string]string{
		"ANTHROPIC_API_KEY": operatorKey, "ANTHROPIC_BASE_URL": w.model.URL, "OPENAI_BASE_URL": w.model.URL,
	}
	loopback, err := outbound.ParseAllowed("127.0.0.1")
	check.OK(t, err)
	return playground.NewService(playground.Options{Prompts: prompts, Logs: logs, Models: client.New(client.Options{
		Keys:    client.NewKeys(variables, func(name string) string { return environment[name] }),
		Guarded: outbound.New(outbound.Options{Allow: loopback}).HTTP(), Retries: -1, Now: w.clock.Now, Models: pricing.Models,
	})})
}

// ServeHTTP answers a call.
func (m *model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	body, _ := jsontree.Parse(text)
	m.mu.Lock()
	m.seen = append(m.seen, asked{strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key"), body})
	answer := m.answer
	m.mu.Unlock()
	w.Header().Set("Content-Type", "text/event-stream")
	switch {
	case answer != nil:
		answer(w, r)
	case strings.HasSuffix(r.URL.Path, "/messages"):
		_, _ = io.WriteString(w, anthropicStream)
	default:
		say(w, "Hello", " there")
		finish(w)
	}
}

// answers sets the answer of future calls.
func (m *model) answers(answer func(w http.ResponseWriter, r *http.Request)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = answer
}

func (m *model) calls() []asked {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.seen
}

// say sends and flushes chunks of an answer in OpenAI's format.
func say(w http.ResponseWriter, pieces ...string) {
	for _, piece := range pieces {
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
	}
	_ = http.NewResponseController(w).Flush()
}

// finish ends an answer with 1000 input and 500 output tokens.
func finish(w http.ResponseWriter) {
	_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n"+
		`data: {"choices":[],"usage":{"prompt_tokens":1000,"completion_tokens":500}}`+"\n\ndata: [DONE]\n\n")
}

const anthropicStream = `data: {"type":"message_start","message":{"role":"assistant","content":[],"usage":{"input_tokens":7,"output_tokens":1}}}

data: {"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}

data: {"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}

data: {"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Hello"}}

data: {"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":" there"}}

data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":3}}

data: {"type":"message_stop"}

`

// event is a server-sent event.
type event struct{ Name, Data string }

// trial is a playground call whose response is read event by event.
type trial struct {
	t      *testing.T
	answer *http.Response
	lines  *bufio.Scanner
	giveUp context.CancelFunc
}

// try starts a call and returns when the response has started.
func (w *world) try(t *testing.T, who, body string, headers ...string) *trial {
	t.Helper()
	ctx, giveUp := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(giveUp)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+runPlaygroundPath, strings.NewReader(body))
	check.OK(t, err)
	r.Header.Set("Content-Type", "application/json")
	if key := w.keys[who]; key != "" {
		r.Header.Set("X-API-KEY", key)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ": ")
		r.Header.Set(name, value)
	}
	answer, err := w.client.Do(r)
	check.OK(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	return &trial{t, answer, bufio.NewScanner(answer.Body), giveUp}
}

// next returns the next event, or the zero value at the end.
func (c *trial) next() event {
	c.t.Helper()
	var e event
	for c.lines.Scan() {
		name, value, _ := strings.Cut(c.lines.Text(), ": ")
		switch {
		case name == "event":
			e.Name = value
		case name == "data":
			e.Data = value
		case name == "" && value == "" && e != event{}:
			return e
		}
	}
	check.OK(c.t, c.lines.Err())
	return e
}

// rest returns all remaining events.
func (c *trial) rest() []event {
	c.t.Helper()
	if c.answer.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(c.answer.Body)
		c.t.Fatalf("the call is answered with %d %s", c.answer.StatusCode, text)
	}
	var list []event
	for e := c.next(); e != (event{}); e = c.next() {
		list = append(list, e)
	}
	return list
}
