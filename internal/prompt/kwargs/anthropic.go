package kwargs

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// anthropicShape picks one of Anthropic's interfaces.
func anthropicShape(in Input) shape {
	if isCompletion(in.Template) {
		return shape{write: writePrompt, limit: "max_tokens_to_sample"}
	}
	return shape{write: writeAnthropic, limit: "max_tokens"}
}

// writeAnthropic writes the arguments of Anthropic's messages interface.
func writeAnthropic(b *builder) {
	if b.derive("messages") {
		b.open('[')
		t := &turns{b: b, list: "content"}
		for m := range b.messages() {
			b.anthropicMessage(t, m)
		}
		t.end()
		b.close(']')
	}
	b.anthropicSystem()
	b.anthropicTools()
	if format, definition := b.responseFormat(); format == "json_schema" {
		b.amend("output_config", "format", func() {
			b.open('{')
			b.str("type", format)
			b.given("schema", definition.Get("schema"))
			b.close('}')
		})
	}
	b.finish()
}

func (b *builder) anthropicMessage(t *turns, m message) {
	switch m.role {
	case rolePlaceholder:
		t.end()
		b.raw(m.v.Raw())
	case roleSystem, roleDeveloper:
	case roleTool, roleFunction:
		t.beginResult()
		b.anthropicResult(m)
	case roleAssistant:
		t.begin(roleAssistant, false)
		for it := range items(m.content) {
			b.anthropicReply(it)
		}
		for c := range calls(m.v) {
			b.anthropicCall(c)
		}
	default:
		t.begin(roleUser, false)
		for it := range items(m.content) {
			b.anthropicBlock(it)
		}
	}
}

// anthropicReply writes a block of the model's own. It shows no files, but
// what its provider's tools did for it.
func (b *builder) anthropicReply(it item) {
	v := it.v
	switch it.kind {
	case "text":
		b.anthropicText(it)
	case "thinking":
		// Reasoning is only taken back with the signature that proves it.
		if signature := v.Get("signature"); signature.Str() != "" {
			b.open('{')
			b.str("type", "thinking")
			b.text("thinking", v.Get("thinking"))
			b.member("signature", signature)
			b.close('}')
		}
	case "server_tool_use":
		b.anthropicServerCall(v)
	case "web_search_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result":
		b.open('{')
		b.str("type", it.kind)
		b.text("tool_use_id", v.Get("tool_use_id"))
		b.member("content", v.Get("content"))
		b.endBlock(v)
	}
}

// anthropicServerCall writes the use of one of the provider's own tools.
// Another provider's searches are known by their id and are left out.
func (b *builder) anthropicServerCall(v jsontree.Value) {
	if isOpenAISearch(v.Get("id").Str()) {
		return
	}
	b.open('{')
	b.str("type", "server_tool_use")
	b.text("id", v.Get("id"))
	b.text("name", v.Get("name"))
	b.key("input")
	b.argumentObject(v.Get("input"))
	b.endBlock(v)
}

// anthropicBlock writes a block of a user's message or of a tool's result.
func (b *builder) anthropicBlock(it item) {
	if it.kind == "text" {
		b.anthropicText(it)
		return
	}
	if f, ok := fileOf(it); ok {
		b.anthropicFile(&f)
	}
}

func (b *builder) anthropicText(it item) {
	b.open('{')
	b.str("type", "text")
	b.member("text", it.text)
	b.keep(it.v, "citations")
	b.endBlock(it.v)
}

// endBlock closes a block with its mark for caching, which any may have.
func (b *builder) endBlock(v jsontree.Value) {
	b.keep(v, "cache_control")
	b.close('}')
}

// anthropicFile writes an image or a document. Sound and films are not taken.
func (b *builder) anthropicFile(f *file) {
	plain, isPlain := f.plainText()
	switch {
	case f.kind() == "image":
		b.open('{')
		b.str("type", "image")
	case f.kind() == "audio" || f.kind() == "video":
		return
	default:
		b.open('{')
		b.str("type", "document")
		if f.title != "" && f.title != "media" {
			b.str("title", f.title)
		}
		b.keep(f.v, "context", "citations")
	}
	b.key("source")
	b.open('{')
	switch {
	case f.url != "":
		b.str("type", "url")
		b.str("url", f.url)
	case isPlain:
		b.str("type", "text")
		b.str("media_type", "text/plain")
		b.str("data", plain)
	default:
		b.str("type", "base64")
		b.str("media_type", f.mime)
		b.str("data", f.data)
	}
	b.close('}')
	b.endBlock(f.v)
}

// plainText returns what a file of text says. It reports false for other
// files and for text that is not there to be read.
func (f *file) plainText() (string, bool) {
	if f.kind() != "text" || f.data == "" {
		return "", false
	}
	text, err := base64.StdEncoding.DecodeString(f.data)
	return string(text), err == nil && utf8.Valid(text)
}

func (b *builder) anthropicCall(c call) {
	b.open('{')
	b.str("type", "tool_use")
	b.text("id", c.id)
	b.member("name", c.name)
	b.key("input")
	b.argumentObject(c.arguments)
	b.endBlock(c.v)
}

func (b *builder) anthropicResult(m message) {
	b.open('{')
	b.str("type", "tool_result")
	b.text("tool_use_id", resultID(m))
	b.key("content")
	b.open('[')
	for it := range items(m.content) {
		b.anthropicBlock(it)
	}
	b.close(']')
	b.keep(m.v, "is_error")
	b.endBlock(m.v)
}

// anthropicSystem writes the instructions, which are no message: as a string,
// or as blocks if one of them is marked for caching.
func (b *builder) anthropicSystem() {
	start := len(b.buf)
	if !b.derive("system") {
		return
	}
	if b.systemIsMarked() {
		b.open('[')
		for it := range b.systemItems() {
			b.anthropicText(it)
		}
		b.close(']')
		return
	}
	b.buf = append(b.buf, '"')
	begin := len(b.buf)
	b.systemText()
	if len(b.buf) == begin {
		b.buf = b.buf[:start]
		return
	}
	b.buf = append(b.buf, '"')
}

func (b *builder) systemIsMarked() bool {
	for it := range b.systemItems() {
		if it.v.Get("cache_control").Given() {
			return true
		}
	}
	return false
}

// systemText appends the texts of all system messages, each on a line of its
// own.
func (b *builder) systemText() {
	begin := len(b.buf)
	for m := range b.messages() {
		if m.role != roleSystem && m.role != roleDeveloper {
			continue
		}
		if len(b.buf) > begin {
			b.buf = append(b.buf, `\n`...)
		}
		for it := range items(m.content) {
			if it.kind == "text" {
				b.inner(it.text)
			}
		}
	}
}
