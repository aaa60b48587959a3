package workbench_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// provider speaks as OpenAI and as Anthropic do. Unless a test says otherwise
// it repeats what the user said last.
type provider struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	// status and reply, when set, are what every call is answered with.
	status int
	reply  string
	// turns are what the next calls are answered with, one after the other.
	turns []string
	// before, when set, is called with a request before it is answered.
	before func(*http.Request)
}

// request is what the provider was sent.
type request struct {
	path, key string
	body      jsontree.Value
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	p := &provider{}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

func (p *provider) serve(w http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	body, _ := jsontree.Parse(text)
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
	p.mu.Lock()
	p.requests = append(p.requests, request{r.URL.Path, key, body})
	status, reply, before := p.status, p.reply, p.before
	if len(p.turns) > 0 {
		reply, p.turns = p.turns[0], p.turns[1:]
	}
	p.mu.Unlock()
	if before != nil {
		before(r)
	}
	w.Header().Set("Content-Type", "application/json")
	if status != 0 {
		w.WriteHeader(status)
	}
	if reply == "" {
		reply = answer(r.URL.Path, body)
	}
	_, _ = io.WriteString(w, reply)
}

// answers sets what every call is answered with.
func (p *provider) answers(status int, reply string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.reply = status, reply
}

func (p *provider) got() []request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

// only returns the one request that was made.
func (p *provider) only(t *testing.T) request {
	t.Helper()
	got := p.got()
	if len(got) != 1 {
		t.Fatalf("%d requests were made, want 1", len(got))
	}
	return got[0]
}

// answer repeats what was said last. Of texts to embed it counts the letters a
// and b.
func answer(path string, body jsontree.Value) string {
	switch path {
	case "/v1/embeddings":
		list := []string{}
		for i, text := range body.Get("input").Elems() {
			list = append(list, fmt.Sprintf(`{"index":%d,"embedding":[%d,%d]}`, i,
				strings.Count(text.Str(), "a"), strings.Count(text.Str(), "b")))
		}
		return `{"data":[` + strings.Join(list, ",") + `]}`
	case "/v1/messages":
		return `{"role":"assistant","content":[{"type":"text","text":` + quoted(last(body)) + `}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":3}}`
	default:
		return chatAnswer(quoted(last(body)))
	}
}

// chatAnswer is an answer of OpenAI's with a content, which is JSON.
func chatAnswer(content string) string {
	return `{"id":"c1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":` + content +
		`}}],"usage":{"prompt_tokens":1000,"completion_tokens":500,"total_tokens":1500}}`
}

// last returns the text of the last message.
func last(body jsontree.Value) string {
	text := ""
	for _, message := range body.Get("messages").Elems() {
		content := message.Get("content")
		text = content.Str()
		for _, part := range content.Elems() {
			text = part.Get("text").Str()
		}
	}
	return text
}
