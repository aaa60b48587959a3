package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

var plainCall = client.Call{Provider: "openai", Model: "gpt-4o", Arguments: []byte(`{"messages":[]}`)}

func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		provider string
		reply    reply
		class    string
		message  string
		tries    int
	}{
		"bad request":            {"openai", reply{status: 400, body: `{"error":{"message":"No such\nparameter","type":"invalid_request_error","code":null}}`}, provider.TypeProvider, "The provider answered with status 400: No such parameter", 1},
		"wrong key":              {"openai", reply{status: 401, body: `{"error":{"message":"Wrong key","code":"invalid_api_key"}}`}, provider.TypeAuth, "The provider answered with status 401: Wrong key", 1},
		"forbidden":              {"anthropic", reply{status: 403, body: `{"type":"error","error":{"type":"permission_error","message":"Not yours"}}`}, provider.TypeAuth, "The provider answered with status 403: Not yours", 1},
		"no credit":              {"openrouter", reply{status: 402, body: `{"error":{"message":"Pay"}}`}, provider.TypeQuotaLimit, "The provider answered with status 402: Pay", 1},
		"quota":                  {"openai", reply{status: 429, body: `{"error":{"message":"Quota","type":"insufficient_quota"}}`}, provider.TypeQuotaLimit, "The provider answered with status 429: Quota", 1},
		"rate":                   {"openai", reply{status: 429, body: `{"error":{"message":"Slow down","code":"rate_limit_exceeded"}}`}, provider.TypeRateLimit, "The provider answered with status 429: Slow down", 3},
		"rate at Google":         {"google", reply{status: 429, body: `[{"error":{"code":429,"message":"Slow down","status":"RESOURCE_EXHAUSTED"}}]`}, provider.TypeRateLimit, "The provider answered with status 429: Slow down", 3},
		"Google's key":           {"google", reply{status: 400, body: `{"error":{"code":400,"message":"Bad","status":"UNAUTHENTICATED"}}`}, provider.TypeAuth, "The provider answered with status 400: Bad", 1},
		"request timeout":        {"openai", reply{status: 408}, provider.TypeTimeout, "The provider answered with status 408 Request Timeout", 3},
		"conflict":               {"openai", reply{status: 409}, provider.TypeProvider, "The provider answered with status 409 Conflict", 3},
		"gateway timeout":        {"openai", reply{status: 504, body: "<html>"}, provider.TypeTimeout, "The provider answered with status 504 Gateway Timeout", 3},
		"server error":           {"mistral", reply{status: 500, body: `{"object":"error","message":"Oops"}`}, provider.TypeProvider, "The provider answered with status 500: Oops", 3},
		"overloaded":             {"anthropic", reply{status: 529, body: `{"type":"error","error":{"type":"overloaded_error","message":"Busy"}}`}, provider.TypeProvider, "The provider answered with status 529: Busy", 3},
		"not found":              {"ollama", reply{status: 404, body: `{"error":"no such model"}`}, provider.TypeProvider, "The provider answered with status 404: no such model", 1},
		"complaints":             {"mistral", reply{status: 422, body: `{"detail":[{"loc":["x"],"msg":"bad"}]}`}, provider.TypeProvider, `The provider answered with status 422: [{"loc":["x"],"msg":"bad"}]`, 1},
		"error in a good answer": {"ollama", reply{body: `{"error":{"message":"Loading"}}`}, provider.TypeProvider, "The provider answered: Loading", 1},
		"redirect":               {"openai", reply{status: 307, header: map[string]string{"Location": "https://elsewhere.test/"}}, provider.TypeProvider, "The provider answered with a redirect, which is not followed", 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, test.reply)
			known := operated(server.URL)
			known["OPENROUTER_API_KEY"], known["OPENROUTER_BASE_URL"] = byOperator(secretKey), byOperator(server.URL)
			failure := failed(t, newService(client.Options{Keys: known}), client.Call{
				Provider: test.provider, Model: "m", Arguments: []byte(`{"messages":[{"role":"user","content":"Hi"}]}`),
			})
			same(t, "type", failure.Type, test.class)
			same(t, "TypeOf", provider.TypeOf(fmt.Errorf("wrapped: %w", failure)), test.class)
			same(t, "message", failure.Error(), test.message)
			same(t, "tries", len(server.got()), test.tries)
			same(t, "attempts", failure.Completion.Attempts, test.tries)
			same(t, "provider", failure.Completion.Provider, test.provider)
			if test.reply.status >= 400 {
				same(t, "status", failure.Status, test.reply.status)
				same(t, "detail", failure.Detail, test.reply.body)
			}
		})
	}
}

