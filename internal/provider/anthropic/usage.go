package anthropic

import "github.com/promptuary/promptuary/internal/provider"

// usage locates the token counts in answers. Input read from or written to the
// cache is not included in the input.
var usage = provider.Usage{
	At: "usage", Input: []string{"input_tokens"}, Output: []string{"output_tokens"},
	Cached: []string{"cache_read_input_tokens"}, Stored: []string{"cache_creation_input_tokens"},
	Bill: func(t provider.Tokens) provider.Bill {
		return provider.Bill{Input: t.Input, Cached: t.Cached, Stored: t.Stored, Output: t.Output}
	},
}
