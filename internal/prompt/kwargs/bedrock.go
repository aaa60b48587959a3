package kwargs

import (
	"slices"
	"strings"
)

var bedrockShape = shape{
	write: writeBedrock, limit: "maxTokens", nested: "inferenceConfig", canon: bedrockName,
}

// writeBedrock writes the arguments of Bedrock's converse interface.
func writeBedrock(b *builder) {
	if b.in.Model != "" && b.derive("modelId") {
		b.quoted(b.in.Model)
	}
	usesTools := false
	if b.derive("messages") {
		b.open('[')
		t := &turns{b: b, list: "content"}
		for m := range b.messages() {
			usesTools = b.bedrockMessage(t, m) || usesTools
		}
		t.end()
		b.close(']')
	}
	b.bedrockSystem()
	b.bedrockTools(usesTools)
	b.bedrockFormat()
	b.bedrockParams()
}

// bedrockMessage writes one message and reports whether it calls a tool or
// answers a call. Roles must take turns, so messages of one role are joined.
func (b *builder) bedrockMessage(t *turns, m message) (usesTools bool) {
	switch m.role {
	case rolePlaceholder:
		t.end()
		b.raw(m.v.Raw())
	case roleSystem, roleDeveloper:
	case roleTool, roleFunction:
		t.begin(roleUser, true)
		b.bedrockResult(m)
		return true
	case roleAssistant:
		t.begin(roleAssistant, true)
		for it := range items(m.content) {
			b.bedrockReply(it)
		}
		for c := range calls(m.v) {
			b.bedrockCall(c)
			usesTools = true
		}
	default:
		t.begin(roleUser, true)
		for it := range items(m.content) {
			b.bedrockBlock(it)
		}
	}
	return usesTools
}

// bedrockReply writes a block of the model's own, which shows no files.
func (b *builder) bedrockReply(it item) {
	switch it.kind {
	case "text":
		b.bedrockText(it)
	case "thinking":
		b.open('{')
		b.key("reasoningContent")
		b.open('{')
		b.key("reasoningText")
		b.open('{')
		b.text("text", it.v.Get("thinking"))
		if signature := it.v.Get("signature"); signature.Str() != "" {
			b.member("signature", signature)
		}
		b.buf = append(b.buf, "}}}"...)
	}
}

func (b *builder) bedrockText(it item) {
	b.open('{')
	b.member("text", it.text)
	b.close('}')
}

// bedrockBlock writes a block of a user's message or of a tool's result.
func (b *builder) bedrockBlock(it item) {
	if it.kind == "text" {
		b.bedrockText(it)
		return
	}
	if f, ok := fileOf(it); ok {
		b.bedrockFile(&f)
	}
}

// bedrockFile writes a file. Only data and files in Amazon's own store are
// taken, and only of known formats.
func (b *builder) bedrockFile(f *file) {
	kind, format := f.bedrockFormat()
	if format == "" || f.url != "" && !strings.HasPrefix(f.url, "s3://") {
		return
	}
	b.open('{')
	b.key(kind)
	b.open('{')
	b.str("format", format)
	if kind == "document" {
		b.str("name", documentName(f.name()))
	}
	b.key("source")
	b.open('{')
	if f.url != "" {
		b.key("s3Location")
		b.open('{')
		b.str("uri", f.url)
		b.close('}')
	} else {
		b.str("bytes", f.data)
	}
	b.buf = append(b.buf, "}}}"...)
}

// bedrockFormats are Bedrock's words for types that others call differently.
var bedrockFormats = map[string]string{
	"plain": "txt", "markdown": "md", "3gpp": "three_gp", "quicktime": "mov", "x-matroska": "mkv",
	"msword": "doc", "vnd.ms-excel": "xls",
	"vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
	"vnd.openxmlformats-officedocument.spreadsheetml.sheet":       "xlsx",
}

var bedrockDocuments = []string{"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"}

// bedrockFormat returns the kind of a file's block and its format, which is
// empty for documents that are not taken.
func (f *file) bedrockFormat() (kind, format string) {
	format = f.subtype()
	if word, ok := bedrockFormats[format]; ok {
		format = word
	}
	switch kind = f.kind(); kind {
	case "image", "video", "audio":
		return kind, format
	}
	if !slices.Contains(bedrockDocuments, format) {
		format = ""
	}
	return "document", format
}

// documentName turns a title into a name of the few characters that are
// allowed in one.
func documentName(title string) string {
	return strings.Map(func(r rune) rune {
		letter := 'a' <= r|0x20 && r|0x20 <= 'z'
		if letter || '0' <= r && r <= '9' || strings.ContainsRune(" -()[]", r) {
			return r
		}
		return '-'
	}, title)
}

func (b *builder) bedrockCall(c call) {
	b.open('{')
	b.key("toolUse")
	b.open('{')
	b.text("toolUseId", c.id)
	b.member("name", c.name)
	b.key("input")
	b.argumentObject(c.arguments)
	b.buf = append(b.buf, "}}"...)
}

func (b *builder) bedrockResult(m message) {
	b.open('{')
	b.key("toolResult")
	b.open('{')
	b.text("toolUseId", resultID(m))
	b.key("content")
	b.open('[')
	for it := range items(m.content) {
		b.bedrockBlock(it)
	}
	b.close(']')
	if m.v.Get("is_error").Bool() {
		b.str("status", "error")
	}
	b.buf = append(b.buf, "}}"...)
}

func (b *builder) bedrockSystem() {
	start := len(b.buf)
	if !b.derive("system") {
		return
	}
	b.open('[')
	for it := range b.systemItems() {
		b.bedrockText(it)
	}
	b.closeUnlessEmpty(start, "]")
}

// bedrockTools writes the tools. There is no way to forbid their use but to
// leave them out, which is refused once the conversation has used them.
func (b *builder) bedrockTools(used bool) {
	list, chosen := b.tools(true)
	start := len(b.buf)
	if chosen.mode == "none" && !used || !b.derive("toolConfig") {
		return
	}
	b.open('{')
	b.key("tools")
	b.open('[')
	for i := range list {
		b.bedrockTool(&list[i])
	}
	if !b.closeUnlessEmpty(start, "]") {
		return
	}
	b.bedrockChoice(chosen)
	b.close('}')
}

func (b *builder) bedrockTool(t *tool) {
	switch t.kind {
	case functionTool:
		b.open('{')
		b.key("toolSpec")
		b.open('{')
		b.member("name", t.name)
		if description := t.definition.Get("description"); description.Str() != "" {
			b.member("description", description)
		}
		b.key("inputSchema")
		b.open('{')
		b.key("json")
		b.raw(t.schemaOrEmpty())
		b.buf = append(b.buf, "}}}"...)
	case builtInTool:
		b.asConfig(t)
	case nativeTool:
		b.untyped(t)
	default:
		b.raw(t.v.Raw())
	}
}

func (b *builder) bedrockChoice(c choice) {
	switch c.mode {
	case "auto":
		b.key("toolChoice")
		b.raw([]byte(`{"auto":{}}`))
	case "required":
		b.key("toolChoice")
		b.raw([]byte(`{"any":{}}`))
	case "named":
		b.key("toolChoice")
		b.open('{')
		b.key("tool")
		b.open('{')
		b.member("name", c.name)
		b.buf = append(b.buf, "}}"...)
	}
}
