package reqlog

import (
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/template"
)

// AppendBlueprint appends the prompt blueprint of a log: the template that
// holds its input followed by its output, and the model it was sent to. What
// the client wrote is copied byte by byte, nothing is added to messages.
func AppendBlueprint(dst []byte, l *Log) []byte {
	input, _ := jsontree.Parse(l.Input)
	output, _ := jsontree.Parse(l.Output)
	return AppendBlueprintFrom(dst, l, input, output)
}

// AppendBlueprintFrom is AppendBlueprint for a caller that has the trees of the
// log's input and output already.
func AppendBlueprintFrom(dst []byte, l *Log, input, output jsontree.Value) []byte {
	dst = append(dst, `{"prompt_template":`...)
	dst = appendPromptTemplate(dst, input, output)
	dst = append(dst, `,"commit_message":null,"metadata":{"model":{"provider":`...)
	dst = jsontree.AppendQuoted(dst, l.Provider)
	dst = append(dst, `,"name":`...)
	dst = jsontree.AppendQuoted(dst, l.Engine)
	dst = append(dst, `,"parameters":`...)
	if len(l.Parameters) > 0 {
		dst = append(dst, l.Parameters...)
	} else {
		dst = append(dst, "{}"...)
	}
	dst = append(dst, `,"api_type":`...)
	if l.APIType != "" {
		dst = jsontree.AppendQuoted(dst, l.APIType)
	} else {
		dst = append(dst, "null"...)
	}
	return append(dst, `,"model_config_display_name":null,"base_model":null,"display_params":{}}},`+
		`"provider_base_url_name":null,"report_id":null,"inference_client_name":null,"provider_id":null}`...)
}

// appendPromptTemplate appends the input's template with the output at its
// end. As soon as one of the two is a chat, the whole is one.
func appendPromptTemplate(dst []byte, input, output jsontree.Value) []byte {
	if template.KindOf(input) == template.Completion && template.KindOf(output) != template.Chat {
		dst = append(dst, `{"type":"completion",`...)
		dst = appendMembers(dst, input, "type", "content")
		list := listWriter{dst: append(dst, `"content":[`...)}
		list.elements(input.Get("content"))
		list.elements(output.Get("content"))
		return append(list.dst, "]}"...)
	}
	dst = append(dst, `{"type":"chat",`...)
	if template.KindOf(input) == template.Completion {
		dst = appendMembers(dst, input, "type", "messages", "content", "template_format")
	} else {
		dst = appendMembers(dst, input, "type", "messages")
	}
	list := listWriter{dst: append(dst, `"messages":[`...)}
	list.messages(input, "user")
	list.messages(output, "assistant")
	return append(list.dst, "]}"...)
}

// appendMembers appends the members of an object as they were written, without
// those to skip, each with a comma behind it.
func appendMembers(dst []byte, object jsontree.Value, skip ...string) []byte {
	for key, member := range object.Members() {
		if slices.Contains(skip, key) {
			continue
		}
		dst = append(dst, member.RawKey()...)
		dst = append(dst, ':')
		dst = append(dst, member.Raw()...)
		dst = append(dst, ',')
	}
	return dst
}

// listWriter appends elements of an array with commas between them.
type listWriter struct {
	dst   []byte
	begun bool
}

func (w *listWriter) comma() {
	if w.begun {
		w.dst = append(w.dst, ',')
	}
	w.begun = true
}

// elements appends what stands between the brackets of an array.
func (w *listWriter) elements(array jsontree.Value) {
	if array.Kind() != jsontree.Array || array.Len() == 0 {
		return
	}
	w.comma()
	raw := array.Raw()
	w.dst = append(w.dst, raw[1:len(raw)-1]...)
}

// messages appends the messages of a chat; a completion becomes one message of
// the role unless it is empty.
func (w *listWriter) messages(said jsontree.Value, role string) {
	if template.KindOf(said) != template.Completion {
		w.elements(said.Get("messages"))
		return
	}
	content := said.Get("content")
	if content.Kind() != jsontree.Array || content.Len() == 0 {
		return
	}
	w.comma()
	w.dst = append(w.dst, `{"role":"`...)
	w.dst = append(w.dst, role...)
	w.dst = append(w.dst, `","content":`...)
	w.dst = append(w.dst, content.Raw()...)
	if format := said.Get("template_format"); format.Given() {
		w.dst = append(w.dst, `,"template_format":`...)
		w.dst = append(w.dst, format.Raw()...)
	}
	w.dst = append(w.dst, '}')
}
