// Package builtin lists the providers that this program knows.
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

// Providers are all providers, a line for each folder. A recorded call whose
// function is not known is read by the first provider that recognises its
// arguments, so those with a shape of their own come before the many that look
// like OpenAI's.
var Providers = provider.NewSet(openai.Compatible, &openai.Unknown,
	google.Providers,
	vertex.Providers,
	bedrock.Providers,
	anthropic.Providers,
	openai.Providers,
	mistral.Providers,
	openrouter.Providers,
)
