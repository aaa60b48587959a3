package kwargs

// anthropicTools writes the tools and the choice among them.
func (b *builder) anthropicTools() {
	list, chosen := b.tools(true)
	start, written := len(b.buf), b.derive("tools")
	if written {
		b.open('[')
		for i := range list {
			b.anthropicTool(&list[i])
		}
		written = b.closeUnlessEmpty(start, "]")
	}
	if written && chosen.mode != "" && b.derive("tool_choice") {
		b.anthropicChoice(chosen)
	}
}

func (b *builder) anthropicTool(t *tool) {
	switch t.kind {
	case functionTool:
		b.open('{')
		b.member("name", t.name)
		b.given("description", t.definition.Get("description"))
		b.key("input_schema")
		b.raw(t.schemaOrEmpty())
		b.endBlock(t.v)
	case builtInTool:
		if own, ok := anthropicBuiltIns[t.word]; ok {
			b.configured(t, own.kind, own.name)
			return
		}
		b.asConfig(t)
	default:
		b.raw(t.v.Raw())
	}
}

// anthropicBuiltIns are the provider's own tools, whose types carry the date
// they were made on.
var anthropicBuiltIns = map[string]struct{ kind, name string }{
	"web_search":       {"web_search_20250305", "web_search"},
	"url_context":      {"web_fetch_20250910", "web_fetch"},
	"code_interpreter": {"code_execution_20250825", "code_execution"},
	"bash":             {"bash_20250124", "bash"},
	"text_editor":      {"text_editor_20250728", "str_replace_based_edit_tool"},
}

func (b *builder) anthropicChoice(c choice) {
	switch c.mode {
	case "named":
		b.open('{')
		b.str("type", "tool")
		b.member("name", c.name)
		b.close('}')
	case "required":
		b.raw([]byte(`{"type":"any"}`))
	case "other":
		b.raw(c.v.Raw())
	default:
		b.open('{')
		b.str("type", c.mode)
		b.close('}')
	}
}
