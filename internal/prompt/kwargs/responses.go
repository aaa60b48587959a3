package kwargs

import "github.com/promptuary/promptuary/internal/jsontree"

// writeResponses writes the arguments of OpenAI's Responses interface, whose
// input is a list of items: messages, and whatever a model did in between.
func writeResponses(b *builder) {
	if b.derive("input") {
		b.open('[')
		for m := range b.messages() {
			b.responseItems(m)
		}
		b.close(']')
	}
	b.responseTools()
	b.responseText()
	b.finish()
}

func (b *builder) responseItems(m message) {
	switch m.role {
	case rolePlaceholder:
		b.raw(m.v.Raw())
	case roleAssistant:
		b.repliedItems(m)
		for c := range calls(m.v) {
			b.callItem(c)
		}
	case roleTool, roleFunction:
		b.resultItems(m)
	default:
		b.inputMessage(m)
	}
}

// inputMessage writes a message of anyone but the model. What is an item of
// its own parts it.
func (b *builder) inputMessage(m message) {
	start := -1
	for it := range items(m.content) {
		if isItem(it) {
			b.endInput(&start)
			b.item(it)
			continue
		}
		if start < 0 {
			start = len(b.buf)
			b.open('{')
			b.str("role", m.role)
			b.key("content")
			b.open('[')
		}
		b.inputPart(it)
	}
	b.endInput(&start)
}

func (b *builder) endInput(start *int) {
	if *start >= 0 {
		b.closeUnlessEmpty(*start, "]}")
	}
	*start = -1
}

func (b *builder) inputPart(it item) {
	if it.kind == "text" {
		b.open('{')
		b.str("type", "input_text")
		b.member("text", it.text)
		b.close('}')
		return
	}
	if f, ok := fileOf(it); ok {
		b.inputFile(&f)
	}
}

func (b *builder) inputFile(f *file) {
	switch f.kind() {
	case "image":
		b.open('{')
		b.str("type", "input_image")
		b.stringOr("detail", f.detail, "auto")
		b.key("image_url")
		f.address(b)
		b.close('}')
	case "audio", "video":
	default:
		b.open('{')
		b.str("type", "input_file")
		if f.url != "" {
			b.str("file_url", f.url)
		} else {
			b.str("filename", f.name())
			b.key("file_data")
			f.address(b)
		}
		b.close('}')
	}
}

// repliedItems writes what the model said and did. Its texts are strings,
// because in a list the interface demands them to be of another type than
// the one under which clients fill in variables.
func (b *builder) repliedItems(m message) {
	open, thinking := false, ""
	endText := func() {
		if open {
			b.buf = append(b.buf, `"}`...)
		}
		open = false
	}
	for it := range items(m.content) {
		switch {
		case it.kind == "text" && open:
			b.inner(it.text)
		case it.kind == "text":
			b.open('{')
			b.str("role", roleAssistant)
			b.key("content")
			b.buf = append(b.buf, '"')
			b.inner(it.text)
			open, thinking = true, ""
		case it.kind == "thinking":
			endText()
			thinking = b.reasoningItem(it.v, thinking)
		default:
			endText()
			b.item(it)
			thinking = ""
		}
	}
	endText()
}

// reasoningItem writes reasoning, which is only taken back under its id, and
// returns that id. Blocks in a row with one id are the texts of one item, so
// before is the id of the item that was just written.
func (b *builder) reasoningItem(v jsontree.Value, before string) string {
	id, thinking := v.Get("id").Str(), v.Get("thinking")
	const tail = "]}"
	switch {
	case id == "" || thinking.Kind() != jsontree.String:
		return ""
	case id == before:
		b.buf = b.buf[:len(b.buf)-len(tail)]
	default:
		b.open('{')
		b.str("type", "reasoning")
		b.member("id", v.Get("id"))
		b.keep(v, "encrypted_content")
		b.key("summary")
		b.open('[')
	}
	if raw := thinking.Raw(); len(raw) > len(`""`) {
		b.open('{')
		b.str("type", "summary_text")
		b.member("text", thinking)
		b.close('}')
	}
	b.buf = append(b.buf, tail...)
	return id
}

func (b *builder) callItem(c call) {
	b.open('{')
	b.str("type", "function_call")
	b.text("call_id", c.id)
	b.member("name", c.name)
	b.key("arguments")
	b.argumentText(c.arguments)
	if id := c.v.Get("tool_id"); id.Str() != "" {
		b.member("id", id)
	}
	b.close('}')
}

// resultItems writes a tool's result. The results of OpenAI's own tools are
// items already; those of functions are a text, or a list with files in it.
func (b *builder) resultItems(m message) {
	list, own := false, false
	for it := range items(m.content) {
		own = own || isItem(it)
		_, file := fileOf(it)
		list = list || file
	}
	if own {
		for it := range items(m.content) {
			b.item(it)
		}
		return
	}
	b.open('{')
	b.str("type", "function_call_output")
	b.text("call_id", resultID(m))
	b.key("output")
	if !list {
		b.joinedOrEmpty(m.content)
		b.close('}')
		return
	}
	b.open('[')
	for it := range items(m.content) {
		b.inputPart(it)
	}
	b.buf = append(b.buf, "]}"...)
}

func (b *builder) responseTools() {
	list, chosen := b.tools(true)
	start, written := len(b.buf), b.derive("tools")
	if written {
		b.open('[')
		for i := range list {
			b.responseTool(&list[i])
		}
		written = b.closeUnlessEmpty(start, "]")
	}
	if !written || chosen.mode == "" || !b.derive("tool_choice") {
		return
	}
	if chosen.mode != "named" {
		b.raw(chosen.v.Raw())
		return
	}
	b.open('{')
	b.str("type", "function")
	b.member("name", chosen.name)
	b.close('}')
}

func (b *builder) responseTool(t *tool) {
	switch t.kind {
	case functionTool:
		b.open('{')
		b.str("type", "function")
		b.member("name", t.name)
		b.given("description", t.definition.Get("description"))
		b.key("parameters")
		b.raw(t.schemaOrEmpty())
		b.key("strict")
		b.raw(t.strict())
		b.close('}')
	case builtInTool:
		b.openAITool(t)
	default:
		b.raw(t.v.Raw())
	}
}

// strict returns whether arguments must follow the schema to the letter. The
// interface takes silence for yes, a template takes it for no.
func (t *tool) strict() []byte {
	if v := t.definition.Get("strict"); v.Kind() == jsontree.Bool {
		return v.Raw()
	}
	return []byte("false")
}

// responseText writes the form of the answer, which other interfaces call
// the response format.
func (b *builder) responseText() {
	format, definition := b.responseFormat()
	if format == "" {
		return
	}
	b.amend("text", "format", func() {
		b.open('{')
		b.str("type", format)
		b.keep(definition, "name", "description", "schema", "strict")
		b.close('}')
	})
}
