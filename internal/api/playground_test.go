package api_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// openAITrial is a request to OpenAI.
const openAITrial = `{"prompt_template":{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Hi {x}"}]}]},` +
	`"metadata":{"model":{"provider":"openai","name":"gpt-4o-mini","parameters":{"temperature":0.50}}},"input_variables":{"x":"Ann","unused":1}`

// setKey sets the OpenAI key of a workspace.
func (w *world) setKey(t *testing.T, who, value string) {
	t.Helper()
	w.must(t, http.StatusCreated, who, http.MethodPost, envVarsPath, fmt.Sprintf(`{"key":"OPENAI_API_KEY","value":%q}`, value))
}

// lastLog returns the newest log of a workspace.
func (w *world) lastLog(t *testing.T, who string) map[string]any {
	t.Helper()
	found := w.must(t, http.StatusOK, who, http.MethodPost, searchPath, `{"per_page":1}`)
	return found["items"].([]any)[0].(map[string]any)
}

func picked(object map[string]any, keys ...string) map[string]any {
	some := map[string]any{}
	for _, key := range keys {
		some[key] = object[key]
	}
	return some
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// TestPlaygroundFromKeyToLog sets a key, checks that the provider is
// configured, and reads each chunk of an answer before the model sends the
// next one.
func TestPlaygroundFromKeyToLog(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusBadRequest, runPlaygroundPath, openAITrial+"}")
	same(t, "provider", w.provider(t, "home", "openai")["configured"], false)
	w.setKey(t, "home", "key-of-home")
	same(t, "provider", picked(w.provider(t, "home", "openai"), "configured", "source"), map[string]any{"configured": true, "source": "workspace"})
	same(t, "provider of another", w.provider(t, "away", "openai")["configured"], false)
	w.post(t, http.StatusCreated, "/rest/prompt-templates", publishBody("greet", ""))

	heard := make(chan bool)
	w.model.answers(func(rw http.ResponseWriter, _ *http.Request) {
		for _, piece := range []string{"Hel", "lo <b>\n", "there"} {
			say(rw, piece)
			<-heard
		}
		finish(rw)
	})
	call := w.try(t, "home", openAITrial+`,"prompt_name":"greet","prompt_version":1}`)
	for name, want := range map[string]string{"Content-Type": "text/event-stream", "Cache-Control": "no-store", "X-Accel-Buffering": "no"} {
		same(t, name, call.answer.Header.Get(name), want)
	}
	for _, piece := range []string{`{"text":"Hel"}`, `{"text":"lo <b>\n"}`, `{"text":"there"}`} {
		same(t, "piece", call.next(), event{"delta", piece})
		heard <- true
	}
	end := call.rest()
	same(t, "events at the end", len(end), 1)
	same(t, "end", end[0], event{"done", `{"request_id":700001,"provider":"openai","model":"gpt-4o-mini","output":` + outputOf(t, end[0]) +
		`,"input_tokens":1000,"output_tokens":500,"price":0.00045,"latency_ms":0,"finish_reason":"stop","warning":null}`})
	same(t, "answer", said(t, end[0]), []string{"assistant: Hello <b>\nthere"})
	w.checkGreeting(t)
}

func outputOf(t *testing.T, e event) string {
	t.Helper()
	tree, err := jsontree.Parse([]byte(e.Data))
	check.OK(t, err)
	return string(tree.Get("output").Raw())
}

// said returns the role and the text in the output of an event.
func said(t *testing.T, e event) []string {
	t.Helper()
	output, err := jsontree.Parse([]byte(outputOf(t, e)))
	check.OK(t, err)
	var lines []string
	for _, message := range output.Get("messages").Elems() {
		for _, item := range message.Get("content").Elems() {
			lines = append(lines, message.Get("role").Str()+": "+item.Get("text").Str())
		}
	}
	return lines
}

