package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// genAI has the semantic conventions of OpenTelemetry for generative AI, with
// the names of older versions.
var genAI = convention{
	facts: map[fact][]string{
		providerFact:    {"gen_ai.provider.name", "gen_ai.system"},
		modelFact:       {"gen_ai.request.model", "gen_ai.response.model"},
		operationFact:   {"gen_ai.operation.name"},
		inputTokens:     {"gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens"},
		outputTokens:    {"gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens"},
		totalTokens:     {"gen_ai.usage.total_tokens"},
		cacheRead:       {"gen_ai.usage.cache_read.input_tokens", "gen_ai.usage.cache_read_input_tokens", "openclaw.usage.cache_read_tokens"},
		cacheWrite:      {"gen_ai.usage.cache_creation.input_tokens", "gen_ai.usage.cache_creation_input_tokens", "openclaw.usage.cache_write_tokens"},
		reasoningTokens: {"gen_ai.usage.reasoning.output_tokens", "gen_ai.usage.reasoning_tokens"},
		costFact:        {"gen_ai.usage.cost"},
		userFact:        {"user.id", "enduser.id"},
		sessionFact:     {"gen_ai.conversation.id", "session.id"},
		toolFact:        {"gen_ai.tool.name"},
		inputFact:       {"gen_ai.tool.call.arguments"},
		outputFact:      {"gen_ai.tool.call.result"},
	},
	parameters: []parameter{
		{"gen_ai.request.temperature", "temperature"}, {"gen_ai.request.max_tokens", "max_tokens"},
		{"gen_ai.request.top_p", "top_p"}, {"gen_ai.request.top_k", "top_k"},
		{"gen_ai.request.frequency_penalty", "frequency_penalty"}, {"gen_ai.request.presence_penalty", "presence_penalty"},
		{"gen_ai.request.seed", "seed"}, {"gen_ai.request.stop_sequences", "stop_sequences"}, {"gen_ai.request.choice.count", "n"},
	},
	call: func(v *view) verdict {
		if v.outerEmbedding() {
			return isNoCall
		}
		return among(v.own.get("gen_ai.operation.name"), modelOperations)
	},
	kind:     operationKind,
	messages: genAIMessages,
}

// modelOperations are the operations that call a model.
var modelOperations = []string{
	"chat", "text_completion", "completion", "generate_content", embeddings, "messages", "responses", "interactions.create",
}

// embeddings is the operation that computes embeddings.
const embeddings = "embeddings"

// outerEmbedding reports whether a span is the outer one of two by which the
// Vercel AI SDK 7 describes one embedding; only the inner has the usage.
func (v *view) outerEmbedding() bool {
	return v.own.get("otel.scope.name").Is("gen_ai") && v.own.get("gen_ai.operation.name").Is(embeddings) &&
		!v.own.get("gen_ai.usage.input_tokens").Given() && !v.failed()
}

func operationKind(v *view) string {
	switch operation := strings.ToLower(v.own.get("gen_ai.operation.name").Str()); operation {
	case "execute_tool":
		return "TOOL"
	case "invoke_agent", "create_agent":
		return "AGENT"
	case "invoke_workflow":
		return "WORKFLOW"
	default:
		return ""
	}
}

// genAIMessages reads the messages from attributes, else from events, else from
// indexed attributes.
func genAIMessages(v *view) conversation {
	details := v.eventNamed("gen_ai.client.inference.operation.details")
	found := conversation{
		input:  readMessages(v.orIn(details, "gen_ai.input.messages"), provider.RoleUser),
		output: readMessages(v.orIn(details, "gen_ai.output.messages"), provider.RoleAssistant),
		tools:  readTools(v.orIn(details, "gen_ai.tool.definitions")),
	}
	for _, next := range []func(*view) (input, output []message){(*view).eventMessages, (*view).indexedMessages, (*view).plainMessages} {
		if len(found.input) > 0 && len(found.output) > 0 {
			break
		}
		input, output := next(v)
		if len(found.input) == 0 {
			found.input = input
		}
		if len(found.output) == 0 {
			found.output = output
		}
	}
	system := readSystem(v.orIn(details, "gen_ai.system_instructions"))
	found.input = append(system, found.input...)
	return found
}

// orIn returns an attribute of the span, or the one of an event.
func (v *view) orIn(attributes jsontree.Value, name string) jsontree.Value {
	if own := v.own.get(name); own.Given() {
		return own
	}
	return attributes.Get(name)
}

// readSystem returns the message with the instructions, which are a text, a
// list of parts or a list of messages.
func readSystem(attribute jsontree.Value) []message {
	v := structured(attribute)
	if !v.Given() {
		return nil
	}
	if first := provider.First(v); first.Get("role").Given() {
		return readMessages(v, provider.RoleSystem)
	}
	return message{role: provider.RoleSystem}.read(v)
}

// indexedMessages reads attributes such as gen_ai.prompt.0.role.
func (v *view) indexedMessages() (input, output []message) {
	return indexed(v.tree("gen_ai.prompt."), provider.RoleUser), indexed(v.tree("gen_ai.completion."), provider.RoleAssistant)
}

func indexed(tree *branch, role string) (out []message) {
	for _, element := range tree.elements() {
		m := message{role: roleOf(element.get("role"), role), name: element.get("name").Str(), callID: asText(element.get("tool_call_id"))}
		m.add(thinkingBlock, asText(given2(element.get("thinking"), element.get("reasoning"))))
		content := element.get("content")
		if parts := structured(content); isContent(parts) {
			content = parts
		}
		read := m.readCalls(content, element.get("tool_calls"))
		for _, c := range element.find("tool_calls").elements() {
			read[len(read)-1].addCall(indexedCall(c))
		}
		out = append(out, filledOnly(read...)...)
	}
	return out
}

func indexedCall(c *branch) call {
	return call{
		id:        asText(c.get("id")),
		name:      asText(given2(c.get("name"), c.get("function", "name"))),
		arguments: asText(given2(c.get("arguments"), c.get("function", "arguments"))),
	}
}

// given2 returns the first of two values, or the second if there is none.
func given2(first, second jsontree.Value) jsontree.Value {
	if first.Given() {
		return first
	}
	return second
}

// plainMessages reads the attributes of the first version.
func (v *view) plainMessages() (input, output []message) {
	return readMessages(v.own.get("gen_ai.prompt"), provider.RoleUser), readMessages(v.own.get("gen_ai.completion"), provider.RoleAssistant)
}
