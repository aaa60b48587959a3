// Package builtin lists the built-in providers.
package builtin

import (
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/anthropic"
	"github.com/promptuary/promptuary/internal/provider/bedrock"
	"github.com/promptuary/promptuary/internal/provider/google"
	"github.com/promptuary/promptuary/internal/provider/mistral"
	"github.com/promptuary/promptuary/internal/provider/openai"
	"github.com/promptuary/promptuary/internal/provider/openrouter"
	"github.com/promptuary/promptuary/internal/provider/vertex"
)

// Providers are all providers, one line per folder. A recorded call of an
// unknown function is read by the first provider that recognises its arguments,
// so providers with distinctive arguments come before those that resemble
// OpenAI.
var Providers = provider.NewSet(openai.Compatible, &openai.Unknown,
	google.Providers,
	vertex.Providers,
	bedrock.Providers,
	anthropic.Providers,
	openai.Providers,
	mistral.Providers,
	openrouter.Providers,
)
