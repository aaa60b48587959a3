package builtin_test

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// words are the vocabulary of random templates: everything that Build looks
// for, in places where it may not belong.
var words = strings.Fields(`type role content messages text name id function functions tools tool_calls tool_call_id
	function_call tool_choice arguments parameters overrides input_schema config chat completion system developer user
	assistant tool placeholder variable registry image_url url detail media format base64 title output_media mime_type
	thinking signature code container_id server_tool_use web_search ws_1 fs_1 file_search input mcp_call shell_call_output
	mcp_approval_response web_search_tool_result tool_use_id cache_control response_format json_schema schema strict
	generation_config inferenceConfig additionalModelRequestFields output_config text outputConfig max_tokens
	maxOutputTokens stop model auto none required any is_error provider_metadata thought_signature tool_id
	data:image/png;base64,AAAA data:,%41 https://a.b/c.pdf s3://b/c {"a":1} {oops code_interpreter bash mcp`)

// randomValue returns JSON of a few levels. Top-level members have names that
// Build uses, so that most of it is covered.
func randomValue(r *rand.Rand, depth int) any {
	kind := r.IntN(10)
	switch {
	case depth > 0 && kind < 4:
		object := map[string]any{}
		for range r.IntN(6) {
			object[words[r.IntN(len(words))]] = randomValue(r, depth-1)
		}
		return object
	case depth > 0 && kind < 6:
		list := make([]any, r.IntN(4))
		for i := range list {
			list[i] = randomValue(r, depth-1)
		}
		return list
	case kind < 9:
		return words[r.IntN(len(words))]
	default:
		return []any{nil, true, 0, -1.5, ""}[r.IntN(5)]
	}
}

// randomItem returns a content item or a tool of a random type.
func randomItem(r *rand.Rand) any {
	object := map[string]any{"type": words[r.IntN(len(words))], "config": randomValue(r, 1)}
	for range r.IntN(5) {
		object[words[r.IntN(len(words))]] = randomValue(r, 2)
	}
	return object
}

func randomList(r *rand.Rand, element func(*rand.Rand) any) []any {
	list := make([]any, r.IntN(5))
	for i := range list {
		list[i] = element(r)
	}
	return list
}

func randomMessage(r *rand.Rand) any {
	roles := []any{"system", "developer", "user", "assistant", "tool", "function", "placeholder", nil}
	message := map[string]any{
		"role": roles[r.IntN(len(roles))], "content": randomList(r, randomItem), "tool_call_id": words[r.IntN(len(words))],
		"tool_calls": randomList(r, func(r *rand.Rand) any {
			return map[string]any{"id": words[r.IntN(len(words))], "function": map[string]any{
				"name": randomValue(r, 0), "arguments": randomValue(r, 2),
			}}
		}),
	}
	for range r.IntN(3) {
		message[words[r.IntN(len(words))]] = randomValue(r, 2)
	}
	return message
}

func TestBuildOfRandomTemplates(t *testing.T) {
	t.Parallel()
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 0))
		template := map[string]any{
			"type": []any{"chat", "completion"}[r.IntN(8)/7], "messages": randomList(r, randomMessage),
			"content": randomList(r, randomItem), "tools": randomList(r, randomItem), "functions": randomList(r, randomItem),
			"tool_choice": randomValue(r, 2), "parameters": randomValue(r, 3), "overrides": randomValue(r, 3),
		}
		body, err := json.Marshal(template)
		if err != nil {
			t.Fatal(err)
		}
		parsed := pt.Parse(t, string(body))
		for _, s := range everyShape {
			checkPayload(t, body, builtin.Providers.Arguments(provider.Input{
				Provider: s.provider, Model: s.model, APIType: s.api, KeepPlaceholders: seed%2 == 0,
				Template: parsed, Parameters: parsed.Get("parameters"), Overrides: parsed.Get("overrides"),
			}))
		}
	}
}
