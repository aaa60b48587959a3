package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// traceloop has the conventions of OpenLLMetry by Traceloop, as far as they
// differ from those of OpenTelemetry.
var traceloop = convention{
	facts: map[fact][]string{
		providerFact:    {"llm.vendor"},
		modelFact:       {"llm.request.model", "llm.response.model"},
		operationFact:   {requestType},
		inputTokens:     {"llm.usage.prompt_tokens", "llm.usage.input_tokens"},
		outputTokens:    {"llm.usage.completion_tokens", "llm.usage.output_tokens"},
		totalTokens:     {"llm.usage.total_tokens"},
		cacheRead:       {"llm.usage.cache_read_input_tokens"},
		cacheWrite:      {"llm.usage.cache_creation_input_tokens"},
		reasoningTokens: {"llm.usage.reasoning_tokens"},
		userFact:        {associationPrefix + userKey, "llm.user"},
		sessionFact:     {associationPrefix + "session_id", associationPrefix + sessionKey},
		inputFact:       {"traceloop.entity.input"},
		outputFact:      {"traceloop.entity.output"},
	},
	parameters: []parameter{
		{"llm.temperature", "temperature"}, {"llm.request.max_tokens", "max_tokens"}, {"llm.top_p", "top_p"}, {"llm.top_k", "top_k"},
		{"llm.frequency_penalty", "frequency_penalty"}, {"llm.presence_penalty", "presence_penalty"}, {"llm.chat.stop_sequences", "stop_sequences"},
	},
	metadata: associationPrefix,
	call:     traceloopCall,
	kind:     func(v *view) string { return strings.ToUpper(v.own.get(entityKind).Str()) },
	messages: traceloopMessages,
}

const (
	associationPrefix = "traceloop.association.properties."
	entityKind        = "traceloop.span.kind"
	requestType       = "llm.request.type"
)

// traceloopCall tells calls from the workflows, tasks, agents and tools around
// them.
func traceloopCall(v *view) verdict {
	if v.own.get(entityKind).Given() {
		return isNoCall
	}
	return among(v.own.get(requestType), []string{"chat", "completion", "embedding", embeddings, "unknown"})
}

func traceloopMessages(v *view) conversation {
	found := conversation{
		input:  indexed(v.tree("llm.prompts."), provider.RoleUser),
		output: indexed(v.tree("llm.completions."), provider.RoleAssistant),
	}
	for _, tool := range v.tree("llm.request.functions.").elements() {
		f := function{name: tool.get("name").Str(), description: tool.get("description").Str()}
		f.setParameters(given2(tool.get("parameters"), tool.get("input_schema")))
		if f.name != "" {
			found.tools = append(found.tools, f)
		}
	}
	return found
}

// entityTool returns the name of the tool that a span of a tool has.
func (v *view) entityTool() jsontree.Value {
	if strings.EqualFold(v.own.get(entityKind).Str(), "tool") {
		return v.own.get("traceloop.entity.name")
	}
	return jsontree.Value{}
}
