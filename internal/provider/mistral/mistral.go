// Package mistral implements Mistral, whose API is OpenAI-compatible.
package mistral

import (
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/openai"
)

// Providers is Mistral.
var Providers = []*provider.Provider{
	openai.Follower(provider.Provider{
		Name: "mistral", Libraries: []string{"mistral", "mistralai"}, Base: "https://api.mistral.ai/v1/",
		Keys: []string{"MISTRAL_API_KEY"}, Bases: []string{"MISTRAL_BASE_URL"},
	}, openai.Dialect{NoDeveloper: true, Documents: openai.DocumentURL, NoStreamUsage: true}),
}