func (w *world) checkGreeting(t *testing.T) {
	t.Helper()
	calls := w.model.calls()
	same(t, "calls and key", []string{fmt.Sprint(len(calls)), calls[0].key}, []string{"1", "key-of-home"})
	same(t, "temperature", string(calls[0].body.Get("temperature").Raw()), "0.50")
	same(t, "messages", string(calls[0].body.Get("messages").Raw()), `[{"role":"user","content":[{"type":"text","text":"Hi Ann"}]}]`)
	same(t, "log", picked(w.lastLog(t, "home"), "id", "status", "source", "api_key_id", "tags_array", "engine", "price", "prompt_version_number"), map[string]any{
		"id": float64(firstID), "status": "SUCCESS", "source": "playground", "api_key_id": 1.0, "tags_array": []any{"playground"}, "engine": "gpt-4o-mini", "price": 0.00045,
		"prompt_version_number": 1.0,
	})
	for what, condition := range map[string]string{
		"source": leaf("source", "is", `"playground"`, ""),
		"tag":    leaf("tags", "in", `["playground"]`, ""), "variable": leaf("input_variables", "key_equals", `"Ann"`, "x"),
	} {
		same(t, "ids by "+what, w.searchIDs(t, "home", filtered(condition)), []int64{firstID})
	}
	same(t, "logs of another", w.total(t, "away"), int64(0))
}

// provider returns a provider from the list.
func (w *world) provider(t *testing.T, who, name string) map[string]any {
	t.Helper()
	list := w.must(t, http.StatusOK, who, http.MethodGet, providersPath, "")
	for _, item := range list["providers"].([]any) {
		if one := item.(map[string]any); one["name"] == name {
			return one
		}
	}
	t.Fatalf("%s is not listed", name)
	return nil
}

func TestPlaygroundWithSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	token := w.signUp(t, "ann@y.test", home, access.Contributor)
	call := w.try(t, "nobody", trialSample+`}`, cookieOf(token), csrfOf(token))
	got := call.rest()
	same(t, "pieces", got[:3], []event{{"delta", `{"thinking":"Hm."}`}, {"delta", `{"text":"Hello"}`}, {"delta", `{"text":" there"}`}})
	same(t, "last event warns of what is missing", strings.Contains(got[3].Data, `"warning":"Some input variables are missing: (`+"`x`"), true)
	same(t, "key", w.model.calls()[0].key, operatorKey)
	forged := w.try(t, "nobody", trialSample+`}`, cookieOf(token))
	same(t, "status without the token of the page", forged.answer.StatusCode, http.StatusForbidden)
	same(t, "calls", len(w.model.calls()), 1)
}

// TestPlaygroundFailures covers calls that fail at the provider.
func TestPlaygroundFailures(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		answer func(w http.ResponseWriter, r *http.Request)
		want   []event
	}{
		"refused": {
			answer: func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(http.StatusUnauthorized)
				_, _ = io.WriteString(w, `{"error":{"message":"the key key-of-home is wrong","code":"invalid_api_key"}}`)
			},
			want: []event{{"error", `{"message":"The provider answered with status 401: the key [redacted] is wrong","error_type":"PROVIDER_AUTH_ERROR","request_id":700001}`}},
		},
		"an error after the first piece": {
			answer: func(w http.ResponseWriter, _ *http.Request) {
				say(w, "Hel")
				_, _ = io.WriteString(w, "data: {\"error\":{\"message\":\"out of breath\"}}\n\n")
			},
			want: []event{
				{"delta", `{"text":"Hel"}`},
				{"error", `{"message":"The provider answered: out of breath","error_type":"PROVIDER_ERROR","request_id":700001}`},
			},
		},
		"broken off": {
			answer: func(w http.ResponseWriter, _ *http.Request) { say(w, "Hel") },
			want: []event{
				{"delta", `{"text":"Hel"}`},
				{"error", `{"message":"The provider's answer was interrupted","error_type":"PROVIDER_ERROR","request_id":700001}`},
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.setKey(t, "home", "key-of-home")
			w.model.answers(test.answer)
			same(t, "events", w.try(t, "home", openAITrial+"}").rest(), test.want)
			var failure struct {
				Message string
				Type    string `json:"error_type"`
			}
			check.OK(t, json.Unmarshal([]byte(test.want[len(test.want)-1].Data), &failure))
			same(t, "log", picked(w.lastLog(t, "home"), "status", "error_type", "error_message", "tags_array"), map[string]any{
				"status": "ERROR", "error_type": failure.Type, "error_message": failure.Message, "tags_array": []any{"playground"},
			})
		})
	}
}

