package convert

import "github.com/promptuary/promptuary/internal/jsontree"

// fallbackInput reads the arguments of a call that no family knows: its
// messages, else its prompt, else nothing.
func fallbackInput(r *request) template {
	for _, read := range []func(*request) (template, bool){chatInput, completionInput, mediaInput} {
		if t, ok := read(r); ok {
			return t
		}
	}
	switch v := r.firstArg(); v.Kind() {
	case jsontree.String:
		return template{completion: true, content: promptBlocks(v)}
	case jsontree.Array, jsontree.Object:
		return template{messages: chatMessages(v)}
	default:
		return template{}
	}
}

// fallbackOutput reads the answer to a call that no family knows, or one that
// does not look like its family's answers.
func fallbackOutput(c Call) (message, bool) {
	for _, read := range []func(Call) (message, bool){
		chatOutput, anthropicOutput, googleOutput, bedrockOutput, responsesOutput, completionOutput,
	} {
		if m, ok := read(c); ok {
			return m, true
		}
	}
	if inner := c.Response.Get("message"); inner.Kind() == jsontree.Object {
		if m, ok := chatMessage(inner, roleAssistant); ok {
			return m, true
		}
	}
	if text, ok := findText(c.Response, 4); ok {
		return say(roleAssistant, plainText(text.Raw())), true
	}
	return message{}, false
}

// textKeys are the members under which providers put the text of an answer,
// or the list or object that holds it.
var textKeys = []string{
	"output_text", "text", "completion", "content", "generation", "generated_text", "answer",
	"generations", "results", "outputs", "response", "result", "output", "message",
}

// findText looks for an answer's text, no deeper than depth levels. What
// stands beside an error is not an answer.
func findText(v jsontree.Value, depth int) (jsontree.Value, bool) {
	switch v.Kind() {
	case jsontree.String:
		return v, v.Str() != ""
	case jsontree.Array:
		if depth > 0 {
			return findText(first(v), depth-1)
		}
	case jsontree.Object:
		if depth == 0 || v.Get("error").Given() {
			break
		}
		for _, key := range textKeys {
			if text, ok := findText(field(v, key), depth-1); ok {
				return text, true
			}
		}
	}
	return jsontree.Value{}, false
}
