package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

const workspace = 7

// secretKey is the default key of calls.
const secretKey = "key-that-must-stay-secret"

// reply is a response of a fake provider.
type reply struct {
	status int
	header map[string]string
	body   string
	// events makes the response a stream of these.
	events []string
}

// request is a request to a fake provider.
type request struct {
	path   string
	query  string
	header http.Header
	body   string
}

// standIn is a fake provider that returns its replies in order and then repeats
// the last.
type standIn struct {
	*httptest.Server
	mutex    sync.Mutex
	requests []request
}

func newStandIn(t *testing.T, replies ...reply) *standIn {
	t.Helper()
	s := &standIn{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		s.mutex.Lock()
		next := replies[min(len(s.requests), len(replies)-1)]
		s.requests = append(s.requests, request{r.URL.Path, r.URL.RawQuery, r.Header, string(body)})
		s.mutex.Unlock()
		next.write(w)
	}))
	t.Cleanup(s.Close)
	return s
}

func (r reply) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	if r.events != nil {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	for name, value := range r.header {
		w.Header().Set(name, value)
	}
	if r.status != 0 {
		w.WriteHeader(r.status)
	}
	_, _ = io.WriteString(w, r.body)
	for _, event := range r.events {
		_, _ = io.WriteString(w, "data: "+event+"\n\n")
	}
}

func (s *standIn) got() []request {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.requests
}

// only returns the only request.
func (s *standIn) only(t *testing.T) request {
	t.Helper()
	got := s.got()
	if len(got) != 1 {
		t.Fatalf("%d requests were made, want 1", len(got))
	}
	return got[0]
}

// keys are settings as Lookup returns them.
type keys map[string]client.Setting

func (k keys) Lookup(_ context.Context, id int64, names ...string) (map[string]client.Setting, error) {
	if id != workspace {
		return nil, errors.New("another workspace was asked for")
	}
	found := map[string]client.Setting{}
	for _, name := range names {
		if setting, ok := k[name]; ok {
			found[name] = setting
		}
	}
	return found, nil
}

func byOperator(value string) client.Setting { return client.Setting{Value: value, Operator: true} }

// operated returns settings of the operator for every provider at one URL.
func operated(address string) keys {
	return keys{
		"OPENAI_API_KEY": byOperator(secretKey), "OPENAI_BASE_URL": byOperator(address + "/v1"),
		"AZURE_OPENAI_API_KEY": byOperator(secretKey), "AZURE_OPENAI_ENDPOINT": byOperator(address),
		"ANTHROPIC_API_KEY": byOperator(secretKey), "ANTHROPIC_BASE_URL": byOperator(address),
		"GEMINI_API_KEY": byOperator(secretKey), "GOOGLE_GEMINI_BASE_URL": byOperator(address),
		"VERTEXAI_API_KEY": byOperator(secretKey), "GOOGLE_VERTEX_BASE_URL": byOperator(address),
		"MISTRAL_API_KEY": byOperator(secretKey), "MISTRAL_BASE_URL": byOperator(address + "/v1"),
		"OLLAMA_BASE_URL": byOperator(address),
	}
}

// waits records the waits of a service.
type waits struct{ list []time.Duration }

func (w *waits) wait(ctx context.Context, d time.Duration) error {
	w.list = append(w.list, d)
	return ctx.Err()
}

// newService returns a service that does not wait and whose clock advances by a
// second on each read.
func newService(options client.Options) *client.Service {
	if options.Trusted == nil {
		options.Trusted = &http.Client{}
	}
	if options.Wait == nil {
		options.Wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	}
	var seconds atomic.Int64
	options.Now = func() time.Time { return time.Unix(1_700_000_000+seconds.Add(1), 0).UTC() }
	options.Random = func() float64 { return 0 }
	return client.New(options)
}

func complete(t *testing.T, s *client.Service, call client.Call) *provider.Completion {
	t.Helper()
	done, err := s.Complete(t.Context(), workspace, call)
	if err != nil {
		t.Fatalf("Complete: %v", err)
	}
	return done
}

// failed makes a call that must fail after it was sent.
func failed(t *testing.T, s *client.Service, call client.Call) *provider.Error {
	t.Helper()
	done, err := s.Complete(t.Context(), workspace, call)
	var failure *provider.Error
	if !errors.As(err, &failure) {
		t.Fatalf("Complete = %+v, %v, want an *Error", done, err)
	}
	return failure
}

// sameJSON compares JSON texts by value.
func sameJSON(t *testing.T, what string, got []byte, want string) {
	t.Helper()
	if diff := cmp.Diff(decoded(t, want), decoded(t, string(got))); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s\n%s", what, diff, got)
	}
}

func decoded(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s differs (-want +got):\n%s", what, diff)
	}
}
