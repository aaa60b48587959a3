package bedrock

import "github.com/promptuary/promptuary/internal/provider"

// usage is where answers say how many tokens a call took.
var usage = provider.Usage{
	At: "usage", Input: []string{"input_tokens"}, Output: []string{"output_tokens"},
	Cached: []string{"cache_read_input_tokens"},
}