// TestFailedCallsCanBeLogged expects the record of a failed call without an
// answer.
func TestFailedCallsCanBeLogged(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{status: 400})
	failure := failed(t, newService(client.Options{Keys: operated(server.URL)}), client.Call{
		Provider: "openai", API: "chat-completions", Arguments: []byte(chatArguments),
	})
	done := failure.Completion
	same(t, "function", done.FunctionName, "openai.chat.completions.create")
	same(t, "model", done.Engine, "gpt-4o")
	same(t, "took", done.End.Sub(done.Start), time.Second)
	if !strings.Contains(string(done.Input), "Hi <b>") || strings.Contains(string(done.Output), "role") || done.Raw != nil {
		t.Errorf("input %s, output %s, raw %s", done.Input, done.Output, done.Raw)
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	busy := func(after string) reply { return reply{status: 503, header: map[string]string{"Retry-After": after}} }
	good := reply{body: chatAnswer}
	for name, test := range map[string]struct {
		options client.Options
		replies []reply
		waits   []time.Duration
		answers bool
	}{
		"at once":              {client.Options{}, []reply{busy("0"), good}, []time.Duration{0}, true},
		"when asked to":        {client.Options{}, []reply{busy("2"), busy("0.5"), good}, []time.Duration{2 * time.Second, 500 * time.Millisecond}, true},
		"in milliseconds":      {client.Options{}, []reply{{status: 429, header: map[string]string{"Retry-After-Ms": "40"}}, good}, []time.Duration{40 * time.Millisecond}, true},
		"a date gone by":       {client.Options{}, []reply{busy("Mon, 02 Jan 2006 15:04:05 GMT"), good}, []time.Duration{0}, true},
		"nonsense":             {client.Options{}, []reply{busy("soon"), good}, []time.Duration{500 * time.Millisecond}, true},
		"ever later":           {client.Options{Retries: 6}, []reply{{status: 500}}, []time.Duration{500e6, 1e9, 2e9, 4e9, 8e9, 8e9}, false},
		"not too late":         {client.Options{}, []reply{busy("31"), good}, nil, false},
		"as late as allowed":   {client.Options{LongestWait: time.Minute}, []reply{busy("31"), good}, []time.Duration{31 * time.Second}, true},
		"not past the timeout": {client.Options{Timeout: 20 * time.Second}, []reply{busy("21"), good}, nil, false},
		"never":                {client.Options{Retries: -1}, []reply{busy("0"), good}, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, test.replies...)
			var waited waits
			test.options.Keys, test.options.Wait = operated(server.URL), waited.wait
			done, err := newService(test.options).Complete(t.Context(), workspace, plainCall)
			if (err == nil) != test.answers {
				t.Fatalf("error %v, want an answer: %v", err, test.answers)
			}
			same(t, "waits", waited.list, test.waits)
			same(t, "tries", len(server.got()), len(test.waits)+1)
			if test.answers {
				same(t, "attempts", done.Attempts, len(test.waits)+1)
			}
		})
	}
}

// silent returns a server that never responds, and a channel that is closed
// when it is called.
func silent(t *testing.T) (address string, called chan struct{}) {
	t.Helper()
	called = make(chan struct{}, 10)
	stop := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		called <- struct{}{}
		select {
		case <-r.Context().Done():
		case <-stop:
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(stop) })
	return server.URL, called
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openai", "anthropic", "google"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, called := silent(t)
			s := newService(client.Options{Keys: operated(address), Timeout: 50 * time.Millisecond})
			failure := failed(t, s, client.Call{Provider: name, Model: "m", Arguments: []byte(`{}`)})
			same(t, "type", failure.Type, provider.TypeTimeout)
			same(t, "message", failure.Message, "The provider did not answer within 50ms")
			if n := len(called); n > 1 {
				t.Errorf("the provider was called %d times", n)
			}
			if !errors.Is(failure, context.DeadlineExceeded) {
				t.Error("the error does not say that a deadline passed")
			}
		})
	}
}

