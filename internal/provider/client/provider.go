package client

import (
	"context"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// provider says how a provider is reached.
type provider struct {
	// wires are the interfaces it has, by the name of their API type. The one
	// under "" is what a call gets that asks for none.
	wires map[string]*wire
	// keys and bases name the settings of its key and its address.
	keys, bases []string
	// base is its address unless a setting names one, "" when one must.
	base string
	// keyless says that it can be called without a key.
	keyless bool
	// library begins the names of the functions that call it.
	library string
	// prices is the provider in the list of prices, "" when it has none.
	prices string
	// versions names the settings of the interface's version.
	versions []string
}

var openAIWires = map[string]*wire{
	"": &chatWire, "chat-completions": &chatWire, "responses": &responsesWire, "images": &imagesWire,
}

// followerWires are the interfaces of those that follow OpenAI.
var followerWires = map[string]*wire{
	"": &chatWire, "chat": &chatWire, "chat-completions": &chatWire, "responses": &responsesWire,
}

var providers = map[string]*provider{
	"openai": {
		wires: openAIWires, base: "https://api.openai.com/v1/", library: "openai", prices: "openai",
		keys: []string{"OPENAI_API_KEY"}, bases: []string{"OPENAI_BASE_URL"},
	},
	azureName: {
		wires: openAIWires, library: "openai.AzureOpenAI", prices: "openai",
		keys: []string{"AZURE_OPENAI_API_KEY"}, bases: []string{"AZURE_OPENAI_ENDPOINT"},
		versions: []string{"AZURE_OPENAI_API_VERSION", "OPENAI_API_VERSION"},
	},
	"anthropic": {
		wires: map[string]*wire{"": &messagesWire}, base: "https://api.anthropic.com/", library: "anthropic",
		keys: []string{"ANTHROPIC_API_KEY"}, bases: []string{"ANTHROPIC_BASE_URL"}, prices: "anthropic",
	},
	"google": {
		wires: map[string]*wire{"": &googleWire}, base: "https://generativelanguage.googleapis.com/", library: "google",
		keys: []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, bases: []string{"GOOGLE_GEMINI_BASE_URL"}, prices: "google",
	},
	"mistral": {
		wires: followerWires, base: "https://api.mistral.ai/v1/", library: "mistral",
		keys: []string{"MISTRAL_API_KEY"}, bases: []string{"MISTRAL_BASE_URL"}, prices: "mistral",
	},
	"openrouter": {
		wires: followerWires, base: "https://openrouter.ai/api/v1/", library: "openrouter",
		keys: []string{"OPENROUTER_API_KEY"}, bases: []string{"OPENROUTER_BASE_URL"},
	},
	vertexName: {
		wires: map[string]*wire{"": &googleWire}, base: "https://aiplatform.googleapis.com/", library: "google",
		keys: []string{"VERTEXAI_API_KEY"}, bases: []string{"GOOGLE_VERTEX_BASE_URL"}, prices: "google",
	},
	"ollama":        follower("ollama"),
	"vllm":          follower("vllm"),
	"openai.custom": follower("openai.custom"),
}

// Providers that differ from the one they are otherwise called like.
const (
	azureName  = "openai.azure"
	vertexName = "vertexai"
)

// uncallable are the providers that sign requests in ways of their own.
var uncallable = []string{"amazon.bedrock", "anthropic.bedrock"}

// follower returns a server that speaks OpenAI's protocol at an address that
// somebody has to name. Its settings are called after it.
func follower(name string) *provider {
	prefix := settingPrefix(name)
	return &provider{
		wires: followerWires, library: name, keyless: true,
		keys: []string{prefix + "_API_KEY"}, bases: []string{prefix + "_BASE_URL"},
	}
}

// settingPrefix returns how the settings of a provider begin: OPENAI_CUSTOM.
func settingPrefix(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		default:
			return '_'
		}
	}, name)
}

// maxName bounds the name of a provider, which becomes that of a setting.
const maxName = 100

// plan is a call that can be sent.
type plan struct {
	name      string
	provider  *provider
	wire      *wire
	target    *target
	arguments jsontree.Value
	model     string
	body      []byte
	stream    func(Delta)
	// delivered says that a piece of the answer was handed on.
	delivered bool
	// answer is absent until the call was answered.
	answer jsontree.Value
}

func (p *plan) function() string { return p.provider.library + "." + p.wire.function }

// plan checks a call and finds out where it goes.
func (s *Service) plan(ctx context.Context, workspace int64, call Call) (*plan, error) {
	if call.Provider == "" || len(call.Provider) > maxName {
		return nil, fault.BadRequestf("The model has no provider")
	}
	if slices.Contains(uncallable, call.Provider) {
		return nil, fault.BadRequestf("Models of provider '%s' cannot be called", call.Provider)
	}
	known, ok := providers[call.Provider]
	if !ok {
		known = follower(call.Provider)
	}
	arguments, err := jsontree.Parse(call.Arguments)
	if err != nil {
		return nil, fault.Wrap(fault.BadRequest, err, "The arguments of the call are not JSON")
	}
	if arguments.Kind() != jsontree.Object {
		return nil, fault.BadRequestf("The arguments of the call must be an object")
	}
	p := &plan{name: call.Provider, provider: known, arguments: arguments, model: call.Model, stream: call.Stream}
	if named := arguments.Get("model").Str(); named != "" {
		p.model = named
	}
	if p.wire, err = p.chooseWire(call.API); err != nil {
		return nil, err
	}
	if p.target, err = s.findTarget(ctx, workspace, p, call.BaseURL, ok); err != nil {
		return nil, err
	}
	if p.model == "" {
		return nil, fault.BadRequestf("The call to provider '%s' names no model", p.name)
	}
	if !p.wire.streams() {
		p.stream = nil
	}
	if p.body, err = p.wire.body(p); err != nil {
		return nil, err
	}
	return p, nil
}

// chooseWire returns the interface that the call is for. A text to complete
// goes to the old interface of OpenAI where the model or the server is one
// for it.
func (p *plan) chooseWire(api string) (*wire, error) {
	has := func(name string) bool { return p.arguments.Get(name).Given() }
	chosen, ok := p.provider.wires[api]
	switch {
	case !ok:
		return nil, fault.BadRequestf("Provider '%s' has no interface '%s' that can be called", p.name, api)
	case p.name == vertexName && has("messages"):
		return nil, fault.BadRequestf("Provider '%s' can be called for models of Google only", p.name)
	case api == "" && has("input") && !has("messages") && p.provider.wires["responses"] != nil:
		return &responsesWire, nil
	case chosen == &chatWire && has("prompt") && !has("messages") && p.completes():
		return &completionWire, nil
	default:
		return chosen, nil
	}
}

// completes reports whether the model can be given a text to complete. The
// models of the large providers no longer can, but for a few.
func (p *plan) completes() bool {
	if p.provider.keyless {
		return true
	}
	base, _, _ := strings.Cut(p.model, ":")
	return strings.HasSuffix(base, "-instruct") || strings.Contains(base, "-instruct-") ||
		slices.Contains([]string{"babbage-002", "davinci-002"}, base)
}
