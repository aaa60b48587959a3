package kwargs

import "github.com/promptuary/promptuary/internal/jsontree"

// openAIShape picks one of OpenAI's interfaces, which many others follow.
func openAIShape(in Input) shape {
	switch {
	case in.APIType == "responses":
		return shape{write: writeResponses, limit: "max_output_tokens"}
	case in.APIType == "images":
		return shape{write: writePrompt}
	case isCompletion(in.Template):
		return shape{write: writePrompt, limit: "max_tokens"}
	case in.Provider == "openai" || in.Provider == "openai.azure":
		return shape{write: writeChat, limit: "max_completion_tokens"}
	default:
		return shape{write: writeChat, limit: "max_tokens"}
	}
}

// openRouterShape picks one of OpenRouter's interfaces.
func openRouterShape(in Input) shape {
	switch in.APIType {
	case "images", "video":
		return shape{write: writePrompt}
	case "speech":
		return shape{write: writeSpeech}
	default:
		return openAIShape(in)
	}
}

// dialect is in what the followers of OpenAI's chat interface differ.
type dialect struct {
	// cacheControl says that parts may be marked for caching.
	cacheControl bool
	// developer says that there is a role between system and user.
	developer bool
	// plugins says that built-in tools are not among the tools.
	plugins bool
	// reasoning says that a model's reasoning can be sent back to it.
	reasoning bool
	// video says that films can be sent.
	video bool
	// documents is the form in which documents are sent.
	documents documentForm
}

type documentForm int

const (
	fileData documentForm = iota
	fileDataOrURL
	documentURL
)

func dialectOf(provider string) dialect {
	switch provider {
	case "openai", "openai.azure":
		return dialect{developer: true}
	case "mistral":
		return dialect{documents: documentURL}
	case "openrouter":
		return dialect{
			cacheControl: true, developer: true, plugins: true, reasoning: true, video: true,
			documents: fileDataOrURL,
		}
	default:
		return dialect{cacheControl: true, developer: true}
	}
}

// chat writes the arguments of a chat interface.
type chat struct {
	*builder
	dialect dialect
}

func writeChat(b *builder) {
	c := chat{builder: b, dialect: dialectOf(b.in.Provider)}
	if c.derive("messages") {
		c.open('[')
		for m := range c.messages() {
			c.message(m)
		}
		c.close(']')
	}
	c.tools()
	c.functions()
	c.finish()
}

func (c *chat) message(m message) {
	if m.role == rolePlaceholder {
		c.raw(m.v.Raw())
		return
	}
	c.open('{')
	c.str("role", c.roleWord(m.role))
	c.key("content")
	switch m.role {
	case roleUser:
		c.parts(m.content)
	case roleAssistant:
		if !c.joined(m.content) {
			c.raw(nullText)
		}
		c.reply(m)
	default:
		c.joinedOrEmpty(m.content)
	}
	if m.role == roleTool {
		c.text("tool_call_id", m.v.Get("tool_call_id"))
	}
	if name := m.v.Get("name"); name.Str() != "" {
		c.member("name", name)
	}
	c.close('}')
}

func (c *chat) roleWord(role string) string {
	if role == roleDeveloper && !c.dialect.developer {
		return roleSystem
	}
	return role
}

// reply writes what an assistant did besides talking.
func (c *chat) reply(m message) {
	if c.dialect.reasoning {
		c.reasoning(m.content)
	}
	start := len(c.buf)
	c.key("tool_calls")
	c.open('[')
	for _, v := range m.v.Get("tool_calls").Elems() {
		c.call(v)
	}
	c.closeUnlessEmpty(start, "]")
	if old := m.v.Get("function_call"); old.Get("name").Kind() == jsontree.String {
		c.key("function_call")
		c.calledFunction(old)
	}
}

func (c *chat) call(v jsontree.Value) {
	function := v.Get("function")
	if function.Get("name").Kind() != jsontree.String {
		return
	}
	c.open('{')
	c.text("id", v.Get("id"))
	c.str("type", "function")
	c.key("function")
	c.calledFunction(function)
	c.close('}')
}

func (c *chat) calledFunction(v jsontree.Value) {
	c.open('{')
	c.member("name", v.Get("name"))
	c.key("arguments")
	c.argumentText(v.Get("arguments"))
	c.close('}')
}

// reasoning writes the model's reasoning in the form that OpenRouter gave it.
func (c *chat) reasoning(content jsontree.Value) {
	start := len(c.buf)
	c.key("reasoning_details")
	c.open('[')
	for it := range items(content) {
		if thinking := it.v.Get("thinking"); it.kind == "thinking" && thinking.Kind() == jsontree.String {
			c.open('{')
			c.str("type", "reasoning.text")
			c.member("text", thinking)
			c.keep(it.v, "signature", "id", "format", "index")
			c.close('}')
		}
	}
	c.closeUnlessEmpty(start, "]")
}

// tools writes what the model may use. OpenRouter's own tools are plugins.
func (c *chat) tools() {
	list, _ := c.builder.tools(false)
	start, written := len(c.buf), c.derive("tools")
	if written {
		c.open('[')
		for i := range list {
			c.tool(&list[i])
		}
		written = c.closeUnlessEmpty(start, "]")
	}
	if chosen := c.in.Template.Get("tool_choice"); written && chosen.Given() && c.derive("tool_choice") {
		c.raw(chosen.Raw())
	}
	if c.dialect.plugins {
		c.plugins(list)
	}
}

func (c *chat) tool(t *tool) {
	switch {
	case t.kind == functionTool:
		c.open('{')
		c.str("type", "function")
		c.key("function")
		c.function(t)
		if c.dialect.cacheControl {
			c.keep(t.v, "cache_control")
		}
		c.close('}')
	case t.kind == builtInTool && c.dialect.plugins:
	case t.kind == builtInTool:
		c.openAITool(t)
	default:
		c.raw(t.v.Raw())
	}
}

func (c *chat) function(t *tool) {
	c.open('{')
	c.member("name", t.name)
	c.given("description", t.definition.Get("description"))
	c.given("parameters", t.schema)
	c.given("strict", t.definition.Get("strict"))
	c.close('}')
}

func (c *chat) plugins(list []tool) {
	start := len(c.buf)
	if !c.derive("plugins") {
		return
	}
	c.open('[')
	for i := range list {
		switch t := &list[i]; {
		case t.kind != builtInTool:
		case t.word == "web_search":
			c.open('{')
			c.stringOr("id", t.config.Get("id"), "web")
			c.rest(t.config, "id", "type")
			c.close('}')
		default:
			c.asConfig(t)
		}
	}
	c.closeUnlessEmpty(start, "]")
}

// functions writes the functions of the old kind, which tools replaced.
func (c *chat) functions() {
	start := len(c.buf)
	written := c.derive("functions")
	if written {
		c.open('[')
		for _, v := range c.in.Template.Get("functions").Elems() {
			if t, ok := readFunction(v); ok {
				c.function(&t)
			}
		}
		written = c.closeUnlessEmpty(start, "]")
	}
	if chosen := c.in.Template.Get("function_call"); written && chosen.Given() && c.derive("function_call") {
		c.raw(chosen.Raw())
	}
}
