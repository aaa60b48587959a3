package reqlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/provider"
)

// TestUsage reads the token counts of a logged request: the totals, and usage
// objects in the formats of providers.
func TestUsage(t *testing.T) {
	t.Parallel()
	tokens := provider.Tokens
	for name, test := range map[string]struct {
		provider, members string
		want              provider.Usage
	}{
		"nothing":   {"openai", `"tags":[]`, provider.Usage{}},
		"null":      {"openai", `"input_tokens":null,"output_tokens":null,"usage":null`, provider.Usage{}},
		"zeros":     {"openai", `"input_tokens":0,"output_tokens":0`, provider.Usage{Input: tokens(0), Output: tokens(0)}},
		"totals":    {"openai", `"input_tokens":7,"output_tokens":3`, provider.Usage{Input: tokens(7), Output: tokens(3)}},
		"one total": {"openai", `"input_tokens":7`, provider.Usage{Input: tokens(7)}},
		"a usage object": {
			"openai", `"usage":{"prompt_tokens":9,"completion_tokens":4,"prompt_tokens_details":{"cached_tokens":8},"completion_tokens_details":{"reasoning_tokens":2}}`,
			provider.Usage{Input: tokens(9), Output: tokens(4), CacheRead: tokens(8), Reasoning: tokens(2)},
		},
		"a usage object among the parameters, and totals that a client always sends": {
			"anthropic", `"input_tokens":0,"output_tokens":0,"parameters":{"usage":{"input_tokens":10,"cache_read_input_tokens":90,"output_tokens":5}}`,
			provider.Usage{Input: tokens(100), Output: tokens(5), CacheRead: tokens(90)},
		},
		"Google's names":  {"google", `"usage":{"promptTokenCount":5,"candidatesTokenCount":2,"thoughtsTokenCount":3}`, provider.Usage{Input: tokens(5), Output: tokens(5), Reasoning: tokens(3)}},
		"other provider":  {"my gateway", `"usage":{"inputTokens":10,"outputTokens":1,"cacheReadInputTokens":90,"cacheWriteInputTokens":0}`, provider.Usage{Input: tokens(100), Output: tokens(1), CacheRead: tokens(90), CacheWrite: tokens(0)}},
		"a batch":         {"openai", `"input_tokens":7,"parameters":{"service_tier":"flex"}`, provider.Usage{Input: tokens(7), Batch: true}},
		"a usage without": {"openai", `"input_tokens":7,"usage":{"prompt_tokens":-1,"x":[]}`, provider.Usage{Input: tokens(7)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := strings.Replace(minimalBody, `"provider":"openai"`, `"provider":"`+test.provider+`"`, 1) + "," + test.members + "}"
			in, problems := decode(t, body)
			if problems.Any() {
				t.Fatal(problems.Err())
			}
			if diff := cmp.Diff(test.want, in.Log.Usage); diff != "" {
				t.Errorf("usage (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUsageMustBeAnObject(t *testing.T) {
	t.Parallel()
	for _, value := range []string{`5`, `"a"`, `[]`, `true`} {
		if _, problems := decode(t, minimalBody+`,"usage":`+value+`}`); !cmp.Equal(broken(problems), []string{"usage: dict_type"}) {
			t.Errorf("%s: got %v", value, broken(problems))
		}
	}
}

// TestPriceSource checks that a price of 0 is a price, and that none is not 0.
func TestPriceSource(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]Price{
		`"price":0`:    {Source: PriceSent},
		`"price":1.5`:  {USD: 1.5, Source: PriceSent},
		`"price":null`: {},
		`"tags":[]`:    {},
	} {
		in, problems := decode(t, minimalBody+","+members+"}")
		if problems.Any() || in.Log.Price != want {
			t.Errorf("%s: got %v (%v), want %v", members, in.Log.Price, problems.Err(), want)
		}
	}
}
