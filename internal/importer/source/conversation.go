package source

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
)

// conversation reads an input and an output of any form: templates, messages,
// requests and responses of OpenAI's API, and texts. Other JSON is a text, too.
func conversation(model string, parameters, input, output jsontree.Value) provider.Record {
	request, response := requestOf(model, parameters, input), responseOf(output)
	record := builtin.Providers.Read(provider.Exchange{FunctionName: openAIFunction(request, response), Kwargs: request, Response: response})
	if isTemplate(input) {
		record.Input = input.Raw()
	}
	if isTemplate(output) {
		record.Output = output.Raw()
	}
	return record
}

// isTemplate reports whether a value is the template of a log.
func isTemplate(v jsontree.Value) bool {
	return v.Get("type").Is("chat") && v.Get("messages").Kind() == jsontree.Array ||
		v.Get("type").Is("completion") && v.Get("content").Kind() == jsontree.Array
}

// requestOf returns the request with an input.
func requestOf(model string, parameters, input jsontree.Value) jsontree.Value {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		if model != "" {
			w.Key("model").String(model)
		}
		w.Members(parameters, "model", "messages")
		switch {
		case input.Get("messages").Kind() == jsontree.Array && !isTemplate(input):
			w.Members(input, "model")
		case isMessages(input):
			w.Key("messages").Value(input)
		case isMessage(input):
			w.Key("messages").Array(func() { w.Value(input) })
		case input.Given() && !isTemplate(input):
			w.Key("messages").Array(func() { writeMessage(&w, "user", input) })
		default:
			w.Key("messages").Array(func() {})
		}
	})
	return parsed(w.Bytes())
}

// responseOf returns the response with an output.
func responseOf(output jsontree.Value) jsontree.Value {
	switch {
	case !output.Given() || isTemplate(output):
		return jsontree.MustParse(`{}`)
	case output.Get("choices").Kind() == jsontree.Array || output.Get("object").Is("response"):
		return output
	case isMessage(output):
		return answerOf(output)
	case isMessages(output):
		return answerOf(provider.First(output))
	}
	w := jsontree.NewWriter(nil)
	writeMessage(&w, "assistant", output)
	return answerOf(parsed(w.Bytes()))
}

// isMessage reports whether a value is a chat message.
func isMessage(v jsontree.Value) bool {
	return v.Get("role").Kind() == jsontree.String && (v.Get("content").Kind() != jsontree.Absent || v.Get("tool_calls").Given())
}

func isMessages(v jsontree.Value) bool {
	return v.Kind() == jsontree.Array && isMessage(provider.First(v))
}

// writeMessage writes a message with the text of a value.
func writeMessage(w *jsontree.Writer, role string, v jsontree.Value) {
	text := v.Str()
	if v.Kind() != jsontree.String {
		text = string(v.Raw())
	}
	w.Object(func() {
		w.Key("role").String(role)
		w.Key("content").String(text)
	})
}
