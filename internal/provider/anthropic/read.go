package anthropic

import (
	"cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/openai"
)

// input reads the arguments of the Messages API.
func input(r *provider.Reading) (provider.Blueprint, bool) {
	turns, ok := provider.ReadConversation(r, readPart)
	if !ok {
		return provider.Blueprint{}, false
	}
	return provider.Blueprint{
		Turns: turns,
		Tools: provider.ReadTools(r.LiftIf("tools", jsontree.Array)),
		// It also stays a parameter, because a blueprint may not show all of
		// it.
		ToolChoice: provider.ReadChoice(r.Peek("tool_choice")),
	}, true
}

// readPart adds a part to t, or returns a separate message for it.
func readPart(t *provider.Turn, v jsontree.Value) *provider.Turn {
	switch v.Get("type").Str() {
	case "tool_use":
		call := provider.FunctionCall(v.Get("id"), v.Get("name"), v.Get("input"))
		t.Calls.Add(call.Rest(v, "name", "input"))
	case "tool_result":
		return readResult(v)
	default:
		t.Add(readBlock(v))
	}
	return nil
}

// readResult returns the message of a tool result.
func readResult(v jsontree.Value) *provider.Turn {
	t := provider.ToolResult(provider.Field(v, "tool_use_id"))
	t.From(v, "type", "content", "tool_use_id")
	content := v.Get("content")
	if content.Kind() != jsontree.Array {
		openai.AddContent(&t, content)
		return &t
	}
	for part := range provider.GivenElems(content) {
		t.Add(readBlock(part))
	}
	return &t
}

func readBlock(v jsontree.Value) provider.JSON {
	switch kind := v.Get("type").Str(); kind {
	case "image", "document":
		return readFile(v, kind)
	default:
		return openai.Part(v)
	}
}

// readFile returns the block of an image or a document. A file stored at the
// provider stays as is.
func readFile(v jsontree.Value, kind string) provider.JSON {
	source, title := v.Get("source"), cmp.Or(v.Get("title").Str(), kind)
	data, url := source.Get("data"), source.Get("url")
	switch {
	case source.Get("type").Str() == "text" && data.Kind() == jsontree.String:
		return provider.TextBlock(provider.Value(data), nil, v, "source")
	case data.Kind() == jsontree.String:
		mime := provider.Field(source, "media_type").Str()
		return provider.MediaBlock(title, mime, data, provider.FormatBase64, v, "source", "title")
	case url.Kind() == jsontree.String && kind == "image":
		return provider.ImageBlock(url, jsontree.Value{}, v, "source")
	case url.Kind() == jsontree.String:
		return provider.MediaBlock(title, "application/pdf", url, provider.FormatURL, v, "source", "title")
	default:
		return provider.Value(v)
	}
}

// output reads the content of an answer.
func output(x provider.Exchange) (provider.Turn, bool) {
	return provider.ReadReply(x.Response.Get("role"), x.Response.Get("content"), readPart)
}