// TestPlaygroundClientDisconnects cancels a call in the middle of the answer:
// the model notices, and the call is logged.
func TestPlaygroundClientDisconnects(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.setKey(t, "home", "key-of-home")
	noticed := make(chan struct{})
	w.model.answers(func(rw http.ResponseWriter, r *http.Request) {
		say(rw, "Hel")
		<-r.Context().Done()
		close(noticed)
	})
	call := w.try(t, "home", openAITrial+"}")
	same(t, "piece", call.next(), event{"delta", `{"text":"Hel"}`})
	call.giveUp()
	select {
	case <-noticed:
	case <-time.After(20 * time.Second):
		t.Fatal("the model was not interrupted")
	}
	for end := time.Now().Add(20 * time.Second); w.total(t, "home") == 0; {
		if time.Now().After(end) {
			t.Fatal("the call is not logged")
		}
	}
	same(t, "log", picked(w.lastLog(t, "home"), "status", "error_type", "error_message"),
		map[string]any{"status": "ERROR", "error_type": "UNKNOWN_ERROR", "error_message": "The call was cancelled"})
}

// TestPlaygroundConcurrencyLimit uses all slots of a workspace.
func TestPlaygroundConcurrencyLimit(t *testing.T) {
	t.Parallel()
	const most = 8
	w := newWorld(t, settings{})
	w.setKey(t, "home", "key-of-home")
	w.setKey(t, "away", "key-of-away")
	end := make(chan struct{})
	w.model.answers(func(rw http.ResponseWriter, _ *http.Request) {
		say(rw, "Hello")
		<-end
		finish(rw)
	})
	var calls []*trial
	for range most {
		calls = append(calls, w.try(t, "home", openAITrial+"}"))
	}
	refused := w.try(t, "home", openAITrial+"}")
	same(t, "status of one more", refused.answer.StatusCode, http.StatusTooManyRequests)
	same(t, "when to come back", refused.answer.Header.Get("Retry-After"), "1")
	calls = append(calls, w.try(t, "away", openAITrial+"}"))
	close(end)
	for _, call := range calls {
		got := call.rest()
		same(t, "last event", got[len(got)-1].Name, "done")
	}
	same(t, "last event", w.try(t, "home", openAITrial+"}").rest()[1].Name, "done")
	same(t, "logs", []int64{w.total(t, "home"), w.total(t, "away")}, []int64{most + 1, 1})
}

// TestPlaygroundProviderOfTheWorkspace calls a server whose address is set in
// the workspace, without a key, through an API that does not stream.
func TestPlaygroundProviderOfTheWorkspace(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, envVarsPath, fmt.Sprintf(`{"key":"VLLM_BASE_URL","value":%q}`, w.model.URL))
	same(t, "provider", picked(w.provider(t, "home", "vllm"), "configured", "source"), map[string]any{"configured": true, "source": "workspace"})
	w.model.answers(func(rw http.ResponseWriter, _ *http.Request) {
		rw.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(rw, `{"choices":[{"index":0,"text":"Hello there","finish_reason":"stop"}],"usage":{"prompt_tokens":2,"completion_tokens":2}}`)
	})
	body := `{"prompt_template":{"type":"completion","content":[{"type":"text","text":"Hi {{ x }}"}],"template_format":"jinja2"},` +
		`"metadata":{"model":{"provider":"vllm","name":"small"}},"input_variables":{"x":"Ann"}}`
	got := w.try(t, "home", body).rest()
	same(t, "events", []event{got[0], {Name: got[1].Name}}, []event{{"delta", `{"text":"Hello there"}`}, {Name: "done"}})
	same(t, "unknown price", strings.Contains(got[1].Data, `"price":null`), true)
	same(t, "prompt", w.model.calls()[0].body.Get("prompt").Str(), "Hi Ann")
	w.must(t, http.StatusBadRequest, "away", http.MethodPost, runPlaygroundPath, body)
}
