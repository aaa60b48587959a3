package anthropic

import (
	"encoding/base64"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/openai"
)

// write writes the arguments of the Messages API.
func write(a *provider.Arguments) {
	a.DeriveList("messages", a.Conversation(provider.Conversation{
		Assistant: provider.RoleAssistant, List: "content", Part: parts.Part, Reply: replyBlock, Call: call, Result: result,
	}))
	a.Derive(a.Object, "system", system(a))
	a.DeriveTools(tool, choice)
	if format, definition := a.ResponseFormat(); format == "json_schema" {
		a.Amend("output_config", "format", provider.Typed(format).Given("schema", definition.Get("schema")))
	}
	requireLimit(a, "max_tokens")
	a.Finish()
}

// writePrompt writes the arguments of the legacy API.
func writePrompt(a *provider.Arguments) {
	requireLimit(a, "max_tokens_to_sample")
	openai.WritePrompt("prompt")(a)
}

// system returns the instructions, which are not messages: a string, or blocks
// if one of them is marked for caching.
func system(a *provider.Arguments) provider.JSON {
	var blocks provider.List
	marked := false
	for _, it := range a.SystemItems() {
		blocks.Add(textBlock(it))
		marked = marked || it.V.Get("cache_control").Given()
	}
	if marked {
		return blocks
	}
	lines, found := a.JoinedLines((*provider.Message).IsSystem)
	if !found {
		return nil
	}
	return lines
}

// replyBlock returns a block of a message of the model, which has no files but
// may have results of the provider's tools.
func replyBlock(it provider.Item) provider.JSON {
	v := it.V
	switch it.Kind {
	case "text":
		return textBlock(it)
	case "thinking":
		// Reasoning is only accepted with the signature that proves it.
		if signature := v.Get("signature"); signature.Str() != "" {
			return provider.Typed("thinking").Text("thinking", v.Get("thinking")).Val("signature", signature)
		}
	case "server_tool_use":
		// The searches of another provider are recognised by their id.
		if !openai.IsSearch(v.Get("id").Str()) {
			return marked(provider.Typed(it.Kind).Text("id", v.Get("id")).Text("name", v.Get("name")).
				Set("input", provider.ArgumentObject(v.Get("input"))), v)
		}
	case "web_search_tool_result", "bash_code_execution_tool_result", "text_editor_code_execution_tool_result":
		return marked(provider.Typed(it.Kind).Text("tool_use_id", v.Get("tool_use_id")).Val("content", v.Get("content")), v)
	}
	return nil
}

// parts returns the blocks of a user message or a tool result.
var parts = provider.Parts{Text: textBlock, File: fileBlock}

func textBlock(it provider.Item) provider.JSON {
	return marked(provider.Typed("text").Val("text", it.Text).Keep(it.V, "citations"), it.V)
}

// marked adds the mark for caching, which any block may have.
func marked(block *provider.Object, v jsontree.Value) provider.JSON {
	return block.Keep(v, "cache_control")
}

// fileBlock returns an image or a document, nil for audio and video.
func fileBlock(f *provider.File) provider.JSON {
	switch f.Kind() {
	case "audio", "video":
		return nil
	case "image":
		return marked(provider.Typed("image").Set("source", source(f)), f.V)
	}
	document := provider.Typed("document")
	if f.Title != "" && f.Title != "media" {
		document.Str("title", f.Title)
	}
	return marked(document.Keep(f.V, "context", "citations").Set("source", source(f)), f.V)
}

func source(f *provider.File) provider.JSON {
	plain, isPlain := plainText(f)
	switch {
	case f.URL != "":
		return provider.Typed("url").Str("url", f.URL)
	case isPlain:
		return provider.Typed("text").Str("media_type", "text/plain").Str("data", plain)
	default:
		return provider.Typed("base64").Str("media_type", f.MIME).Str("data", f.Data)
	}
}

// plainText returns the content of a text file. It reports false for other
// files and for text that cannot be read.
func plainText(f *provider.File) (string, bool) {
	if f.Kind() != "text" || f.Data == "" {
		return "", false
	}
	text, err := base64.StdEncoding.DecodeString(f.Data)
	return string(text), err == nil && utf8.Valid(text)
}

func call(c provider.Call) provider.JSON {
	return marked(provider.Typed("tool_use").Text("id", c.ID).Val("name", c.Name).
		Set("input", provider.ArgumentObject(c.Arguments)), c.V)
}

func result(m *provider.Message) provider.JSON {
	return marked(provider.Typed("tool_result").Text("tool_use_id", m.ResultID()).
		Set("content", parts.List(m.Content)).Keep(m.V, "is_error"), m.V)
}

func tool(t *provider.Tool) provider.JSON {
	switch t.Kind {
	case provider.FunctionTool:
		return marked(provider.NewObject().Val("name", t.Name).
			Given("description", t.Definition.Get("description")).
			Set("input_schema", t.SchemaOrEmpty()), t.V)
	case provider.BuiltInTool:
		if own, ok := builtIns[t.Word]; ok {
			return t.Configured(own.kind, own.name)
		}
		return t.AsConfig()
	default:
		return provider.Value(t.V)
	}
}

// builtIns are the provider's tools, whose types include their release date.
var builtIns = map[string]struct{ kind, name string }{
	"web_search":       {"web_search_20250305", "web_search"},
	"url_context":      {"web_fetch_20250910", "web_fetch"},
	"code_interpreter": {"code_execution_20250825", "code_execution"},
	"bash":             {"bash_20250124", "bash"},
	"text_editor":      {"text_editor_20250728", "str_replace_based_edit_tool"},
}

func choice(c provider.Choice) provider.JSON {
	switch c.Mode {
	case provider.ChooseNamed:
		return provider.Typed("tool").Val("name", c.Name)
	case provider.ChooseRequired:
		return provider.Typed("any")
	case provider.ChooseOther:
		return provider.Value(c.V)
	default:
		return provider.Typed(c.Mode)
	}
}
