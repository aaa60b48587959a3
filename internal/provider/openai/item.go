package openai

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// isItem reports whether a content item is a separate item in the Responses API
// rather than part of a message.
func isItem(it provider.Item) bool {
	return strings.HasPrefix(it.Kind, "mcp_") || strings.HasPrefix(it.Kind, "shell_call") ||
		strings.HasPrefix(it.Kind, "apply_patch_call") || it.Kind == "code" || it.Kind == "server_tool_use"
}

// item returns an action of the model with one of OpenAI's tools. The API only
// accepts complete items, so those of other providers are omitted.
func item(it provider.Item) provider.JSON {
	id := it.V.Get("id")
	switch it.Kind {
	case "mcp_list_tools", "mcp_call", "mcp_approval_request", "mcp_approval_response",
		"shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output":
		return provider.NewObject().Rest(it.V)
	case "code":
		if id.Str() != "" && it.V.Get("container_id").Str() != "" {
			return codeItem(it.V)
		}
	case "server_tool_use":
		return searchItem(it.V)
	case "output_media":
		if f, ok := provider.FileOf(it); ok && id.Str() != "" && f.Data != "" {
			return provider.Typed("image_generation_call").Val("id", id).Str("status", "completed").Str("result", f.Data)
		}
	}
	return nil
}

func codeItem(v jsontree.Value) provider.JSON {
	return provider.Typed("code_interpreter_call").
		Val("id", v.Get("id")).
		Text("code", v.Get("code")).
		Val("container_id", v.Get("container_id")).
		Val("outputs", v.Get("outputs")).
		StrOr("status", v.Get("status"), "completed")
}

// IsSearch reports whether an ID belongs to a web or file search by OpenAI.
func IsSearch(id string) bool {
	return strings.HasPrefix(id, "ws_") || strings.HasPrefix(id, "fs_")
}

// searchItem returns a search. The ID distinguishes OpenAI's searches from
// those of other providers with the same name.
func searchItem(v jsontree.Value) provider.JSON {
	id, name, input := v.Get("id"), v.Get("name").Str(), v.Get("input")
	if !IsSearch(id.Str()) || name != "web_search" && name != "file_search" {
		return nil
	}
	o := provider.Typed(name+"_call").Val("id", id).StrOr("status", v.Get("status"), "completed")
	if name == "web_search" {
		return o.Given("action", input)
	}
	return o.Given("queries", input.Get("queries")).Keep(v, "results")
}
