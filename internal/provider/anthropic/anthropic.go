// Package anthropic implements Anthropic's Messages API, which other providers
// offer too.
package anthropic

import (
	"strings"

	"github.com/promptuary/promptuary/internal/provider"
)

// Providers are Anthropic, and its models at Amazon, which cannot be called
// because its request signing is not supported.
var Providers = []*provider.Provider{
	{
		Name: "anthropic", APIs: []*provider.API{&Messages}, Libraries: []string{"anthropic"},
		Base: "https://api.anthropic.com/",
		Keys: []string{"ANTHROPIC_API_KEY"}, Bases: []string{"ANTHROPIC_BASE_URL"},
	},
	{
		Name: "anthropic.bedrock", APIs: []*provider.API{&uncalled}, Libraries: []string{"anthropic"},
	},
}

// Messages is the Messages API.
var Messages = provider.API{
	Format: &provider.Format{Write: write, Limit: "max_tokens"},
	Reader: &provider.Reader{
		Functions: []string{"messages.create", "messages.stream"}, Matches: matches,
		Input: input, Output: output, Distinct: true, Usage: readUsage,
	},
	Caller:     &provider.Caller{Address: address, Body: body, Finish: finish, WantsJSON: wantsJSON, Stream: newStream},
	Completion: &completions,
}

// uncalled is the Messages API at a provider that cannot be called.
var uncalled = provider.API{
	Format: Messages.Format, Reader: Messages.Reader, Completion: &completions,
	Lacks: []provider.Part{provider.PartCalling, provider.PartStreaming},
}

// completions is the legacy API that completes a prompt. Its recorded calls are
// read like OpenAI's, and prompts are sent to the Messages API instead.
var completions = provider.API{
	Format: &provider.Format{Write: writePrompt, Limit: "max_tokens_to_sample"},
	Lacks:  []provider.Part{provider.PartReading, provider.PartCalling, provider.PartStreaming, provider.PartUsage},
}

func matches(x provider.Exchange) bool {
	return x.Kwargs.Get("messages").Given() && (strings.HasPrefix(x.ProviderType, "anthropic") ||
		strings.HasPrefix(x.FunctionName, "anthropic") ||
		x.Kwargs.Get("system").Given() || x.Response.Get("type").Str() == "message")
}
