package kwargs

import "github.com/promptuary/promptuary/internal/jsontree"

// toolKind tells the ways apart in which a template offers a tool.
type toolKind int

const (
	// functionTool is a function that the caller runs.
	functionTool toolKind = iota
	// builtInTool is one that the provider runs, described by a config.
	builtInTool
	// nativeTool is written in some provider's own form.
	nativeTool
	// openTool is a variable or a reference that was not looked up.
	openTool
)

// tool is something a model may use.
type tool struct {
	kind toolKind
	v    jsontree.Value
	// name, definition and schema belong to a function.
	name, definition, schema jsontree.Value
	// word and config belong to a built-in tool.
	word   string
	config jsontree.Value
}

var builtInWords = map[string]string{
	"web_search": "web_search", "file_search": "file_search", "code_interpreter": "code_interpreter",
	"image_generation": "image_generation", "google_maps": "google_maps", "url_context": "url_context",
	"mcp": "mcp", "openai_mcp": "mcp", "bash": "bash", "shell": "shell", "apply_patch": "apply_patch",
	"text_editor": "text_editor",
}

// readTool reads one tool. It reports false for what no provider can take:
// references that are to be dropped, and functions without a name.
func (b *builder) readTool(v jsontree.Value) (tool, bool) {
	word := v.Get("type").Str()
	config := v.Get("config")
	builtIn, known := builtInWords[word]
	switch {
	case v.Kind() != jsontree.Object:
		return tool{}, false
	case word == "variable" || word == "registry":
		return tool{kind: openTool, v: v}, b.in.KeepPlaceholders
	case word == "function" || word == "":
		return readFunction(v)
	case known && (config.Kind() == jsontree.Object || v.Len() == 1):
		return tool{kind: builtInTool, v: v, word: builtIn, config: config}, true
	case v.Get("mcp_server_id").Given():
		// A server that the registry runs is known by its functions, not here.
		return tool{}, false
	default:
		return tool{kind: nativeTool, v: v}, true
	}
}

// readFunction reads a function, whose definition is inside of it or is it.
func readFunction(v jsontree.Value) (tool, bool) {
	t := tool{kind: functionTool, v: v, definition: v.Get("function")}
	if t.definition.Kind() != jsontree.Object {
		t.definition = v
	}
	t.name = t.definition.Get("name")
	for _, key := range []string{"parameters", "input_schema"} {
		if schema := t.definition.Get(key); schema.Kind() == jsontree.Object {
			t.schema = schema
			break
		}
	}
	return t, t.name.Kind() == jsontree.String
}

// tools returns what the template offers and what it says about choosing.
// Where functions of the old kind have no place of their own they are tools.
func (b *builder) tools(oldKind bool) ([]tool, choice) {
	list := b.in.Template.Get("tools")
	chosen := b.in.Template.Get("tool_choice")
	read := b.readTools(list)
	if len(read) == 0 && oldKind {
		read = b.readTools(b.in.Template.Get("functions"))
		chosen = b.in.Template.Get("function_call")
	}
	return read, readChoice(chosen)
}

func (b *builder) readTools(list jsontree.Value) []tool {
	if list.Len() == 0 {
		return nil
	}
	out := make([]tool, 0, list.Len())
	for _, v := range list.Elems() {
		if t, ok := b.readTool(v); ok {
			out = append(out, t)
		}
	}
	return out
}

// emptySchema is the schema of a function without parameters.
var emptySchema = []byte(`{"type":"object","properties":{}}`)

func (t *tool) schemaOrEmpty() []byte {
	if t.schema.Given() {
		return t.schema.Raw()
	}
	return emptySchema
}

// configured writes a built-in tool's config as a tool of that type and name,
// unless the config says otherwise. The name may be empty.
func (b *builder) configured(t *tool, kind, name string) {
	b.open('{')
	b.stringOr("type", t.config.Get("type"), kind)
	if name != "" {
		b.stringOr("name", t.config.Get("name"), name)
	}
	b.rest(t.config, "type", "name", "execution_mode")
	b.close('}')
}

func (b *builder) stringOr(key string, v jsontree.Value, otherwise string) {
	if v.Kind() == jsontree.String {
		b.member(key, v)
		return
	}
	b.str(key, otherwise)
}

// asConfig writes a tool that the provider has no form for as its config. One
// that has none says nothing and is left out.
func (b *builder) asConfig(t *tool) {
	if t.config.Len() > 0 {
		b.raw(t.config.Raw())
	}
}

// untyped writes a tool of a provider that tells its tools apart by their
// only member. Such a tool may be kept with that member's name as its type.
func (b *builder) untyped(t *tool) {
	if word := t.v.Get("type").Str(); !t.v.Get(word).Given() {
		b.raw(t.v.Raw())
		return
	}
	b.open('{')
	b.rest(t.v, "type")
	b.close('}')
}

// choice is what a template says about choosing among its tools.
type choice struct {
	// mode is auto, none, required, named, or other for what has a form of
	// its own; it is empty when nothing is said.
	mode string
	name jsontree.Value
	v    jsontree.Value
}

// readChoice reads a choice in the forms that OpenAI and Anthropic use. A word
// that is none of theirs is the name of a tool.
func readChoice(v jsontree.Value) choice {
	switch v.Kind() {
	case jsontree.String:
		return choiceByWord(v.Str(), v, v)
	case jsontree.Object:
		name := v.Get("function").Get("name")
		if name.Kind() != jsontree.String {
			name = v.Get("name")
		}
		if name.Kind() == jsontree.String {
			return choice{mode: "named", name: name, v: v}
		}
		return choiceByWord(v.Get("type").Str(), v, jsontree.Value{})
	default:
		return choice{}
	}
}

func choiceByWord(word string, v, name jsontree.Value) choice {
	switch {
	case word == "auto" || word == "none" || word == "required":
		return choice{mode: word, v: v}
	case word == "any":
		return choice{mode: "required", v: v}
	case word != "" && name.Given():
		return choice{mode: "named", name: name, v: v}
	case word == "":
		return choice{}
	default:
		return choice{mode: "other", v: v}
	}
}
