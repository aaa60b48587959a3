package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// deletionStub is a server with three logs of ann. It records what it was sent.
type deletionStub struct {
	mu    sync.Mutex
	calls []string
	// end is the state in which deletions end.
	end string
}

func (s *deletionStub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	var sent map[string]any
	_ = json.Unmarshal(body, &sent)
	s.mu.Lock()
	defer s.mu.Unlock()
	text, _ := json.Marshal(sent)
	s.calls = append(s.calls, fmt.Sprintf("%s %s %s", r.Method, strings.TrimPrefix(r.URL.Path, "/api/public/v2"), text))
	switch {
	case r.Header.Get("X-API-KEY") != "secret":
		w.WriteHeader(http.StatusForbidden)
		_, _ = fmt.Fprint(w, `{"message":"Your role does not allow you to manage data"}`)
	case strings.HasSuffix(r.URL.Path, "/deletions/preview"):
		logs := 3
		if sent["user_id"] == "nobody" {
			logs = 0
		}
		_, _ = fmt.Fprintf(w, `{"success":true,"logs":%d,"traces":0}`, logs)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/deletions"):
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprint(w, `{"success":true,"deletion":{"id":7,"state":"running","progress":0.25,"ended_at":null}}`)
	case strings.HasSuffix(r.URL.Path, "/deletions/7"):
		_, _ = fmt.Fprintf(w, `{"success":true,"deletion":{"id":7,"state":%q,"progress":1,"ended_at":"2026-03-01T12:00:00Z"}}`, s.end)
	default: // rules of retention
		_, _ = fmt.Fprintf(w, `{"success":true,"days":30,"path":%q}`, r.URL.Path)
	}
}

// run runs a command with an answer to its question.
func (s *deletionStub) run(t *testing.T, answer string, args ...string) (out, messages string, err error) {
	t.Helper()
	server := httptest.NewServer(s)
	defer server.Close()
	var stdout, stderr bytes.Buffer
	root := newRootCommand()
	root.SetArgs(append(args, "--server", server.URL))
	root.SetIn(strings.NewReader(answer))
	root.SetOut(&stdout)
	root.SetErr(&stderr)
	err = root.ExecuteContext(t.Context())
	return stdout.String(), stderr.String(), err
}

