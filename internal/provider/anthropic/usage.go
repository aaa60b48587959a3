package anthropic

import "github.com/promptuary/promptuary/internal/provider"

// usage is where answers say how many tokens a call took. Input read from the
// cache and input written to it are not part of the input.
var usage = provider.Usage{
	At: "usage", Input: []string{"input_tokens"}, Output: []string{"output_tokens"},
	Cached: []string{"cache_read_input_tokens"}, Stored: []string{"cache_creation_input_tokens"},
	Bill: func(t provider.Tokens) provider.Bill {
		return provider.Bill{Input: t.Input, Cached: t.Cached, Stored: t.Stored, Output: t.Output}
	},
}
