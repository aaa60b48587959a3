package trace

import (
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
)

// vercel has the attributes of the Vercel AI SDK. Since version 7 it uses those
// of OpenTelemetry by default.
var vercel = convention{
	facts: map[fact][]string{
		providerFact:    {"ai.model.provider"},
		modelFact:       {"ai.model.id", "ai.response.model"},
		inputTokens:     {"ai.usage.inputTokens", "ai.usage.promptTokens", "ai.usage.tokens"},
		outputTokens:    {"ai.usage.outputTokens", "ai.usage.completionTokens"},
		totalTokens:     {"ai.usage.totalTokens"},
		cacheRead:       {"ai.usage.cachedInputTokens", "ai.usage.inputTokenDetails.cacheReadTokens"},
		cacheWrite:      {"ai.usage.inputTokenDetails.cacheWriteTokens"},
		reasoningTokens: {"ai.usage.reasoningTokens", "ai.usage.outputTokenDetails.reasoningTokens"},
		userFact:        {telemetryPrefix + "userId", telemetryPrefix + userKey},
		sessionFact: {
			telemetryPrefix + "sessionId", telemetryPrefix + "session_id", telemetryPrefix + "conversationId", telemetryPrefix + sessionKey, telemetryPrefix + "chatId",
		},
		toolFact:   {"ai.toolCall.name"},
		inputFact:  {"ai.toolCall.args", "ai.prompt"},
		outputFact: {"ai.toolCall.result", "ai.response.text", "ai.response.object"},
	},
	parameters: []parameter{
		{"ai.settings.temperature", "temperature"}, {"ai.settings.maxOutputTokens", "max_tokens"}, {"ai.settings.maxTokens", "max_tokens"},
		{"ai.settings.topP", "top_p"}, {"ai.settings.topK", "top_k"}, {"ai.settings.frequencyPenalty", "frequency_penalty"},
		{"ai.settings.presencePenalty", "presence_penalty"}, {"ai.settings.seed", "seed"}, {"ai.settings.stopSequences", "stop_sequences"},
	},
	metadata: telemetryPrefix,
	call:     vercelCall,
	kind:     vercelKind,
	messages: vercelMessages,
}

const telemetryPrefix = "ai.telemetry.metadata."

// vercelOperation returns the operation of a span, such as
// ai.generateText.doGenerate, "" if it is of another library.
func vercelOperation(v *view) string {
	operation := v.own.get("ai.operationId").Str()
	if operation == "" {
		operation, _, _ = strings.Cut(v.own.get("operation.name").Str(), " ")
	}
	if !strings.HasPrefix(operation, "ai.") {
		return ""
	}
	return operation
}

// vercelCall tells the spans of calls from those around them, which repeat the
// model and add up the usage.
func vercelCall(v *view) verdict {
	switch operation := vercelOperation(v); {
	case operation == "":
		return unknown
	case strings.Contains(operation, ".do"):
		return isCall
	default:
		return isNoCall
	}
}

func vercelKind(v *view) string {
	if vercelOperation(v) == "ai.toolCall" {
		return "TOOL"
	}
	return ""
}

func vercelMessages(v *view) conversation {
	found := conversation{
		input: readMessages(v.own.get("ai.prompt.messages"), provider.RoleUser),
		tools: readTools(v.own.get("ai.prompt.tools")),
	}
	if len(found.input) == 0 {
		found.input = vercelPrompt(structured(v.own.get("ai.prompt")))
	}
	for _, value := range v.own.get("ai.values").Elems() {
		found.input = append(found.input, filledOnly(say(provider.RoleUser, unquoted(value)))...)
	}
	found.output = filledOnly(v.vercelAnswer())
	return found
}

// vercelPrompt reads the arguments of a call that was made by one prompt.
func vercelPrompt(v jsontree.Value) []message {
	out := filledOnly(say(provider.RoleSystem, asText(v.Get("system"))))
	if list := v.Get("messages"); list.Given() {
		return append(out, readMessages(list, provider.RoleUser)...)
	}
	return append(out, filledOnly(say(provider.RoleUser, asText(v.Get("prompt"))))...)
}

func (v *view) vercelAnswer() message {
	m := message{role: provider.RoleAssistant}
	m.add(thinkingBlock, asText(v.own.get("ai.response.reasoning")))
	m.add(textBlock, asText(v.first("ai.response.text", "ai.result.text", "ai.response.object", "ai.result.object")))
	for _, c := range structured(v.first("ai.response.toolCalls", "ai.result.toolCalls")).Elems() {
		m.addCall(callOf(c))
	}
	return m
}

// unquoted returns a text that may be the JSON of a string.
func unquoted(v jsontree.Value) string {
	inner, err := jsontree.Parse([]byte(v.Str()))
	if err != nil || inner.Kind() != jsontree.String {
		return asText(v)
	}
	return inner.Str()
}
