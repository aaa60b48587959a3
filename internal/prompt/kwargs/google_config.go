package kwargs

import "github.com/promptuary/promptuary/internal/jsontree"

// googleSystem writes the instructions, which are no message.
func (b *builder) googleSystem() {
	start := len(b.buf)
	if !b.derive("system_instruction") {
		return
	}
	b.open('{')
	b.key("parts")
	b.open('[')
	for it := range b.systemItems() {
		b.open('{')
		b.member("text", it.text)
		b.close('}')
	}
	b.closeUnlessEmpty(start, "]}")
}

// googleTools writes the functions in one tool, and each of the provider's
// own tools in one of its own.
func (b *builder) googleTools() {
	list, chosen := b.tools(true)
	start, written := len(b.buf), b.derive("tools")
	if written {
		b.open('[')
		b.declarations(list)
		for i := range list {
			b.googleTool(&list[i])
		}
		written = b.closeUnlessEmpty(start, "]")
	}
	if written && chosen.mode != "" && chosen.mode != "other" && b.derive("tool_config") {
		b.googleChoice(chosen)
	}
}

func (b *builder) declarations(list []tool) {
	start := len(b.buf)
	b.open('{')
	b.key("function_declarations")
	b.open('[')
	for i := range list {
		t := &list[i]
		if t.kind != functionTool {
			continue
		}
		b.open('{')
		b.member("name", t.name)
		b.given("description", t.definition.Get("description"))
		if !t.takesNothing() {
			b.given("parameters", t.schema)
		}
		b.close('}')
	}
	b.closeUnlessEmpty(start, "]}")
}

// takesNothing reports whether a function has no parameters: Google refuses
// the schema of an object that can hold nothing.
func (t *tool) takesNothing() bool {
	return t.schema.Get("type").Str() == "object" && t.schema.Get("properties").Len() == 0
}

// googleBuiltIns are the provider's own tools, told apart by their member.
var googleBuiltIns = map[string]string{
	"web_search": "google_search", "google_maps": "google_maps", "url_context": "url_context",
	"code_interpreter": "code_execution", "file_search": "file_search",
}

func (b *builder) googleTool(t *tool) {
	own, ok := googleBuiltIns[t.word]
	switch {
	case t.kind == functionTool:
	case t.kind == nativeTool:
		b.untyped(t)
	case t.kind == openTool:
		b.raw(t.v.Raw())
	case ok && t.config.Get(own).Kind() != jsontree.Object:
		b.open('{')
		b.key(own)
		b.open('{')
		b.rest(t.config, "type", "name")
		b.buf = append(b.buf, "}}"...)
	default:
		b.asConfig(t)
	}
}

var googleModes = map[string]string{"auto": "AUTO", "none": "NONE", "required": "ANY", "named": "ANY"}

func (b *builder) googleChoice(c choice) {
	b.open('{')
	b.key("function_calling_config")
	b.open('{')
	b.str("mode", googleModes[c.mode])
	if c.mode == "named" {
		b.key("allowed_function_names")
		b.open('[')
		b.raw(c.name.Raw())
		b.close(']')
	}
	b.buf = append(b.buf, "}}"...)
}

// googleFormat writes the wish for an answer in JSON.
func (b *builder) googleFormat() {
	format, definition := b.responseFormat()
	if format != "json_schema" && format != "json_object" {
		return
	}
	if b.derive("response_mime_type") {
		b.quoted("application/json")
	}
	if schema := definition.Get("schema"); schema.Given() && b.derive("response_schema") {
		b.raw(schema.Raw())
	}
}
