package source

import (
	"cmp"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/trace"
)

// readLangfuse reads an observation. Exports to storage write names with underscores,
// the API writes them in camel case.
func readLangfuse(row jsontree.Value) (converted, error) {
	kind := row.Get("type").Str()
	model := first(row, "provided_model_name", "providedModelName", "model").Str()
	switch {
	case kind != "" && kind != "GENERATION" && model == "":
		return converted{}, &ignoredError{"An observation of type " + kind + " is not a request to a model"}
	case kind == "" && !first(row, "start_time", "startTime").Given():
		return converted{}, &ignoredError{"A trace is not a request to a model"}
	}
	b := &body{}
	parameters := unpacked(first(row, "model_parameters", "modelParameters"))
	record := conversation(model, parameters, unpacked(row.Get("input")), unpacked(row.Get("output")))
	record.Provider, record.FunctionName = trace.ProviderOf(model), ""
	b.addRecord(record)
	b.langfuseTimes(row)
	b.langfuseCounts(row)
	if row.Get("level").Is("ERROR") {
		b.text("status", reqlog.StatusError)
		b.text("error_type", "PROVIDER_ERROR")
	}
	b.errorMessage(first(row, "status_message", "statusMessage").Str())
	b.langfuseLabels(row)
	return converted{row.Get("id").Str(), 0, b}, nil
}

func (b *body) langfuseTimes(row jsontree.Value) {
	start := first(row, "start_time", "startTime")
	b.value("request_start_time", start)
	if end := first(row, "end_time", "endTime"); end.Given() {
		b.value("request_end_time", end)
	} else if start.Given() {
		b.endAfter(start, latencyOf(row))
	}
}

// langfuseCounts adds tokens and the price. Names of counts that begin with input or
// output are parts of either.
func (b *body) langfuseCounts(row jsontree.Value) {
	usage := unpacked(first(row, "usage_details", "usageDetails", "usage"))
	if input, ok := sumOf(usage, "input", "prompt"); ok {
		b.raw("input_tokens", input)
	}
	if output, ok := sumOf(usage, "output", "completion"); ok {
		b.raw("output_tokens", output)
	}
	cost := first(row, "total_cost", "totalCost", "calculated_total_cost", "calculatedTotalCost")
	cost = either(cost, unpacked(first(row, "cost_details", "costDetails")).Get("total"))
	if number, ok := cost.Float(); ok {
		b.raw("price", jsontree.AppendFloat(nil, number))
	} else if cost.Kind() == jsontree.String {
		b.raw("price", numberIn(cost.Str()))
	}
}

// sumOf sums the counts whose names begin with one of the words.
func sumOf(usage jsontree.Value, words ...string) (sum []byte, any bool) {
	total := 0.0
	for name, count := range usage.Members() {
		for _, word := range words {
			n, ok := count.Float()
			if ok && strings.HasPrefix(strings.ToLower(name), word) && !strings.Contains(strings.ToLower(name), "cost") {
				total, any = total+n, true
			}
		}
	}
	return jsontree.AppendFloat(nil, total), any
}

// langfuseLabels adds tags, metadata and the prompt.
func (b *body) langfuseLabels(row jsontree.Value) {
	b.value("tags", unpacked(row.Get("tags")))
	b.value("prompt_name", first(row, "prompt_name", "promptName"))
	if b.has("prompt_name") {
		b.value("prompt_version_number", first(row, "prompt_version", "promptVersion"))
	}
	if metadata := unpacked(row.Get("metadata")); metadata.Kind() == jsontree.Object {
		b.addMetadataOf(metadata)
	} else if metadata.Given() {
		b.addMetadata("metadata", metadata.Raw())
	}
	for _, names := range [][]string{
		{"user_id", "userId"}, {"session_id", "sessionId"}, {"trace_id", "traceId"}, {"trace_name", "traceName"}, {"name"}, {"environment"}, {"release"}, {"version"},
	} {
		if v := first(row, names...); v.Kind() == jsontree.String && v.Str() != "" {
			b.addMetadata(names[0], v.Raw())
		}
	}
}

// unpacked returns the value in a string of JSON, or the value itself.
func unpacked(v jsontree.Value) jsontree.Value {
	text := strings.TrimSpace(v.Str())
	if !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return v
	}
	inner, err := jsontree.Parse([]byte(text))
	if err != nil {
		return v // a text like any other
	}
	return inner
}

func numberIn(text string) []byte {
	v, err := jsontree.Parse([]byte(cmp.Or(strings.TrimSpace(text), "null")))
	if err != nil || v.Kind() != jsontree.Number {
		return quoted(text) // for the checks to refuse
	}
	return v.Raw()
}
