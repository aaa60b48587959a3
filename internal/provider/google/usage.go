package google

import "github.com/promptuary/promptuary/internal/provider"

// usage locates the token counts in answers. Thoughts and tool results are
// counted separately; thoughts cost as much as the answer.
var usage = provider.Usage{
	At:       "usage_metadata",
	Input:    []string{"prompt_token_count"},
	Output:   []string{"candidates_token_count"},
	Cached:   []string{"cached_content_token_count"},
	Thinking: []string{"thoughts_token_count"},
	Tools:    []string{"tool_use_prompt_token_count"},
	Bill: func(t provider.Tokens) provider.Bill {
		input := t.Input + t.Tools
		cached := min(t.Cached, input)
		return provider.Bill{Input: input - cached, Cached: cached, Output: t.Output + t.Thinking}
	},
}
