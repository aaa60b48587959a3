package openai

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// Unknown reads recorded calls that no provider recognises; most resemble
// OpenAI's.
var Unknown = provider.Reader{
	Functions: []string{"embeddings.create"}, Input: unknownInput, Output: unknownOutput, Usage: readUsage,
}

// unknownInput reads the messages or the prompt of any call.
func unknownInput(r *provider.Reading) (provider.Blueprint, bool) {
	for _, read := range []func(*provider.Reading) (provider.Blueprint, bool){chatInput, completionInput, mediaInput} {
		if b, ok := read(r); ok {
			return b, true
		}
	}
	switch v := provider.First(r.Args); v.Kind() {
	case jsontree.String:
		return provider.Blueprint{Completion: true, Content: promptBlocks(v)}, true
	case jsontree.Array, jsontree.Object:
		return provider.Blueprint{Turns: chatTurns(v)}, true
	default:
		return provider.Blueprint{}, true
	}
}

// unknownOutput reads the response of an unknown API.
func unknownOutput(x provider.Exchange) (provider.Turn, bool) {
	if inner := x.Response.Get("message"); inner.Kind() == jsontree.Object {
		if t, ok := chatTurn(inner, provider.RoleAssistant); ok {
			return t, true
		}
	}
	if text := findText(x.Response, 4); text.Str() != "" {
		return provider.Say(provider.RoleAssistant, provider.PlainText(text)), true
	}
	return provider.Turn{}, false
}

// textMembers are the members that contain the text of a response, or the list
// or object with it.
var textMembers = []string{
	"output_text", "text", "completion", "content", "generation", "generated_text", "answer",
	"generations", "results", "outputs", "response", "result", "output", "message",
}

// findText returns the text of a response at most depth levels deep, or absent.
// A response with an error has no text.
func findText(v jsontree.Value, depth int) jsontree.Value {
	switch v.Kind() {
	case jsontree.String:
		return v
	case jsontree.Array:
		if depth > 0 {
			return findText(provider.First(v), depth-1)
		}
	case jsontree.Object:
		if depth == 0 || v.Get("error").Given() {
			break
		}
		for _, key := range textMembers {
			if text := findText(provider.Field(v, key), depth-1); text.Str() != "" {
				return text
			}
		}
	}
	return jsontree.Value{}
}
