package bedrock

import (
	"cmp"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// input reads the arguments of the Converse API.
func input(r *provider.Reading) (provider.Blueprint, bool) {
	turns, ok := provider.ReadConversation(r, readPart)
	if !ok {
		return provider.Blueprint{}, false
	}
	b := provider.Blueprint{Turns: turns}
	config := r.Peek("tool_config")
	if config.Get("tools").Kind() == jsontree.Array {
		b.Tools = provider.ReadTools(r.LiftFrom(config, "tools"))
	}
	// It also stays a parameter, because a blueprint may not show all of it.
	b.ToolChoice = readChoice(provider.Field(config, "tool_choice"))
	return b, true
}

func readChoice(v jsontree.Value) provider.JSON {
	for _, word := range []string{provider.ChooseAuto, provider.ChooseRequired} {
		if v.Get(modes[word]).Given() {
			return provider.Text(word)
		}
	}
	if named := v.Get(modes[provider.ChooseNamed]); named.Given() {
		return provider.NamedChoice(named.Get("name"))
	}
	return nil
}

// readPart adds a part to t, or returns a separate message for it.
func readPart(t *provider.Turn, v jsontree.Value) *provider.Turn {
	use, result := provider.Field(v, "tool_use"), provider.Field(v, "tool_result")
	switch {
	case use.Kind() == jsontree.Object:
		call := provider.FunctionCall(provider.Field(use, "tool_use_id"), use.Get("name"), use.Get("input"))
		t.Calls.Add(call.Rest(use, "tool_use_id", "name", "input"))
	case result.Kind() == jsontree.Object:
		return readResult(result)
	default:
		t.Add(readBlock(v))
	}
	return nil
}

func readResult(v jsontree.Value) *provider.Turn {
	t := provider.ToolResult(provider.Field(v, "tool_use_id"))
	t.From(v, "tool_use_id", "content")
	for part := range provider.GivenElems(v.Get("content")) {
		if value := part.Get("json"); value.Given() {
			t.Add(provider.PlainText(value))
			continue
		}
		t.Add(readBlock(part))
	}
	return &t
}

func readBlock(v jsontree.Value) provider.JSON {
	if text := v.Get("text"); text.Kind() == jsontree.String {
		return provider.TextBlock(provider.Value(text), nil, v)
	}
	reasoning := provider.Field(provider.Field(v, "reasoning_content"), "reasoning_text")
	if text := reasoning.Get("text"); text.Kind() == jsontree.String {
		return provider.ThinkingBlock(provider.Value(text), reasoning, "text")
	}
	for _, kind := range fileKinds {
		if block := readFile(v, kind); block != nil {
			return block
		}
	}
	return provider.TypedBlock(v)
}

// readFile returns the block of a file, or nil if v has no file of that kind or
// its bytes were not recorded as text.
func readFile(v jsontree.Value, kind string) provider.JSON {
	file := v.Get(kind)
	source := file.Get("source")
	title, mime := cmp.Or(file.Get("name").Str(), kind), mimeOf(kind, file.Get("format").Str())
	data, uri := source.Get("bytes"), provider.Field(source, "s3_location").Get("uri")
	switch {
	case data.Kind() == jsontree.String:
		return provider.MediaBlock(title, mime, data, provider.FormatBase64, v, kind)
	case uri.Kind() == jsontree.String:
		return provider.MediaBlock(title, mime, uri, provider.FormatURL, v, kind)
	default:
		return nil
	}
}

// mimeOf returns the MIME type of a format, which is a file extension.
func mimeOf(kind, format string) string {
	switch {
	case kind != "document":
		return kind + "/" + strings.ReplaceAll(format, "three_gp", "3gpp")
	case format == "txt" || format == "md":
		return "text/plain"
	case format == "html" || format == "csv":
		return "text/" + format
	default:
		return "application/" + format
	}
}

// output reads the message of an answer.
func output(x provider.Exchange) (provider.Turn, bool) {
	message := x.Response.Get("output").Get("message")
	return provider.ReadReply(message.Get("role"), message.Get("content"), readPart)
}
