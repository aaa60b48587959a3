package client_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/client"
)

// TestStatesOfProviders compares the state of a provider with the result of a
// call.
func TestStatesOfProviders(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: chatAnswer})
	const unset, workspaces, operators = client.Source(""), client.FromWorkspace, client.FromEnvironment
	for name, test := range map[string]struct {
		provider string
		keys     keys
		source   client.Source
		sources  []client.Source
	}{
		"nothing":                    {"openai", keys{}, unset, []client.Source{unset, unset}},
		"a key of the workspace":     {"openai", keys{"OPENAI_API_KEY": byWorkspace("k"), "OPENAI_BASE_URL": byOperator(server.URL)}, workspaces, []client.Source{workspaces, operators}},
		"all of the operator":        {"openai", operated(server.URL), operators, []client.Source{operators, operators}},
		"all of the workspace":       {"openai", keys{"OPENAI_API_KEY": byWorkspace("k"), "OPENAI_BASE_URL": byWorkspace(server.URL)}, workspaces, []client.Source{workspaces, workspaces}},
		"a key that is withheld":     {"openai", keys{"OPENAI_API_KEY": byOperator("k"), "OPENAI_BASE_URL": byWorkspace(server.URL)}, unset, []client.Source{operators, workspaces}},
		"the second name of a key":   {"google", operated(server.URL), operators, []client.Source{unset, operators, operators}},
		"an address and no key":      {"ollama", operated(server.URL), operators, []client.Source{unset, operators}},
		"an address and a key of it": {"vllm", keys{"VLLM_API_KEY": byWorkspace("k"), "VLLM_BASE_URL": byOperator(server.URL)}, workspaces, []client.Source{workspaces, operators}},
		"a key and no address":       {"openai.azure", keys{"AZURE_OPENAI_API_KEY": byWorkspace("k")}, unset, []client.Source{workspaces, unset, unset, unset}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(client.Options{Keys: test.keys, Guarded: server.Client()})
			list, err := s.Providers(t.Context(), workspace)
			if err != nil {
				t.Fatal(err)
			}
			at := slices.IndexFunc(list, func(p client.ProviderState) bool { return p.Name == test.provider })
			same(t, "configured and source", []any{list[at].Configured, list[at].Source}, []any{test.source != unset, test.source})
			var sources []client.Source
			for _, v := range list[at].Variables {
				sources = append(sources, v.Source)
			}
			same(t, "sources of the variables", sources, test.sources)
			call := client.Call{Provider: test.provider, Model: "m", Arguments: []byte(`{"messages":[]}`)}
			if err := s.Check(t.Context(), workspace, call); provider.NotConfigured(err) != (test.source == unset) {
				t.Errorf("a call is refused with %v", err)
			}
		})
	}
}

func TestProvidersAreSorted(t *testing.T) {
	t.Parallel()
	list, err := newService(client.Options{Keys: keys{}}).Providers(t.Context(), workspace)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range list {
		names = append(names, p.Name)
	}
	same(t, "names", names, []string{
		"anthropic", "google", "mistral", "ollama", "openai", "openai.azure", "openai.custom", "openrouter", "vertexai", "vllm",
	})
}

// TestCheckSendsNothing checks calls that can be made and one that cannot.
func TestCheckSendsNothing(t *testing.T) {
	t.Parallel()
	server := newStandIn(t, reply{body: chatAnswer})
	s := newService(client.Options{Keys: operated(server.URL)})
	if err := s.Check(t.Context(), workspace, client.Call{Provider: "openai", Model: "m", Arguments: []byte(`{}`)}); err != nil {
		t.Error(err)
	}
	err := s.Check(t.Context(), workspace, client.Call{Provider: "openai", Arguments: []byte(`{}`)})
	if !fault.Is(err, fault.BadRequest) {
		t.Errorf("a call without a model is refused with %v", err)
	}
	if err := s.Check(t.Context(), workspace+1, client.Call{Provider: "openai", Model: "m", Arguments: []byte(`{}`)}); err == nil || errors.As(err, new(*fault.Error)) {
		t.Errorf("keys that cannot be looked up are reported as %v", err)
	}
	same(t, "requests", len(server.got()), 0)
}
