// Package google implements the Gemini API.
package google

import "github.com/promptuary/promptuary/internal/provider"

// Providers is Google.
var Providers = []*provider.Provider{{
	Name: "google", APIs: []*provider.API{Gemini("v1beta", resource)}, Libraries: []string{"google", "genai"},
	Base: "https://generativelanguage.googleapis.com/",
	Keys: []string{"GOOGLE_API_KEY", "GEMINI_API_KEY"}, Bases: []string{"GOOGLE_GEMINI_BASE_URL"},
}}

// reader reads recorded calls of content generation and of chats.
var reader = provider.Reader{
	Functions: []string{
		"model.generate_content", "generate_content", "generate_content_stream", "send_message", "send_message_stream",
	},
	Matches: func(x provider.Exchange) bool { return provider.FirstGiven(x.Kwargs, "contents", "history").Given() },
	Input:   input, Output: output, Distinct: true, Usage: readUsage,
}

// Gemini returns the API of a version. The function returns the resource name
// of a model.
func Gemini(version string, resource func(model string) string) *provider.API {
	return &provider.API{
		Format: &provider.Format{Write: write, Limit: "max_output_tokens", Nested: configName, Canon: provider.Snake},
		Reader: &reader,
		Caller: &provider.Caller{
			Address: address(version, resource), Body: body, Finish: finish, WantsJSON: wantsJSON, Stream: newStream,
		},
	}
}
