package kwargs

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// isItem reports whether a content item stands beside the messages of the
// Responses interface rather than in one of them.
func isItem(it item) bool {
	return strings.HasPrefix(it.kind, "mcp_") || strings.HasPrefix(it.kind, "shell_call") ||
		strings.HasPrefix(it.kind, "apply_patch_call") || it.kind == "code" || it.kind == "server_tool_use"
}

// item writes what a model did with a tool of OpenAI's. Such items are only
// taken back whole, so those of other providers are left out.
func (b *builder) item(it item) {
	id := it.v.Get("id")
	switch it.kind {
	case "mcp_list_tools", "mcp_call", "mcp_approval_request", "mcp_approval_response",
		"shell_call", "shell_call_output", "apply_patch_call", "apply_patch_call_output":
		b.open('{')
		b.rest(it.v)
		b.close('}')
	case "code":
		if id.Str() != "" && it.v.Get("container_id").Str() != "" {
			b.codeItem(it.v)
		}
	case "server_tool_use":
		b.searchItem(it.v)
	case "output_media":
		if f, ok := fileOf(it); ok && id.Str() != "" && f.data != "" {
			b.open('{')
			b.str("type", "image_generation_call")
			b.member("id", id)
			b.str("status", "completed")
			b.str("result", f.data)
			b.close('}')
		}
	}
}

func (b *builder) codeItem(v jsontree.Value) {
	b.open('{')
	b.str("type", "code_interpreter_call")
	b.member("id", v.Get("id"))
	b.text("code", v.Get("code"))
	b.member("container_id", v.Get("container_id"))
	b.member("outputs", v.Get("outputs"))
	b.stringOr("status", v.Get("status"), "completed")
	b.close('}')
}

// isOpenAISearch reports whether an id is that of a search on the web or in
// files that OpenAI made.
func isOpenAISearch(id string) bool {
	return strings.HasPrefix(id, "ws_") || strings.HasPrefix(id, "fs_")
}

// searchItem writes a search. Its id tells OpenAI's searches from those of
// others under the same name.
func (b *builder) searchItem(v jsontree.Value) {
	id, name, input := v.Get("id").Str(), v.Get("name").Str(), v.Get("input")
	web := name == "web_search"
	if !isOpenAISearch(id) || !web && name != "file_search" {
		return
	}
	b.open('{')
	b.str("type", name+"_call")
	b.str("id", id)
	b.stringOr("status", v.Get("status"), "completed")
	if web {
		b.given("action", input)
	} else {
		b.given("queries", input.Get("queries"))
		b.keep(v, "results")
	}
	b.close('}')
}
