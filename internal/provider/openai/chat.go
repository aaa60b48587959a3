package openai

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// chat writes the arguments of a chat completion.
type chat struct {
	*provider.Arguments
	dialect *Dialect
}

func (d *Dialect) writeChat(a *provider.Arguments) {
	c := chat{a, d}
	var messages provider.List
	for _, m := range c.Messages() {
		messages.Add(c.message(&m))
	}
	c.DeriveList("messages", messages)
	c.tools()
	c.functions()
	c.Finish()
}

func (c *chat) message(m *provider.Message) provider.JSON {
	if m.Role == provider.RolePlaceholder {
		return provider.Value(m.V)
	}
	o := provider.NewObject().Str("role", c.role(m.Role))
	switch m.Role {
	case provider.RoleUser:
		o.Set("content", c.dialect.parts(m.Content))
	case provider.RoleAssistant:
		o.Set("content", provider.Joined(m.Content))
		c.reply(o, m)
	default:
		o.Set("content", joinedOrEmpty(m.Content))
	}
	if m.Role == provider.RoleTool {
		o.Text("tool_call_id", m.V.Get("tool_call_id"))
	}
	return o.Filled("name", m.V.Get("name"))
}

func (c *chat) role(role string) string {
	if role == provider.RoleDeveloper && c.dialect.NoDeveloper {
		return provider.RoleSystem
	}
	return role
}

func joinedOrEmpty(content jsontree.Value) provider.JSON {
	if joined := provider.Joined(content); joined != nil {
		return joined
	}
	return provider.Text("")
}

// reply adds the tool calls and reasoning of an assistant message.
func (c *chat) reply(o *provider.Object, m *provider.Message) {
	if c.dialect.Reasoning {
		o.Opt("reasoning_details", reasoningDetails(m.Content))
	}
	var calls provider.List
	var legacy provider.JSON
	for _, call := range provider.Calls(m.V) {
		if call.Legacy {
			legacy = provider.CalledFunction(call.Name, call.Arguments)
		} else {
			calls.Add(provider.FunctionCall(call.ID, call.Name, call.Arguments))
		}
	}
	o.Opt("tool_calls", calls).Opt("function_call", legacy)
}

// reasoningDetails returns the reasoning of the model in the format of
// OpenRouter.
func reasoningDetails(content jsontree.Value) provider.List {
	var list provider.List
	for _, it := range provider.Items(content) {
		if thinking := it.V.Get("thinking"); it.Kind == "thinking" && thinking.Kind() == jsontree.String {
			list.Add(provider.Typed("reasoning.text").Val("text", thinking).Keep(it.V, "signature", "id", "format", "index"))
		}
	}
	return list
}

// tools adds the tools. With plugins, built-in tools are excluded.
func (c *chat) tools() {
	list := c.Tools()
	written := c.Derive(c.Object, "tools", provider.ToolList(list, c.tool))
	if chosen := c.Template.Get("tool_choice"); written && chosen.Given() {
		c.Derive(c.Object, "tool_choice", provider.Value(chosen))
	}
	if c.dialect.Plugins {
		c.Derive(c.Object, "plugins", provider.ToolList(list, plugin))
	}
}

func (c *chat) tool(t *provider.Tool) provider.JSON {
	switch {
	case t.Kind == provider.FunctionTool:
		return c.dialect.marked(part("function", function(t)), t.V)
	case t.Kind == provider.BuiltInTool && c.dialect.Plugins:
		return nil
	case t.Kind == provider.BuiltInTool:
		return builtIn(t)
	default:
		return provider.Value(t.V)
	}
}

func function(t *provider.Tool) provider.JSON {
	return provider.NewObject().
		Val("name", t.Name).
		Given("description", t.Definition.Get("description")).
		Given("parameters", t.Schema).
		Given("strict", t.Definition.Get("strict"))
}

// builtIn returns one of OpenAI's tools.
func builtIn(t *provider.Tool) provider.JSON {
	switch t.Word {
	case "web_search", "file_search", "image_generation", "mcp", "shell", "apply_patch":
		return t.Configured(t.Word, "")
	case "code_interpreter":
		o := provider.Typed("code_interpreter").Rest(t.Config, "type")
		if !t.Config.Get("container").Given() {
			o.Set("container", provider.Typed("auto"))
		}
		return o
	default:
		return t.AsConfig()
	}
}

func plugin(t *provider.Tool) provider.JSON {
	switch {
	case t.Kind != provider.BuiltInTool:
		return nil
	case t.Word == "web_search":
		return provider.NewObject().StrOr("id", t.Config.Get("id"), "web").Rest(t.Config, "id", "type")
	default:
		return t.AsConfig()
	}
}

// functions adds the legacy functions.
func (c *chat) functions() {
	written := c.Derive(c.Object, "functions", provider.ToolList(c.Functions(), function))
	if chosen := c.Template.Get("function_call"); written && chosen.Given() {
		c.Derive(c.Object, "function_call", provider.Value(chosen))
	}
}

// WritePrompt returns a function that writes the arguments of an API with one
// text argument, given its name.
func WritePrompt(name string) func(*provider.Arguments) {
	return func(a *provider.Arguments) {
		text, _ := a.JoinedLines(func(m *provider.Message) bool { return m.Role != provider.RolePlaceholder })
		a.Derive(a.Object, name, text)
		a.Finish()
	}
}
