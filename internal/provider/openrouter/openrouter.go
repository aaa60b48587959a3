// Package openrouter implements OpenRouter, whose API is OpenAI-compatible.
package openrouter

import (
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/openai"
)

// Providers is OpenRouter.
var Providers = []*provider.Provider{
	openai.Follower(provider.Provider{
		Name: "openrouter", ChatType: "chat", Libraries: []string{"openrouter"}, Base: "https://openrouter.ai/api/v1/",
		Keys: []string{"OPENROUTER_API_KEY"}, Bases: []string{"OPENROUTER_BASE_URL"},
	}, openai.Dialect{
		CacheControl: true, Plugins: true, Reasoning: true, Video: true, Documents: openai.FileDataOrURL,
	}, openai.Video, openai.Speech),
}
