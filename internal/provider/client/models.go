package client

import "strings"

// calledNames are the names under which models are called whose names in the
// list of prices stand for several releases and for none by themselves.
var calledNames = map[string]string{
	"gpt-5.2-chat": "gpt-5.2-chat-latest", "gpt-5.1-chat": "gpt-5.1-chat-latest", "gpt-5-chat": "gpt-5-chat-latest",
	"chatgpt-4o": "chatgpt-4o-latest",

	"claude-opus-4": "claude-opus-4-20250514", "claude-sonnet-4": "claude-sonnet-4-20250514",
	"claude-3-7-sonnet": "claude-3-7-sonnet-latest", "claude-3-5-sonnet": "claude-3-5-sonnet-latest",
	"claude-3-5-haiku": "claude-3-5-haiku-latest", "claude-3-opus": "claude-3-opus-latest",
	"claude-3-sonnet": "claude-3-sonnet-20240229", "claude-3-haiku": "claude-3-haiku-20240307",

	"gemini-3-pro": "gemini-3-pro-preview", "gemini-3-flash": "gemini-3-flash-preview",

	"mistral-large": "mistral-large-latest", "mistral-medium": "mistral-medium-latest", "mistral-small": "mistral-small-latest",
	"magistral-medium": "magistral-medium-latest", "magistral-small": "magistral-small-latest",
	"codestral": "codestral-latest", "pixtral-large": "pixtral-large-latest",
	"ministral-8b": "ministral-8b-latest", "ministral-3b": "ministral-3b-latest",
}

// models returns the models in the list of prices that answer, in its order.
func (p *provider) models() []string {
	var names []string
	for _, price := range listPrices {
		if p.prices == "" || price.Provider != p.prices || strings.HasPrefix(price.Model, "text-embedding-") {
			continue
		}
		name := price.Model
		if called, ok := calledNames[name]; ok {
			name = called
		}
		names = append(names, name)
	}
	return names
}