// TestConcurrencyLimit makes a second call to a busy provider, which times out.
func TestConcurrencyLimit(t *testing.T) {
	t.Parallel()
	address, called := silent(t)
	s := newService(client.Options{Keys: operated(address), Concurrency: 1})
	first, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = s.Complete(first, workspace, plainCall)
	}()
	<-called
	second, cancelSecond := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancelSecond()
	_, err := s.Complete(second, workspace, plainCall)
	same(t, "type", provider.TypeOf(err), provider.TypeTimeout)
	same(t, "further calls", len(called), 0)
	cancel()
	<-ended
}

func TestCancellation(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"openai", "anthropic", "google"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, called := silent(t)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				<-called
				cancel()
			}()
			_, err := newService(client.Options{Keys: operated(address)}).
				Complete(ctx, workspace, client.Call{Provider: name, Model: "m", Arguments: []byte(`{}`)})
			if !errors.Is(err, context.Canceled) || provider.TypeOf(err) != provider.TypeUnknown {
				t.Errorf("error %v of type %s, want that the call was cancelled", err, provider.TypeOf(err))
			}
		})
	}
}

func TestCancellationWhileWaiting(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{status: 503})
	ctx, cancel := context.WithCancel(t.Context())
	s := newService(client.Options{Keys: operated(server.URL), Wait: func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	}})
	if _, err := s.Complete(ctx, workspace, plainCall); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that the call was cancelled", err)
	}
	same(t, "tries", len(server.got()), 1)
}

// TestTruncatedAnswers sends less than the announced length.
func TestTruncatedAnswers(t *testing.T) {
	t.Parallel()
	for name, half := range map[string]reply{
		"answer": {header: map[string]string{"Content-Length": "5000"}, body: chatAnswer},
		"stream": {
			header: map[string]string{"Content-Length": "5000", "Content-Type": "text/event-stream"},
			body:   "data: {\"choices\":[]}\n\ndata: {\"choi",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, half, reply{body: chatAnswer})
			call := plainCall
			call.Stream = func(provider.Delta) {}
			done := complete(t, newService(client.Options{Keys: operated(server.URL)}), call)
			same(t, "attempts", done.Attempts, 2)
		})
	}
}

func TestConnectionErrorsAreRetried(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := "http://" + listener.Addr().String()
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	failure := failed(t, newService(client.Options{Keys: operated(address)}), plainCall)
	same(t, "type", failure.Type, provider.TypeProvider)
	same(t, "attempts", failure.Completion.Attempts, 3)
	if !strings.HasPrefix(failure.Message, "The provider could not be reached: ") {
		t.Errorf("message %q", failure.Message)
	}
}

// TestRefusedTargetsAreNotRetried uses the real guard with private addresses
// and responses that are too large.
func TestRefusedTargetsAreNotRetried(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: chatAnswer})
	loopback, err := outbound.ParseAllowed("127.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		options outbound.Options
		reason  string
	}{
		"address": {outbound.Options{}, "127.0.0.1"},
		"size":    {outbound.Options{Allow: loopback, MaxBytes: 10}, "the answer has more than 10 bytes"},
	} {
		guard := outbound.New(test.options)
		t.Cleanup(guard.Close)
		s := newService(client.Options{Keys: keys{}, Guarded: guard.HTTP()})
		failure := failed(t, s, client.Call{Provider: "ollama", Model: "m", Arguments: []byte(`{}`), BaseURL: server.URL})
		same(t, name+": attempts", failure.Completion.Attempts, 1)
		if !strings.HasPrefix(failure.Message, "The provider could not be called: ") || !strings.Contains(failure.Message, test.reason) {
			t.Errorf("%s: message %q", name, failure.Message)
		}
	}
}

