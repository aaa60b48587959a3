package client_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

func byWorkspace(value string) client.Setting { return client.Setting{Value: value} }

// marked is a transport that adds its name to the request.
type marked string

func (m marked) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("X-Sent-By", string(m))
	return http.DefaultTransport.RoundTrip(request)
}

// TestKeysAndTargets checks which key is sent where. The operator's key must
// never be sent to a URL set by a workspace.
func TestKeysAndTargets(t *testing.T) {
	t.Parallel()
	const noKey = "No API key configured for provider "
	for name, test := range map[string]struct {
		provider string
		keys     func(address string) keys
		override bool
		sentBy   string
		key      string
		refusal  string
	}{
		"all the operator's": {
			provider: "openai", sentBy: "trusted", key: "Bearer of-operator",
			keys: func(a string) keys {
				return keys{"OPENAI_API_KEY": byOperator("of-operator"), "OPENAI_BASE_URL": byOperator(a)}
			},
		},
		"key of the workspace": {
			provider: "openai", sentBy: "trusted", key: "Bearer of-workspace",
			keys: func(a string) keys {
				return keys{"OPENAI_API_KEY": byWorkspace("of-workspace"), "OPENAI_BASE_URL": byOperator(a)}
			},
		},
		"all the workspace's": {
			provider: "openai", sentBy: "guarded", key: "Bearer of-workspace",
			keys: func(a string) keys {
				return keys{"OPENAI_API_KEY": byWorkspace("of-workspace"), "OPENAI_BASE_URL": byWorkspace(a)}
			},
		},
		"operator's key, workspace's address": {
			provider: "openai", refusal: noKey + "'openai'",
			keys: func(a string) keys {
				return keys{"OPENAI_API_KEY": byOperator("of-operator"), "OPENAI_BASE_URL": byWorkspace(a)}
			},
		},
		"operator's key, address of the call": {
			provider: "openai", refusal: noKey + "'openai'", override: true,
			keys: func(string) keys { return keys{"OPENAI_API_KEY": byOperator("of-operator")} },
		},
		"workspace's key, address of the call": {
			provider: "openai", override: true, sentBy: "guarded", key: "Bearer of-workspace",
			keys: func(string) keys {
				return keys{"OPENAI_API_KEY": byWorkspace("of-workspace"), "OPENAI_BASE_URL": byOperator("http://127.0.0.1:1")}
			},
		},
		"no key to a keyless server": {
			provider: "ollama", override: true, sentBy: "guarded", key: "",
			keys: func(string) keys { return keys{"OLLAMA_API_KEY": byOperator("of-operator")} },
		},
		"own provider": {
			provider: "my.Server-1", sentBy: "guarded", key: "Bearer of-workspace",
			keys: func(a string) keys {
				return keys{"MY_SERVER_1_API_KEY": byWorkspace("of-workspace"), "MY_SERVER_1_BASE_URL": byWorkspace(a)}
			},
		},
		"operator's variables of another kind": {
			provider: "github", refusal: "Provider 'github' is not supported; to call an OpenAI-compatible server, set GITHUB_BASE_URL",
			keys: func(a string) keys {
				return keys{"GITHUB_API_KEY": byOperator("of-operator"), "GITHUB_BASE_URL": byOperator(a)}
			},
		},
		"operator's key of another kind": {
			provider: "github", sentBy: "guarded", key: "",
			keys: func(a string) keys {
				return keys{"GITHUB_API_KEY": byOperator("of-operator"), "GITHUB_BASE_URL": byWorkspace(a)}
			},
		},
		"second name of the workspace before first of the operator": {
			provider: "google", sentBy: "trusted", key: "of-workspace",
			keys: func(a string) keys {
				return keys{
					"GOOGLE_API_KEY": byOperator("of-operator"), "GEMINI_API_KEY": byWorkspace("of-workspace"),
					"GOOGLE_GEMINI_BASE_URL": byOperator(a),
				}
			},
		},
		"openai without a key":    {provider: "openai", refusal: noKey + "'openai'", keys: func(string) keys { return keys{} }},
		"azure without a key":     {provider: "openai.azure", refusal: noKey + "'openai.azure'", keys: func(string) keys { return keys{} }},
		"anthropic without a key": {provider: "anthropic", refusal: noKey + "'anthropic'", keys: func(string) keys { return keys{} }},
		"google without a key":    {provider: "google", refusal: noKey + "'google'", keys: func(string) keys { return keys{} }},
		"mistral without a key":   {provider: "mistral", refusal: noKey + "'mistral'", keys: func(string) keys { return keys{} }},
		"azure without an address": {
			provider: "openai.azure", refusal: "No URL configured for provider 'openai.azure': set AZURE_OPENAI_ENDPOINT",
			keys: func(string) keys { return keys{"AZURE_OPENAI_API_KEY": byWorkspace("k")} },
		},
		"ollama without an address": {
			provider: "ollama", refusal: "No URL configured for provider 'ollama': set OLLAMA_BASE_URL", keys: func(string) keys { return keys{} },
		},
		"unknown": {
			provider: "cohere", refusal: "Provider 'cohere' is not supported; to call an OpenAI-compatible server, set COHERE_BASE_URL",
			keys: func(string) keys { return keys{} },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := newStandIn(t, reply{body: `{"choices":[{"message":{}}],"candidates":[{}]}`})
			s := newService(client.Options{
				Keys: test.keys(server.URL), Guarded: &http.Client{Transport: marked("guarded")}, Trusted: &http.Client{Transport: marked("trusted")},
			})
			call := client.Call{Provider: test.provider, Model: "m", Arguments: []byte(`{"messages":[]}`)}
			if test.override {
				call.BaseURL = server.URL
			}
			_, err := s.Complete(t.Context(), workspace, call)
			if test.refusal != "" {
				if err == nil || err.Error() != test.refusal || !provider.NotConfigured(err) || !fault.Is(err, fault.BadRequest) {
					t.Errorf("error %v, want the fault %s", err, test.refusal)
				}
				same(t, "requests", len(server.got()), 0)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			sent := server.only(t).header
			same(t, "sent by", sent.Get("X-Sent-By"), test.sentBy)
			same(t, "key", sent.Get("Authorization")+sent.Get("X-Goog-Api-Key"), test.key)
		})
	}
}

