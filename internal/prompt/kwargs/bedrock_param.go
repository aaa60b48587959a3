package kwargs

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// bedrockNames are converse's names for what other interfaces spell
// differently.
var bedrockNames = map[string]string{
	"max_tokens": "maxTokens", "max_output_tokens": "maxTokens", "maxOutputTokens": "maxTokens",
	"max_completion_tokens": "maxTokens", "top_p": "topP",
	"stop": "stopSequences", "stop_sequences": "stopSequences",
	"model": "modelId", "model_id": "modelId", "inference_config": "inferenceConfig", "tool_config": "toolConfig",
}

func bedrockName(key string) string {
	if name, ok := bedrockNames[key]; ok {
		return name
	}
	return key
}

// bedrockArguments are the arguments of converse itself, and those that
// clients take out before they call it.
var bedrockArguments = map[string]bool{
	"modelId": true, "messages": true, "system": true, "inferenceConfig": true, "toolConfig": true,
	"guardrailConfig": true, "promptVariables": true, "additionalModelResponseFieldPaths": true,
	"requestMetadata": true, "performanceConfig": true, "serviceTier": true, "outputConfig": true,
	"stream": true,
}

// moreFields is the argument for what only one model understands.
const moreFields = "additionalModelRequestFields"

// bedrockParams writes the parameters: those every model has, converse's own
// arguments, and everything else as fields of the model's.
func (b *builder) bedrockParams() {
	b.bedrockInference()
	more := params{}
	for key, v := range b.params.take(moreFields).Members() {
		more.set(key, v)
	}
	for i := range b.params.list {
		p := &b.params.list[i]
		switch {
		case p.taken:
		case bedrockArguments[p.canon] || strings.HasPrefix(p.canon, "aws_"):
			p.write(b, p.canon)
		case p.value.Given():
			more.set(p.key, p.value)
		}
	}
	if len(more.list) > 0 {
		b.key(moreFields)
		b.open('{')
		more.writeAll(b)
		b.close('}')
	}
}

// bedrockInference writes the parameters that every model has. They must not
// be null.
func (b *builder) bedrockInference() {
	start := len(b.buf)
	if !b.derive("inferenceConfig") {
		return
	}
	b.open('{')
	for _, name := range []string{"maxTokens", "temperature", "topP"} {
		b.given(name, b.params.take(name))
	}
	switch stop := b.params.take("stopSequences"); stop.Kind() {
	case jsontree.Array:
		b.member("stopSequences", stop)
	case jsontree.String:
		b.key("stopSequences")
		b.open('[')
		b.raw(stop.Raw())
		b.close(']')
	}
	b.closeUnlessEmpty(start, "}")
}

// bedrockFormat writes the wish for an answer of a schema, which converse
// takes as JSON text.
func (b *builder) bedrockFormat() {
	format, definition := b.responseFormat()
	schema := definition.Get("schema")
	if format != "json_schema" || !schema.Given() {
		return
	}
	b.amend("outputConfig", "textFormat", func() {
		b.open('{')
		b.str("type", format)
		b.key("structure")
		b.open('{')
		b.key("jsonSchema")
		b.open('{')
		b.str("schema", string(schema.Compact()))
		b.keep(definition, "name", "description")
		b.buf = append(b.buf, "}}}"...)
	})
}
