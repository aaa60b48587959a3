package kwargs

import (
	"bytes"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// googleConfig is the argument that holds all settings. Names are in snake
// case: the Python client takes them so, the JavaScript client translates.
const googleConfig = "generation_config"

var googleShape = shape{write: writeGoogle, limit: "max_output_tokens", nested: googleConfig, canon: snake}

// writeGoogle writes the arguments of Google's chats and of its content
// generation.
func writeGoogle(b *builder) {
	list := "history"
	if isCompletion(b.in.Template) {
		list = "contents"
	}
	if b.derive(list) {
		b.open('[')
		t := &turns{b: b, list: "parts"}
		for m := range b.messages() {
			b.googleMessage(t, m)
		}
		t.end()
		b.close(']')
	}
	b.key(googleConfig)
	b.open('{')
	b.googleSystem()
	b.googleTools()
	b.googleFormat()
	b.googleSettings()
	b.close('}')
	b.finish()
}

// googleSettings writes the parameters that are settings. The few that are
// arguments of their own are left.
func (b *builder) googleSettings() {
	b.params.take(googleConfig) // it is no object, or its members were set
	for i := range b.params.list {
		p := &b.params.list[i]
		switch p.canon {
		case "model", "history", "contents", "stream":
			continue
		}
		if !p.taken {
			p.write(b, p.key)
			p.taken = true
		}
	}
}

func (b *builder) googleMessage(t *turns, m message) {
	switch m.role {
	case rolePlaceholder:
		t.end()
		b.raw(m.v.Raw())
	case roleSystem, roleDeveloper:
	case roleTool, roleFunction:
		t.beginResult()
		b.googleResult(m)
	case roleAssistant:
		t.begin("model", false)
		for it := range items(m.content) {
			b.googlePart(it)
		}
		for c := range calls(m.v) {
			b.googleCall(c)
		}
	default:
		t.begin(roleUser, false)
		for it := range items(m.content) {
			b.googlePart(it)
		}
	}
}

func (b *builder) googlePart(it item) {
	v := it.v
	switch it.kind {
	case "text":
		b.open('{')
		b.member("text", it.text)
		b.signature(v.Get("thought_signature"))
		b.close('}')
	case "thinking":
		b.open('{')
		b.text("text", v.Get("thinking"))
		b.key("thought")
		b.raw([]byte("true"))
		b.signature(v.Get("signature"))
		b.close('}')
	case "code":
		b.open('{')
		b.key("executable_code")
		b.open('{')
		b.text("code", v.Get("code"))
		b.stringOr("language", v.Get("language"), "PYTHON")
		b.buf = append(b.buf, "}}"...)
	case "code_execution_result":
		b.open('{')
		b.key("code_execution_result")
		b.open('{')
		b.text("output", v.Get("output"))
		b.stringOr("outcome", v.Get("outcome"), "OUTCOME_OK")
		b.buf = append(b.buf, "}}"...)
	default:
		if f, ok := fileOf(it); ok {
			b.googleFile(&f)
		}
	}
}

// signature writes the mark by which a model knows its own thoughts again.
func (b *builder) signature(v jsontree.Value) {
	if v.Str() != "" {
		b.member("thought_signature", v)
	}
}

func (b *builder) googleFile(f *file) {
	b.open('{')
	if f.url != "" {
		b.key("file_data")
		b.open('{')
		b.str("file_uri", f.url)
	} else {
		b.key("inline_data")
		b.open('{')
		b.str("data", f.data)
	}
	b.str("mime_type", f.mime)
	b.close('}')
	b.signature(f.v.Get("provider_metadata").Get("thought_signature"))
	b.close('}')
}

func (b *builder) googleCall(c call) {
	b.open('{')
	b.key("function_call")
	b.open('{')
	b.googleID(c.id, c.name)
	b.member("name", c.name)
	b.key("args")
	b.argumentObject(c.arguments)
	b.close('}')
	b.signature(c.v.Get("provider_metadata").Get("thought_signature"))
	b.close('}')
}

// googleID writes a call's id. Vertex AI knows none, and where the name stands
// in for it the provider gave none.
func (b *builder) googleID(id, name jsontree.Value) {
	if id.Str() != "" && id.Str() != name.Str() && b.in.Provider != "vertexai" {
		b.member("id", id)
	}
}

// googleResult writes a tool's result, which must be an object.
func (b *builder) googleResult(m message) {
	name := b.functionName(m)
	b.open('{')
	b.key("function_response")
	b.open('{')
	b.googleID(resultID(m), name)
	b.text("name", name)
	b.key("response")
	b.resultObject(m.content)
	b.buf = append(b.buf, "}}"...)
}

// resultObject writes a result as the object that its text is, or as one
// that holds the text.
func (b *builder) resultObject(content jsontree.Value) {
	var text []byte
	for it := range items(content) {
		if it.kind == "text" {
			text = it.text.AppendStr(text)
		}
	}
	if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 && trimmed[0] == '{' {
		if parsed, err := jsontree.Parse(trimmed); err == nil {
			b.raw(parsed.Raw())
			return
		}
	}
	b.open('{')
	b.str("result", string(text))
	b.close('}')
}