// TestIgnoresEnvironment sets environment variables that the providers'
// libraries would read.
func TestIgnoresEnvironment(t *testing.T) {
	for _, name := range []string{
		"OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "GOOGLE_API_KEY",
	} {
		t.Setenv(name, "of-the-process")
	}
	for _, name := range []string{"OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"} {
		t.Setenv(name, "http://127.0.0.1:1/")
	}
	for provider, answer := range map[string]string{
		"openai": chatAnswer, "openai.azure": chatAnswer, "anthropic": messageAnswer, "google": googleAnswer, "ollama": chatAnswer,
	} {
		server := newStandIn(t, reply{body: answer})
		complete(t, newService(client.Options{Keys: operated(server.URL)}), client.Call{Provider: provider, Model: "m", Arguments: []byte(`{}`)})
		for name, values := range server.only(t).header {
			if strings.Contains(strings.Join(values, " "), "of-the-process") {
				t.Errorf("%s is sent %s", provider, name)
			}
		}
	}
}

func TestRejectsCalls(t *testing.T) {
	t.Parallel()
	guarded := &http.Client{}
	own := keys{"OPENAI_API_KEY": byWorkspace("k"), "AZURE_OPENAI_API_KEY": byWorkspace("k"), "GOOGLE_API_KEY": byWorkspace("k")}
	for name, test := range map[string]struct {
		call    client.Call
		guarded *http.Client
		want    string
	}{
		"no provider":         {client.Call{Arguments: []byte(`{}`)}, guarded, "The model has no provider"},
		"endless provider":    {client.Call{Provider: strings.Repeat("p", 1000), Arguments: []byte(`{}`)}, guarded, "The model has no provider"},
		"no model":            {client.Call{Provider: "openai", Arguments: []byte(`{"model":5}`)}, guarded, "No model given for provider 'openai'"},
		"no arguments":        {client.Call{Provider: "openai"}, guarded, "The arguments of the call are not JSON"},
		"list of arguments":   {client.Call{Provider: "openai", Arguments: []byte(`[]`)}, guarded, "The arguments of the call must be an object"},
		"unknown interface":   {client.Call{Provider: "openai", API: "video", Arguments: []byte(`{}`)}, guarded, "Provider 'openai' has no API 'video' that can be called"},
		"images at Anthropic": {client.Call{Provider: "anthropic", API: "images", Arguments: []byte(`{}`)}, guarded, "Provider 'anthropic' has no API 'images' that can be called"},
		"bedrock":             {client.Call{Provider: "amazon.bedrock", Arguments: []byte(`{}`)}, guarded, "Models of provider 'amazon.bedrock' cannot be called"},
		"Claude at Google":    {client.Call{Provider: "vertexai", Arguments: []byte(`{"messages":[]}`)}, guarded, "Provider 'vertexai' can only be called for Google's models"},
		"file":                {client.Call{Provider: "openai", Model: "m", Arguments: []byte(`{}`), BaseURL: "file:///etc/passwd"}, guarded, "The URL of provider 'openai' must start with http:// or https:// and have a host"},
		"no host":             {client.Call{Provider: "openai", Model: "m", Arguments: []byte(`{}`), BaseURL: "https:///v1"}, guarded, "The URL of provider 'openai' must start with http:// or https:// and have a host"},
		"no address":          {client.Call{Provider: "openai", Model: "m", Arguments: []byte(`{}`), BaseURL: "::"}, guarded, "The URL of provider 'openai' must start with http:// or https:// and have a host"},
		"no guard": {
			client.Call{Provider: "openai", Model: "m", Arguments: []byte(`{}`), BaseURL: "https://x.test"}, nil,
			"The URL of provider 'openai' is not allowed: this server does not call URLs set by a workspace",
		},
		"a path for a model":  {client.Call{Provider: "google", Model: "../files", Arguments: []byte(`{}`)}, guarded, "The model name contains invalid characters"},
		"a query for a model": {client.Call{Provider: "google", Model: "m?x=", Arguments: []byte(`{}`)}, guarded, "The model name contains invalid characters"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := newService(client.Options{Keys: own, Guarded: test.guarded}).Complete(t.Context(), workspace, test.call)
			var known *fault.Error
			if !errors.As(err, &known) || known.Kind != fault.BadRequest || known.Message != test.want {
				t.Errorf("error %v, want the fault %s", err, test.want)
			}
		})
	}
}

