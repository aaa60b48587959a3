package anthropic_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// TestLimit covers the limit of the answer, which the APIs require.
func TestLimit(t *testing.T) {
	t.Parallel()
	limited := func(name, provider, model, parameters, overrides, want string) pt.Case {
		return pt.Case{
			Name: name, Provider: provider, Model: model, Template: pt.Chat(""), Parameters: parameters, Overrides: overrides,
			Want: `{"messages":[],"model":"` + model + `",` + want + `}`,
		}
	}
	pt.Run(t, []pt.Case{
		limited("a recent model", "anthropic", "claude-sonnet-4-5", `{}`, ``, `"max_tokens":8192`),
		limited("an older model", "anthropic", "claude-3-haiku-20240307", `{}`, ``, `"max_tokens":4096`),
		limited("between them", "anthropic", "claude-3-5-haiku-latest", `{}`, ``, `"max_tokens":8192`),
		limited("another name", "anthropic", "mine", `{}`, ``, `"max_tokens":4096`),
		limited("on bedrock", "anthropic.bedrock", "anthropic.claude-opus-4-1-20250805-v1:0", ``, ``, `"max_tokens":8192`),
		limited("on vertex", "vertexai", "claude-opus-4@20250514", ``, ``, `"max_tokens":8192`),
		limited("as given", "anthropic", "claude-opus-4-5", `{"max_tokens":5,"top_k":1}`, ``, `"max_tokens":5,"top_k":1`),
		limited("zero is given", "anthropic", "claude-opus-4-5", `{"max_tokens":0}`, ``, `"max_tokens":0`),
		limited("null is not", "anthropic", "claude-opus-4-5", `{"max_tokens":null,"top_k":1}`, ``, `"max_tokens":8192,"top_k":1`),
		limited("as given for another provider", "anthropic", "claude-opus-4-5", `{"max_completion_tokens":7,"top_k":1}`, ``, `"top_k":1,"max_tokens":7`),
		limited("the own name wins", "anthropic", "claude-opus-4-5", `{"max_tokens":5}`, `{"maxOutputTokens":9}`, `"max_tokens":9`),
		limited("reasoning comes on top", "anthropic", "claude-opus-4-5", `{"thinking":{"type":"enabled","budget_tokens":10000}}`, ``,
			`"thinking":{"type":"enabled","budget_tokens":10000},"max_tokens":18192`),
		limited("a budget that makes no sense", "anthropic", "claude-opus-4-5", `{"thinking":{"budget_tokens":-1e308}}`, ``,
			`"thinking":{"budget_tokens":-1e308},"max_tokens":8192`),
		limited("a huge budget", "anthropic", "claude-opus-4-5", `{"thinking":{"budget_tokens":9223372036854775807}}`, ``,
			`"thinking":{"budget_tokens":9223372036854775807},"max_tokens":8192`),
		{
			Name: "the model of the parameters", Provider: "anthropic", Model: "claude-3-opus-latest", Template: pt.Chat(""),
			Parameters: `{"model":"claude-opus-4-5"}`, Want: `{"messages":[],"model":"claude-opus-4-5","max_tokens":8192}`,
		},
		{
			Name: "a completion", Provider: "anthropic", Model: "claude-2.1", Template: pt.Hello,
			Want: `{"prompt":"Hello, you","model":"claude-2.1","max_tokens_to_sample":4096}`,
		},
		{
			Name: "a completion with a limit", Provider: "anthropic", Model: "claude-2.1", Template: pt.Hello, Parameters: `{"max_tokens":5}`,
			Want: `{"prompt":"Hello, you","model":"claude-2.1","max_tokens_to_sample":5}`,
		},
	})
}
