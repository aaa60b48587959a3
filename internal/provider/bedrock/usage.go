package bedrock

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// readUsage reads the token counts of an answer. Bedrock counts input that was
// read from or written to the cache separately from the other input.
func readUsage(answer jsontree.Value) provider.Usage {
	v := provider.Field(answer, "usage")
	if provider.FirstGiven(v, "cache_creation_input_tokens", "cache_creation").Given() {
		return provider.Usage{} // in the format of Anthropic
	}
	read, write := provider.CountOf(v, "cache_read_input_tokens"), provider.CountOf(v, "cache_write_input_tokens")
	return provider.Usage{
		Input:     provider.CountOf(v, "input_tokens").With(read, write),
		Output:    provider.CountOf(v, "output_tokens"),
		CacheRead: read, CacheWrite: write, CacheWriteLong: keptLong(v),
	}
}

// keptLong returns the input that was written to the cache for an hour.
func keptLong(usage jsontree.Value) provider.Count {
	var long provider.Count
	for _, detail := range provider.Field(usage, "cache_details").Elems() {
		if detail.Get("ttl").Is("1h") {
			long = long.Plus(provider.CountOf(detail, "input_tokens"))
		}
	}
	return long
}