func TestRejectsPathAsModelAtAzure(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: chatAnswer})
	known := operated(server.URL)
	known["AZURE_OPENAI_API_VERSION"] = byOperator("1")
	_, err := newService(client.Options{Keys: known}).Complete(t.Context(), workspace, client.Call{
		Provider: "openai.azure", Model: "..", Arguments: []byte(`{}`),
	})
	if !fault.Is(err, fault.BadRequest) || len(server.got()) != 0 {
		t.Errorf("error %v after %d requests, want a fault and none", err, len(server.got()))
	}
}

// variables are the decrypted variables of the only workspace.
type variables map[string]string

func (v variables) Resolve(_ context.Context, id, tool int64) (map[string]string, error) {
	if id != workspace || tool != 0 {
		return nil, fault.NotFoundf("workspace %d not found", id)
	}
	return v, nil
}

func TestKeysOfWorkspaceTakePrecedence(t *testing.T) {
	t.Parallel()
	process := map[string]string{"A": "process a", "B": "process b", "C": " "}
	found := client.NewKeys(variables{"A": " own a\n", "B": ""}, func(name string) string { return process[name] })
	got, err := found.Lookup(t.Context(), workspace, "A", "B", "C", "D")
	if err != nil {
		t.Fatal(err)
	}
	same(t, "settings", got, map[string]client.Setting{"A": {Value: "own a"}, "B": {Value: "process b", Operator: true}})
	if _, err := found.Lookup(t.Context(), workspace+1, "A"); !fault.Is(err, fault.NotFound) {
		t.Errorf("error %v, want the one of the variables", err)
	}
}

func TestUnreadableKeysFailTheCall(t *testing.T) {
	t.Parallel()
	s := newService(client.Options{Keys: client.NewKeys(variables{}, func(string) string { return "" })})
	if _, err := s.Complete(t.Context(), workspace+1, plainCall); !fault.Is(err, fault.NotFound) {
		t.Errorf("error %v, want the one of the variables", err)
	}
	if _, err := s.Embed(t.Context(), workspace+1, []string{"x"}); !fault.Is(err, fault.NotFound) {
		t.Errorf("error %v, want the one of the variables", err)
	}
}
