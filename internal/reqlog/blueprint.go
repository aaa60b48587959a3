package reqlog

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/template"
)

// Form is the form of the texts in a blueprint.
type Form uint8

const (
	// Replayable texts are escaped for their template format: publishing and
	// rendering the blueprint gives the logged texts. Whatever else the registry
	// would reject is changed so that it does not.
	Replayable Form = iota
	// AsLogged copies the client's JSON unchanged and adds nothing to messages.
	AsLogged
)

// WriteBlueprint writes the prompt blueprint of a log: the template with its
// input followed by its output, the model it was sent to, and the name of the
// inference client, "" for none.
func WriteBlueprint(w *jsontree.Writer, l *Log, form Form, inferenceClient string) {
	input, _ := jsontree.Parse(l.Input)
	output, _ := jsontree.Parse(l.Output)
	writeBlueprint(w, l, input, output, form, inferenceClient)
}

// Constant members of every blueprint: copying them as one block is faster.
var (
	constantModel     = jsontree.MustParse(`{"model_config_display_name":null,"base_model":null,"display_params":{}}`)
	constantBlueprint = jsontree.MustParse(`{"provider_base_url_name":null,"report_id":null}`)
)

// writeBlueprint is WriteBlueprint for parsed input and output.
func writeBlueprint(w *jsontree.Writer, l *Log, input, output jsontree.Value, form Form, inferenceClient string) {
	parameters := l.Parameters
	if form == Replayable {
		input, output, parameters = replay(input, output, parameters)
	}
	w.Object(func() {
		w.Key("prompt_template").Object(func() { writeTemplate(w, input, output) })
		w.Key("commit_message").Null()
		w.Key("metadata").Object(func() {
			w.Key("model").Object(func() {
				w.Key("provider").String(l.Provider)
				w.Key("name").String(l.Engine)
				w.Key("parameters").RawOr(parameters, "{}")
				w.Key("api_type").StringOrNull(l.APIType)
				w.Members(constantModel)
			})
		})
		w.Members(constantBlueprint)
		w.Key("inference_client_name").StringOrNull(inferenceClient)
		w.Key("provider_id").Null()
	})
}

// replay returns the parts of a blueprint in the form Replayable. Tools and the
// response format are templates, too, if one of the messages is in Jinja2.
func replay(input, output jsontree.Value, parameters json.RawMessage) (jsontree.Value, jsontree.Value, json.RawMessage) {
	if template.KindOf(input) == template.Completion && template.KindOf(output) == template.Completion {
		input, output = joinCompletions(input, output), jsontree.Value{} // they share a format
	}
	input, output = template.Replay(input), template.Replay(output)
	if !template.UsesJinja(input) && !template.UsesJinja(output) {
		return input, output, parameters
	}
	for _, name := range []string{"tools", "functions"} {
		input = escapeMember(input, name)
	}
	given, _ := jsontree.Parse(parameters) // absent if there are none
	if given.Get("response_format").Given() {
		parameters = escapeMember(given, "response_format").Raw()
	}
	return input, output, parameters
}

// joinCompletions returns a completion with the content of both.
func joinCompletions(input, output jsontree.Value) jsontree.Value {
	w := jsontree.NewWriter(nil)
	w.Object(func() { writeTemplate(&w, input, output) })
	joined, err := jsontree.Parse(w.Bytes())
	if err != nil {
		return input
	}
	return joined
}

// escapeMember escapes the strings of a member of an object for Jinja2.
func escapeMember(object jsontree.Value, name string) jsontree.Value {
	member := object.Get(name)
	escaped := template.EscapeJSON(member)
	if string(escaped.Raw()) == string(member.Raw()) {
		return object
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Members(object, name)
		w.Key(name).Value(escaped)
	})
	changed, err := jsontree.Parse(w.Bytes())
	if err != nil {
		return object
	}
	return changed
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
