package convert

import "github.com/promptuary/promptuary/internal/jsontree"

// maxTokens is the most that one call is believed to have used. Larger counts
// are a client's mistake and would spoil every sum they enter.
const maxTokens = 1_000_000_000

type tokens struct {
	input, output, cached, thinking int64
}

// usage reads the token counts of a response. Streams often have none.
func usage(response jsontree.Value) tokens {
	u := response.Get("usage")
	google := field(response, "usage_metadata")
	return tokens{
		input: firstCount(field(u, "prompt_tokens"), field(u, "input_tokens"), field(google, "prompt_token_count")),
		output: firstCount(field(u, "completion_tokens"), field(u, "output_tokens"),
			field(google, "candidates_token_count")),
		cached: firstCount(
			field(field(u, "prompt_tokens_details"), "cached_tokens"),
			field(field(u, "input_tokens_details"), "cached_tokens"),
			field(u, "cache_read_input_tokens"),
			field(google, "cached_content_token_count")),
		thinking: firstCount(
			field(field(u, "completion_tokens_details"), "reasoning_tokens"),
			field(field(u, "output_tokens_details"), "reasoning_tokens"),
			field(google, "thoughts_token_count")),
	}
}

// firstCount returns the first value that is a believable count, 0 without one.
func firstCount(values ...jsontree.Value) int64 {
	for _, v := range values {
		if n, ok := v.Int(); ok && n > 0 && n <= maxTokens {
			return n
		}
	}
	return 0
}
