package anthropic

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// readUsage reads the token counts of an answer. Anthropic counts input that
// was read from or written to the cache separately from the other input.
func readUsage(answer jsontree.Value) provider.Usage {
	v := provider.Field(answer, "usage")
	read := provider.CountOf(v, "cache_read_input_tokens")
	short, long := provider.CountOf(v, "cache_creation.ephemeral_5m_input_tokens"), provider.CountOf(v, "cache_creation.ephemeral_1h_input_tokens")
	write := provider.CountOf(v, "cache_creation_input_tokens", "cache_write_input_tokens").Or(short.Plus(long))
	return provider.Usage{
		Input:     provider.CountOf(v, "input_tokens").With(read, write),
		Output:    provider.CountOf(v, "output_tokens"),
		CacheRead: read, CacheWrite: write, CacheWriteLong: long,
		Batch: provider.BatchTier(provider.Field(v, "service_tier")),
	}
}
