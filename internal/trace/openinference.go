package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// openInference has the conventions of OpenInference, which Arize Phoenix uses.
var openInference = convention{
	facts: map[fact][]string{
		providerFact:    {"llm.provider", "llm.system"},
		modelFact:       {"llm.model_name", "embedding.model_name"},
		inputTokens:     {"llm.token_count.prompt"},
		outputTokens:    {"llm.token_count.completion"},
		totalTokens:     {"llm.token_count.total"},
		cacheRead:       {"llm.token_count.prompt_details.cache_read"},
		cacheWrite:      {"llm.token_count.prompt_details.cache_write"},
		reasoningTokens: {"llm.token_count.completion_details.reasoning"},
		costFact:        {"llm.cost.total"},
		inputFact:       {"input.value"},
		outputFact:      {"output.value"},
	},
	call: func(v *view) verdict {
		return among(v.own.get(inferenceKind), []string{"llm", "embedding"})
	},
	kind:     inferenceType,
	messages: inferenceMessages,
}

const inferenceKind = "openinference.span.kind"

func inferenceType(v *view) string {
	kind := strings.ToUpper(v.own.get(inferenceKind).Str())
	if kind == "LLM" {
		return LLMCall
	}
	return kind
}

// inferenceMessages reads indexed attributes, else the whole input and output.
func inferenceMessages(v *view) conversation {
	found := conversation{
		input:  inferenceList(v.tree("llm.input_messages."), provider.RoleUser),
		output: inferenceList(v.tree("llm.output_messages."), provider.RoleAssistant),
	}
	for _, tool := range v.tree("llm.tools.").elements() {
		if f, ok := functionOf(tool.get("tool", "json_schema")); ok {
			found.tools = append(found.tools, f)
		}
	}
	if v.own.get(inferenceKind).Kind() == jsontree.Absent {
		return found
	}
	for _, embedding := range v.tree("embedding.embeddings.").elements() {
		found.input = append(found.input, filledOnly(say(provider.RoleUser, asText(embedding.get("embedding", "text"))))...)
	}
	if len(found.input) == 0 {
		found.input = readMessages(v.own.get("input.value"), provider.RoleUser)
	}
	if len(found.output) == 0 && !v.own.get(inferenceKind).Is("EMBEDDING") {
		found.output = readMessages(v.own.get("output.value"), provider.RoleAssistant)
	}
	return found
}

func inferenceList(tree *branch, role string) (out []message) {
	for _, element := range tree.elements() {
		out = append(out, filledOnly(inferenceMessage(element.find("message"), role)...)...)
	}
	return out
}

func inferenceMessage(b *branch, role string) []message {
	m := message{role: roleOf(b.get("role"), role), name: b.get("name").Str(), callID: asText(b.get("tool_call_id"))}
	m.add(textBlock, asText(b.get("content")))
	for _, part := range b.find("contents").elements() {
		m.inferencePart(part.find("message_content"))
	}
	for _, c := range b.find("tool_calls").elements() {
		inner := c.find("tool_call")
		m.addCall(call{id: asText(inner.get("id")), name: asText(inner.get("function", "name")), arguments: asText(inner.get("function", "arguments"))})
	}
	if name := b.get("function_call_name"); name.Given() {
		m.addCall(call{name: asText(name), arguments: asText(b.get("function_call_arguments_json"))})
	}
	return []message{m}
}

func (m *message) inferencePart(part *branch) {
	if url := part.get("image", "image", "url").Str(); url != "" {
		m.add(imageBlock, url)
		return
	}
	kind := textBlock
	if part.get("type").Is("reasoning") {
		kind = thinkingBlock
	}
	m.add(kind, asText(part.get("text")))
}
