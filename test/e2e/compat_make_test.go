package e2e

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

// makeFixture fills a data folder per engine with the steps of make.http, packs
// it, and records the responses to the steps of read.http.
func makeFixture(t *testing.T, fixture string) {
	t.Helper()
	for _, engine := range engines {
		folder := filepath.Join(fixture, engine)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatalf("the fixture already exists; never regenerate it: %v", err)
		}
		saved := fillFixture(t, fixture, engine)
		p := newPlayer(openFixture(t, folder))
		p.saved = saved
		var answers strings.Builder
		for _, s := range readScript(t, filepath.Join(fixture, "read.http")) {
			s = p.resolve(t, s)
			p.play(t, s)
			answers.WriteString(s.String())
		}
		p.program.stop()
		compress(t, filepath.Join(folder, "answers.http.gz"), []byte(answers.String()))
	}
}

// fillFixture creates the data of a fixture and returns the values that its
// steps saved.
func fillFixture(t *testing.T, fixture, engine string) map[string]string {
	t.Helper()
	model := httptest.NewServer(http.HandlerFunc(answerAsModel))
	defer model.Close()
	s := setup{data: t.TempDir(), args: []string{"--allow-targets", "127.0.0.1"}, env: []string{"OPENAI_BASE_URL=" + model.URL + "/v1"}}
	if engine == "postgres" {
		s.catalog = pgtest.Start(t)
	}
	p := newPlayer(s)
	printed := s.run(t, "demo", "--n", "60", "--end", "2026-01-31T00:00:00Z").must(t)
	p.saved["link"] = printedLink.FindStringSubmatch(printed)[2]
	p.saved["admin"] = strings.TrimSpace(s.run(t, "key", "create", "--name", "compat admin", "--role", "Admin").must(t))
	p.saved["owner"] = strings.TrimSpace(s.run(t, "key", "create", "--name", "compat owner", "--role", "Owner").must(t))
	p.write(t, readScript(t, filepath.Join(fixture, "make.http")))
	p.program.stop()
	if engine == "postgres" {
		compress(t, filepath.Join(fixture, engine, "catalog.sql.gz"), dump(t, s.catalog))
	}
	pack(t, s.data, filepath.Join(fixture, engine, "data.tar.gz"))
	return p.saved
}

// answerAsModel responds like OpenAI, always with the same answer.
func answerAsModel(w http.ResponseWriter, r *http.Request) {
	question, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	if strings.Contains(string(question), "please fail") {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error": {"message": "no such model", "type": "invalid_request_error"}}`)
		return
	}
	if !strings.Contains(string(question), `"stream":true`) {
		_, _ = io.WriteString(w, `{"id": "c1", "object": "chat.completion", "model": "gpt-4o-2024-08-06", "choices": [{"index": 0, "finish_reason": "stop", `+
			`"message": {"role": "assistant", "content": "The answer is 42."}}], "usage": {"prompt_tokens": 11, "completion_tokens": 6, "total_tokens": 17}}`)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, word := range []string{"The ", "answer ", "is ", "42."} {
		_, _ = fmt.Fprintf(w, `data: {"id": "c1", "object": "chat.completion.chunk", "model": "gpt-4o", "choices": [{"index": 0, "delta": {"content": %q}}]}`+"\n\n", word)
	}
	_, _ = io.WriteString(w, `data: {"id": "c1", "object": "chat.completion.chunk", "model": "gpt-4o", "choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 6}}`+
		"\n\ndata: [DONE]\n\n")
}