// TestIgnoresTimeoutOfHTTPClient uses a client with a very short timeout.
func TestIgnoresTimeoutOfHTTPClient(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: chatAnswer})
	complete(t, newService(client.Options{Keys: operated(server.URL), Trusted: &http.Client{Timeout: time.Nanosecond}}), plainCall)
}

// TestKeysAreHidden makes every provider echo the key in every way.
func TestKeysAreHidden(t *testing.T) {
	t.Parallel()
	const key = "s3cr3t/with+signs"
	echo := `{"error":{"message":"Key ` + key + ` or s3cr3t%2Fwith%2Bsigns or s3cr3t\/with+signs is wrong, not sk-abcdefghijklmnop",` +
		`"key":"s3cr3t\/with+signs"}}`
	long := strings.Repeat("x", 495-len("The provider answered with status 401: "))
	for _, name := range []string{"openai", "openai.azure", "anthropic", "google", "mistral"} {
		for kind, answer := range map[string]reply{
			"refusal":     {status: 401, body: echo},
			"plain text":  {status: 500, body: "You sent Bearer " + key + "; " + key},
			"good answer": {body: echo},
			"at the cut":  {status: 401, body: `{"error":"` + long + key + `"}`},
			"stream":      {events: []string{echo}},
			"many times":  {status: 401, body: strings.Repeat(key, 5_000)},
			"no answer":   {body: strings.Repeat("x", 4*(16<<10)-5) + key + strings.Repeat("y", 100)},
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				t.Parallel()
				server := newStandIn(t, answer)
				known := operated(server.URL)
				for name, setting := range known {
					if strings.HasSuffix(name, "_API_KEY") {
						setting.Value = key
						known[name] = setting
					}
				}
				failure := failed(t, newService(client.Options{Keys: known}), client.Call{
					Provider: name, Model: "m", Arguments: []byte(`{}`), Stream: func(provider.Delta) {},
				})
				shown := failure.Error() + failure.Detail + fmt.Sprintf("%+v %#v", failure, failure)
				for _, secret := range []string{"s3cr3t", "sk-abcdef"} {
					if strings.Contains(shown, secret) {
						t.Errorf("%q is in %s", secret, shown)
					}
				}
			})
		}
	}
}

// TestLongKeysAreHidden repeats a long key so that truncation cuts it.
func TestLongKeysAreHidden(t *testing.T) {
	t.Parallel()
	key := strings.Repeat("abcdefgh", 21)
	server := newStandIn(t, reply{status: 401, body: strings.Repeat(key, 2000)})
	known := keys{"OPENAI_API_KEY": byOperator(key), "OPENAI_BASE_URL": byOperator(server.URL)}
	failure := failed(t, newService(client.Options{Keys: known}), plainCall)
	if strings.Contains(failure.Detail, "abcdefgh") || !strings.Contains(failure.Detail, "[redacted]") {
		t.Errorf("detail %s", failure.Detail)
	}
}

func TestPasswordsInURLsAreHidden(t *testing.T) {
	t.Parallel()
	s := newService(client.Options{Keys: keys{}, Guarded: &http.Client{Transport: failing{}}})
	failure := failed(t, s, client.Call{Provider: "vllm", Model: "m", Arguments: []byte(`{}`), BaseURL: "http://me:hunter22@x.test/v1"})
	if strings.Contains(failure.Message+failure.Detail, "hunter22") {
		t.Errorf("%s %s", failure.Message, failure.Detail)
	}
}

// failing repeats the whole URL.
type failing struct{}

func (failing) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, errors.New("cannot reach " + r.URL.String())
}

func TestTypeOf(t *testing.T) {
	t.Parallel()
	_, missing := newService(client.Options{Keys: keys{}}).Complete(t.Context(), workspace, plainCall)
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"none": {nil, ""}, "missing key": {missing, provider.TypeAuth}, "other": {errors.New("x"), provider.TypeUnknown},
		"deadline": {fmt.Errorf("x: %w", context.DeadlineExceeded), provider.TypeTimeout},
	} {
		same(t, name, provider.TypeOf(test.err), test.want)
	}
}
