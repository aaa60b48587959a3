package reqlog

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/template"
)

// WriteBlueprint writes the prompt blueprint of a log: the template with its
// input followed by its output, and the model it was sent to. It copies the
// client's JSON unchanged and adds nothing to messages.
func WriteBlueprint(w *jsontree.Writer, l *Log) {
	input, _ := jsontree.Parse(l.Input)
	output, _ := jsontree.Parse(l.Output)
	writeBlueprint(w, l, input, output)
}

// Constant members of every blueprint: copying them as one block is faster.
var (
	constantModel     = jsontree.MustParse(`{"model_config_display_name":null,"base_model":null,"display_params":{}}`)
	constantBlueprint = jsontree.MustParse(`{"provider_base_url_name":null,"report_id":null,"inference_client_name":null,"provider_id":null}`)
)

// writeBlueprint is WriteBlueprint for parsed input and output.
func writeBlueprint(w *jsontree.Writer, l *Log, input, output jsontree.Value) {
	w.Object(func() {
		w.Key("prompt_template").Object(func() { writeTemplate(w, input, output) })
		w.Key("commit_message").Null()
		w.Key("metadata").Object(func() {
			w.Key("model").Object(func() {
				w.Key("provider").String(l.Provider)
				w.Key("name").String(l.Engine)
				w.Key("parameters").RawOr(l.Parameters, "{}")
				w.Key("api_type").StringOrNull(l.APIType)
				w.Members(constantModel)
			})
		})
		w.Members(constantBlueprint)
	})
}

// writeTemplate writes the members of the input's template with the output
// appended. If either is a chat, the result is a chat.
func writeTemplate(w *jsontree.Writer, input, output jsontree.Value) {
	completion := template.KindOf(input) == template.Completion
	if completion && template.KindOf(output) != template.Chat {
		w.Key("type").String("completion")
		w.Members(input, "type", "content")
		w.Key("content").Array(func() {
			w.Elements(input.Get("content"))
			w.Elements(output.Get("content"))
		})
		return
	}
	w.Key("type").String("chat")
	if completion {
		w.Members(input, "type", "messages", "content", "template_format")
	} else {
		w.Members(input, "type", "messages")
	}
	w.Key("messages").Array(func() {
		writeMessages(w, input, "user")
		writeMessages(w, output, "assistant")
	})
}

// writeMessages writes the messages of a chat. A completion that is not empty
// becomes one message with the role.
func writeMessages(w *jsontree.Writer, said jsontree.Value, role string) {
	if template.KindOf(said) != template.Completion {
		w.Elements(said.Get("messages"))
		return
	}
	content := said.Get("content")
	if content.Kind() != jsontree.Array || content.Len() == 0 {
		return
	}
	w.Object(func() {
		w.Key("role").String(role)
		w.Key("content").Value(content)
		if format := said.Get("template_format"); format.Given() {
			w.Key("template_format").Value(format)
		}
	})
}