func TestLogsDeleteCommand(t *testing.T) {
	t.Parallel()
	const certificate = `{"id":7,"state":"done","progress":1,"ended_at":"2026-03-01T12:00:00Z"}` + "\n"
	follow := []string{`GET /deletions/7 null`}
	tests := map[string]struct {
		args   []string
		answer string
		end    string
		// out is the output, and messages and fails are parts of the messages and of the
		// error.
		out, messages, fails string
		calls                []string
	}{
		"of a user, after a question": {
			args: []string{"--user", "ann"}, answer: "y\n", end: "done", out: certificate, messages: "3 request logs and 0 traces of the user will be deleted",
			calls: append([]string{`POST /deletions/preview {"texts_only":false,"user_id":"ann"}`, `POST /deletions {"expected":3,"texts_only":false,"user_id":"ann"}`}, follow...),
		},
		"texts by ids, without a question": {
			args: []string{"--ids", "4,5", "--texts-only", "--yes"}, end: "done", out: certificate, messages: "running 25 %",
			calls: append([]string{`POST /deletions/preview {"request_ids":[4,5],"texts_only":true}`, `POST /deletions {"expected":3,"request_ids":[4,5],"texts_only":true}`}, follow...),
		},
		"by a query": {
			args: []string{"--query", `{"q": "refund"}`, "--yes"}, end: "done", out: certificate,
			calls: append([]string{`POST /deletions/preview {"q":"refund","texts_only":false}`, `POST /deletions {"expected":3,"q":"refund","texts_only":false}`}, follow...),
		},
		"a metadata key": {
			args: []string{"--metadata-key", "customer.mail"}, answer: "y\n", end: "done", out: certificate, messages: "The metadata key customer.mail of 3 request logs will be deleted, and",
			calls: append([]string{`POST /deletions/preview {"metadata_key":"customer.mail","texts_only":false}`, `POST /deletions {"expected":3,"metadata_key":"customer.mail","texts_only":false}`}, follow...),
		},
		"a score with traces": {
			args: []string{"--score", "tone", "--traces", "--user", "ann"}, answer: "y\n", end: "done", out: certificate, messages: "The score tone of 3 request logs, and the traces of these request logs will be deleted",
			calls: append([]string{`POST /deletions/preview {"delete_traces":true,"score_name":"tone","texts_only":false,"user_id":"ann"}`, `POST /deletions {"delete_traces":true,"expected":3,"score_name":"tone","texts_only":false,"user_id":"ann"}`}, follow...),
		},
		"the answer is no": {
			args: []string{"--user", "ann"}, answer: "n\n", fails: "nothing was deleted", calls: []string{`POST /deletions/preview {"texts_only":false,"user_id":"ann"}`},
		},
		"there is no answer": {args: []string{"--user", "ann"}, fails: "nothing was deleted", calls: []string{`POST /deletions/preview {"texts_only":false,"user_id":"ann"}`}},
		"nothing matches": {
			args: []string{"--user", "nobody"}, messages: "No request log matches.", calls: []string{`POST /deletions/preview {"texts_only":false,"user_id":"nobody"}`},
		},
		"it fails": {
			args: []string{"--user", "ann", "--yes"}, end: "failed", out: strings.Replace(certificate, "done", "failed", 1), fails: "the deletion is failed",
			calls: append([]string{`POST /deletions/preview {"texts_only":false,"user_id":"ann"}`, `POST /deletions {"expected":3,"texts_only":false,"user_id":"ann"}`}, follow...),
		},
		"not JSON":  {args: []string{"--query", "{"}, fails: "option --query: "},
		"no object": {args: []string{"--query", "null"}, fails: "option --query: must be a JSON object"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &deletionStub{end: tt.end}
			out, messages, err := s.run(t, tt.answer, append([]string{"logs", "delete", "--key", "secret"}, tt.args...)...)
			if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("error = %v, want %q", err, tt.fails)
			}
			check.Equal(t, "output", out, tt.out)
			if !strings.Contains(messages, tt.messages) {
				t.Errorf("messages = %q, want %q", messages, tt.messages)
			}
			check.Equal(t, "calls", strings.Join(s.calls, "\n"), strings.Join(tt.calls, "\n"))
		})
	}
	s := &deletionStub{}
	if _, _, err := s.run(t, "", "logs", "delete", "--user", "ann", "--key", "other"); err == nil || !strings.Contains(err.Error(), "does not allow you to manage data") {
		t.Errorf("with another key: %v", err)
	}
}

func TestRetentionCommand(t *testing.T) {
	t.Parallel()
	const rules = `{"days":30,"text_days":7}`
	for name, tt := range map[string]struct {
		args        []string
		call, fails string
	}{
		"show":                 {nil, "GET /retention null", ""},
		"set":                  {[]string{"--set", rules}, "PUT /retention " + rules, ""},
		"preview":              {[]string{"--set", rules, "--preview"}, "POST /retention/preview " + rules, ""},
		"a preview of nothing": {[]string{"--preview"}, "", "option --preview needs --set"},
		"not JSON":             {[]string{"--set", "30 days"}, "", "the rules are not valid JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &deletionStub{}
			out, _, err := s.run(t, "", append([]string{"retention", "--key", "secret"}, tt.args...)...)
			if (err == nil) != (tt.fails == "") || err != nil && !strings.Contains(err.Error(), tt.fails) {
				t.Errorf("error = %v, want %q", err, tt.fails)
			}
			check.Equal(t, "calls", strings.Join(s.calls, "\n"), tt.call)
			if tt.fails == "" && !strings.HasPrefix(out, `{"success":true,"days":30`) {
				t.Errorf("output = %q", out)
			}
		})
	}
}
