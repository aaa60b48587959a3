package bedrock

import "github.com/promptuary/promptuary/internal/provider"

// usage locates the token counts in answers.
var usage = provider.Usage{
	At: "usage", Input: []string{"input_tokens"}, Output: []string{"output_tokens"},
	Cached: []string{"cache_read_input_tokens"},
}
