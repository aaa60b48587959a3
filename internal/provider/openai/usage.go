package openai

import "github.com/promptuary/promptuary/internal/provider"

// usage locates the token counts in answers. Input read from the cache is
// included in the input.
var usage = provider.Usage{
	At:       "usage",
	Input:    []string{"prompt_tokens", "input_tokens"},
	Output:   []string{"completion_tokens", "output_tokens"},
	Cached:   []string{"prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens"},
	Thinking: []string{"completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens"},
	Bill: func(t provider.Tokens) provider.Bill {
		cached := min(t.Cached, t.Input)
		return provider.Bill{Input: t.Input - cached, Cached: cached, Output: t.Output}
	},
}
