package google

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// readUsage reads the token counts of an answer. The prompt includes what was
// read from the cache; results of tools and thoughts are counted separately.
func readUsage(answer jsontree.Value) provider.Usage {
	v := provider.FirstGiven(answer, "usage_metadata", "usage")
	thoughts := provider.CountOf(v, "thoughts_token_count")
	return provider.Usage{
		Input:     provider.CountOf(v, "prompt_token_count").With(provider.CountOf(v, "tool_use_prompt_token_count")),
		Output:    provider.CountOf(v, "candidates_token_count").Plus(thoughts),
		CacheRead: provider.CountOf(v, "cached_content_token_count"),
		Reasoning: thoughts,
	}
}
