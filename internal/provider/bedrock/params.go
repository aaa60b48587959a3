package bedrock

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// names maps the names of other providers to those of the API.
var names = map[string]string{
	"max_tokens": "maxTokens", "max_output_tokens": "maxTokens", "maxOutputTokens": "maxTokens",
	"max_completion_tokens": "maxTokens", "top_p": "topP",
	"stop": "stopSequences", "stop_sequences": "stopSequences",
	"model": "modelId", "model_id": "modelId", "inference_config": "inferenceConfig", "tool_config": "toolConfig",
}

func canon(key string) string {
	if name, ok := names[key]; ok {
		return name
	}
	return key
}

// own are the arguments of the API, and those that client libraries remove
// before calling it.
var own = []string{
	"modelId", "messages", "system", "inferenceConfig", "toolConfig", "guardrailConfig", "promptVariables",
	"additionalModelResponseFieldPaths", "requestMetadata", "performanceConfig", "serviceTier", "outputConfig",
	"stream",
}

// furtherFields is the argument for parameters of specific models.
const furtherFields = "additionalModelRequestFields"

// writeParams writes the parameters: those of every model, the arguments of the
// API, and everything else as fields of the model.
func writeParams(a *provider.Arguments) {
	writeInference(a)
	further := provider.NewParams(a.Params.Take(furtherFields))
	a.Params.Each(func(p provider.Param) bool {
		switch {
		case slices.Contains(own, p.Canon) || strings.HasPrefix(p.Canon, "aws_"):
			a.Val(p.Canon, p.Value)
		case p.Value.Given():
			further.Set(p.Key, p.Value)
		}
		return true
	})
	fields := provider.NewObject()
	if further.WriteTo(fields); fields.Len() > 0 {
		a.Set(furtherFields, fields)
	}
}

// writeInference writes the parameters that every model has. They must not be
// null.
func writeInference(a *provider.Arguments) {
	if a.Params.Has("inferenceConfig") {
		return
	}
	config := provider.NewObject()
	for _, name := range []string{"maxTokens", "temperature", "topP"} {
		config.Given(name, a.Params.Take(name))
	}
	switch stop := a.Params.Take("stopSequences"); stop.Kind() {
	case jsontree.Array:
		config.Val("stopSequences", stop)
	case jsontree.String:
		config.Set("stopSequences", provider.List{provider.Value(stop)})
	}
	if config.Len() > 0 {
		a.Set("inferenceConfig", config)
	}
}

// writeFormat writes the requested schema of the answer, which the API takes as
// JSON text.
func writeFormat(a *provider.Arguments) {
	format, definition := a.ResponseFormat()
	schema := definition.Get("schema")
	if format != "json_schema" || !schema.Given() {
		return
	}
	structure := provider.NewObject().Str("schema", string(schema.Compact())).Keep(definition, "name", "description")
	a.Amend("outputConfig", "textFormat", provider.Typed(format).Set("structure", provider.Single("jsonSchema", structure)))
}
