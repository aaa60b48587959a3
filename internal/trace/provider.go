package trace

import (
	"slices"
	"strings"
)

// providerNames are the names that libraries have for providers, in lower case.
// Other names stay as they are.
var providerNames = map[string]string{
	"unknown": "",
	"openai":  "openai", "anthropic": "anthropic", "google": "google", "mistral": "mistral", "openrouter": "openrouter",
	"gemini": "google", "gcp.gemini": "google", "gcp.gen_ai": "google", "google.generative-ai": "google", "google_genai": "google",
	"vertex_ai": "vertexai", "gcp.vertex_ai": "vertexai", "vertexai": "vertexai", "google.vertex": "vertexai",
	"aws.bedrock": "amazon.bedrock", "aws": "amazon.bedrock", "bedrock": "amazon.bedrock", "amazon-bedrock": "amazon.bedrock", "amazon_bedrock": "amazon.bedrock",
	"azure.ai.openai": "openai.azure", "azure": "openai.azure", "azure-openai": "openai.azure", "azure_openai": "openai.azure", "az.ai.openai": "openai.azure",
	"mistralai": "mistral", "mistral_ai": "mistral",
}

// apiSuffixes are the APIs that the names of providers in the Vercel AI SDK end
// with, as in openai.chat.
var apiSuffixes = []string{".chat", ".responses", ".completion", ".messages", ".embedding", ".textembedding", ".image", ".transcription", ".speech"}

// modelProviders are the beginnings of model names that tell their provider.
var modelProviders = []struct{ prefix, provider string }{
	{"gpt-", "openai"}, {"chatgpt-", "openai"}, {"o1", "openai"}, {"o3", "openai"}, {"o4", "openai"}, {"text-embedding-", "openai"},
	{"claude-", "anthropic"}, {"gemini-", "google"}, {"mistral-", "mistral"}, {"codestral-", "mistral"},
}

// responses is the API type of OpenAI's Responses API.
const responses = "responses"

// provider returns the name of the provider and the type of its API, both "" if
// they are unknown.
func (v *view) provider() (name, apiType string) {
	sent := scalarText(v.own.fact(providerFact))
	name = strings.ToLower(sent)
	if i := slices.IndexFunc(apiSuffixes, func(suffix string) bool { return strings.HasSuffix(name, suffix) }); i >= 0 {
		sent = sent[:len(name)-len(apiSuffixes[i])]
		apiType = apiOf(apiSuffixes[i])
		name = strings.ToLower(sent)
	}
	if known, ok := providerNames[name]; ok {
		sent = known
	}
	if sent == "" {
		sent = ProviderOf(scalarText(v.own.fact(modelFact)))
	}
	if own := scalarText(v.first(apiTypeAttribute)); own != "" {
		apiType = own
	} else if v.operation() == embeddings {
		apiType = embeddings
	}
	return sent, apiType
}

// apiOf returns the API type for the suffix of a provider's name. Only the
// Responses API differs from the default of a provider.
func apiOf(suffix string) string {
	if suffix == "."+responses {
		return responses
	}
	return ""
}

// ProviderOf returns the provider of a well-known model, "" for any other.
func ProviderOf(model string) string {
	if name, _, ok := strings.Cut(model, "/"); ok {
		return providerNames[strings.ToLower(name)]
	}
	for _, known := range modelProviders {
		if strings.HasPrefix(strings.ToLower(model), known.prefix) {
			return known.provider
		}
	}
	return ""
}

// functionName returns the library function that such a call is usually made
// with.
func functionName(provider, apiType, operation string) string {
	switch provider {
	case "openai", "openai.azure":
		return "openai." + openAIFunction(apiType, operation)
	case "anthropic":
		return "anthropic.messages.create"
	case "google", "vertexai":
		if operation != embeddings {
			return "google.model.generate_content"
		}
	case "amazon.bedrock":
		return "boto3.bedrock-runtime.converse"
	case "":
		return operation
	}
	return provider + "." + operation
}

func openAIFunction(apiType, operation string) string {
	switch {
	case operation == embeddings:
		return "embeddings.create"
	case apiType == responses || operation == responses:
		return "responses.create"
	case operation == "text_completion":
		return "completions.create"
	default:
		return "chat.completions.create"
	}
}
