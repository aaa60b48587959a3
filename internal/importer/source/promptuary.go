package source

import "github.com/promptuary/promptuary/internal/jsontree"

// readPromptuary reads a log as this program returns or takes it.
func readPromptuary(row jsontree.Value) converted {
	b := &body{}
	arguments, response := row.Get("function_kwargs"), row.Get("request_response")
	b.value("provider", first(row, "provider", "provider_type"))
	b.value("model", first(row, "model", "engine"))
	b.value("input", either(row.Get("input"), arguments.Get("input")))
	b.value("output", either(row.Get("output"), response.Get("output")))
	b.value("parameters", either(row.Get("parameters"), arguments.Get("parameters")))
	b.value("tags", first(row, "tags", "tags_array"))
	for _, name := range []string{
		"request_start_time", "request_end_time", "api_type", "function_name", "usage", "status", "error_type", "error_message", "prompt_name", "prompt_id", "prompt_version_number", "prompt_input_variables", "span_id", "scores", "score", "score_name",
	} {
		b.value(name, row.Get(name))
	}
	if metadata := row.Get("metadata"); metadata.Kind() == jsontree.Object || metadata.Kind() == jsontree.Array {
		b.addMetadataOf(metadata)
	} else {
		b.value("metadata", metadata) // for the checks to refuse
	}
	b.exportedCounts(row)
	workspace, _ := row.Get("workspace_id").Int()
	return converted{plain(first(row, "request_id", "id")), workspace, b}
}

// exportedCounts adds tokens and the price. An export has 0 where the log has none,
// and says next to it what was given.
func (b *body) exportedCounts(row jsontree.Value) {
	exported := row.Get("token_counts").Kind() != jsontree.Absent
	if !exported {
		b.value("input_tokens", row.Get("input_tokens"))
		b.value("output_tokens", row.Get("output_tokens"))
	}
	b.value("token_counts", row.Get("token_counts"))
	if price, _ := row.Get("price").Float(); !exported || price != 0 || row.Get("price_source").Given() {
		b.value("price", row.Get("price"))
	}
}

// either returns the first value if it is given, otherwise the second.
func either(a, b jsontree.Value) jsontree.Value {
	if a.Given() {
		return a
	}
	return b
}
