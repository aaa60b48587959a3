package openai

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// readUsage reads the token counts of an answer of both APIs. Input read from
// the cache is part of the input, and reasoning part of the output. Mistral and
// DeepSeek name the cached input differently.
func readUsage(answer jsontree.Value) provider.Usage {
	v := provider.Field(answer, "usage")
	if countsCacheApart(v) {
		return provider.Usage{}
	}
	return provider.Usage{
		Input:     provider.CountOf(v, "prompt_tokens", "input_tokens"),
		Output:    provider.CountOf(v, "completion_tokens", "output_tokens"),
		CacheRead: provider.CountOf(v, "prompt_tokens_details.cached_tokens", "input_tokens_details.cached_tokens", "num_cached_tokens", "prompt_cache_hit_tokens"),
		Reasoning: provider.CountOf(v, "completion_tokens_details.reasoning_tokens", "output_tokens_details.reasoning_tokens"),
		Batch:     provider.BatchTier(provider.Field(answer, "service_tier")),
	}
}

// countsCacheApart reports whether the counts are those of a provider that
// counts cached input separately: a recorded answer need not have the format of
// the function that was called.
func countsCacheApart(usage jsontree.Value) bool {
	return !provider.FirstGiven(usage, "prompt_tokens", "input_tokens_details").Given() &&
		provider.FirstGiven(usage, "cache_read_input_tokens", "cache_creation_input_tokens", "cache_write_input_tokens").Given()
}
