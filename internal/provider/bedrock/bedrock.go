// Package bedrock implements Amazon Bedrock's Converse API.
package bedrock

import "github.com/promptuary/promptuary/internal/provider"

// Providers is Amazon Bedrock. It cannot be called, because its request signing
// is not supported.
var Providers = []*provider.Provider{{
	Name: "amazon.bedrock", APIs: []*provider.API{&converse}, Libraries: []string{"boto3"},
}}

var converse = provider.API{
	Format: &provider.Format{Write: write, Limit: "maxTokens", Nested: "inferenceConfig", Canon: canon},
	Reader: &provider.Reader{
		Functions: []string{"converse", "converse_stream"}, Matches: matches,
		Input: input, Output: output, Distinct: true, Usage: readUsage,
	},
	Lacks: []provider.Part{provider.PartCalling, provider.PartStreaming},
}

func matches(x provider.Exchange) bool {
	return provider.FirstGiven(x.Kwargs, "model_id", "inference_config", "tool_config").Given()
}
