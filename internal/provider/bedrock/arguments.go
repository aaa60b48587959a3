package bedrock

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/provider"
)

// write writes the arguments of the Converse API.
func write(a *provider.Arguments) {
	if a.Model != "" {
		a.Derive(a.Object, "modelId", provider.Text(a.Model))
	}
	a.DeriveList("messages", a.Conversation(provider.Conversation{
		Assistant: provider.RoleAssistant, List: "content", Alternate: true,
		Part: parts.Part, Reply: replyBlock, Call: call, Result: result,
	}))
	var system provider.List
	for _, it := range a.SystemItems() {
		system.Add(textBlock(it))
	}
	a.Derive(a.Object, "system", system)
	writeTools(a)
	writeFormat(a)
	writeParams(a)
}

// replyBlock returns a block of a message of the model, which has no files.
func replyBlock(it provider.Item) provider.JSON {
	switch it.Kind {
	case "text":
		return textBlock(it)
	case "thinking":
		text := provider.NewObject().Text("text", it.V.Get("thinking")).Filled("signature", it.V.Get("signature"))
		return provider.Single("reasoningContent", provider.Single("reasoningText", text))
	default:
		return nil
	}
}

func textBlock(it provider.Item) provider.JSON {
	return provider.Single("text", provider.Value(it.Text))
}

// parts returns the blocks of a user message or a tool result.
var parts = provider.Parts{Text: textBlock, File: fileBlock}

// fileBlock returns a file. Only data and files in Amazon S3 are supported, and
// only in known formats.
func fileBlock(f *provider.File) provider.JSON {
	kind, format := blockOf(f)
	if format == "" || f.URL != "" && !strings.HasPrefix(f.URL, "s3://") {
		return nil
	}
	o := provider.NewObject().Str("format", format)
	if kind == "document" {
		o.Str("name", documentName(f.Name()))
	}
	source := provider.Single("bytes", provider.Text(f.Data))
	if f.URL != "" {
		source = provider.Single("s3Location", provider.Single("uri", provider.Text(f.URL)))
	}
	return provider.Single(kind, o.Set("source", source))
}

// formats are the provider's names for MIME subtypes where they differ.
var formats = map[string]string{
	"plain": "txt", "markdown": "md", "3gpp": "three_gp", "quicktime": "mov", "x-matroska": "mkv",
	"msword": "doc", "vnd.ms-excel": "xls",
	"vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
	"vnd.openxmlformats-officedocument.spreadsheetml.sheet":       "xlsx",
}

var documentFormats = []string{"pdf", "csv", "doc", "docx", "xls", "xlsx", "html", "txt", "md"}

// blockOf returns the kind of the block of a file and its format, which is
// empty for unsupported documents.
func blockOf(f *provider.File) (kind, format string) {
	format = f.Subtype()
	if word, ok := formats[format]; ok {
		format = word
	}
	kind = f.Kind()
	switch {
	case slices.Contains(fileKinds, kind):
		return kind, format
	case !slices.Contains(documentFormats, format):
		return "document", ""
	default:
		return "document", format
	}
}

// fileKinds are the kinds of blocks that hold files.
var fileKinds = []string{"image", "document", "video", "audio"}

// documentName turns a title into a name with only allowed characters.
func documentName(title string) string {
	return strings.Map(func(r rune) rune {
		letter := 'a' <= r|0x20 && r|0x20 <= 'z'
		if letter || '0' <= r && r <= '9' || strings.ContainsRune(" -()[]", r) {
			return r
		}
		return '-'
	}, title)
}

func call(c provider.Call) provider.JSON {
	return provider.Single("toolUse", provider.NewObject().Text("toolUseId", c.ID).Val("name", c.Name).
		Set("input", provider.ArgumentObject(c.Arguments)))
}

func result(m *provider.Message) provider.JSON {
	o := provider.NewObject().Text("toolUseId", m.ResultID()).Set("content", parts.List(m.Content))
	if m.V.Get("is_error").Bool() {
		o.Str("status", "error")
	}
	return provider.Single("toolResult", o)
}

// writeTools writes the tools. The only way to forbid their use is to omit
// them, which the API rejects once the conversation has used them.
func writeTools(a *provider.Arguments) {
	list, chosen := a.ToolsAndChoice()
	tools := provider.ToolList(list, tool)
	if len(tools) == 0 || chosen.Mode == provider.ChooseNone && !usesTools(a) {
		return
	}
	a.Derive(a.Object, "toolConfig", provider.NewObject().Set("tools", tools).Opt("toolChoice", choice(chosen)))
}

// usesTools reports whether the conversation contains tool calls or results.
func usesTools(a *provider.Arguments) bool {
	for _, m := range a.Messages() {
		isResult := m.Role == provider.RoleTool || m.Role == provider.RoleFunction
		if isResult || m.Role == provider.RoleAssistant && len(provider.Calls(m.V)) > 0 {
			return true
		}
	}
	return false
}

func tool(t *provider.Tool) provider.JSON {
	switch t.Kind {
	case provider.FunctionTool:
		return provider.Single("toolSpec", provider.NewObject().Val("name", t.Name).
			Filled("description", t.Definition.Get("description")).
			Set("inputSchema", provider.Single("json", t.SchemaOrEmpty())))
	case provider.BuiltInTool:
		return t.AsConfig()
	case provider.NativeTool:
		return t.Untyped()
	default:
		return provider.Value(t.V)
	}
}

// modes are the provider's names for tool choices.
var modes = map[string]string{provider.ChooseAuto: "auto", provider.ChooseRequired: "any", provider.ChooseNamed: "tool"}

func choice(c provider.Choice) provider.JSON {
	mode, ok := modes[c.Mode]
	switch {
	case !ok:
		return nil
	case c.Mode == provider.ChooseNamed:
		return provider.Single(mode, provider.Single("name", provider.Value(c.Name)))
	default:
		return provider.Single(mode, provider.NewObject())
	}
}
