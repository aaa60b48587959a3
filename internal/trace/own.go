package trace

import (
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Attributes of client libraries for this server.
const (
	managedAttribute = "promptlayer.request_log.managed"
	logSpanAttribute = "promptlayer.request_log.span_id"
	apiTypeAttribute = "promptlayer.api.type"
	metadataPrefix   = "promptlayer.metadata."
	promptPrefix     = "promptlayer.prompt."
	nodeAttribute    = "node_type"
)

// Keys of metadata that identify whom a call was for.
const (
	userKey    = "user_id"
	sessionKey = "conversation_id"
)

var ownAttributes = convention{
	provider: []string{"promptlayer.provider.type"},
	tool:     []string{"tool.name", "tool_name", "openai_agents.function.name"},
	input:    []string{"function_input", "tool_input", "openai_agents.function.input"},
	output:   []string{"function_output", "tool_output", "tool_response", "openai_agents.function.output"},
	metadata: []string{metadataPrefix},
}

// managed reports whether the client logs the request of a span itself.
func (v *view) managed() bool { return isTrue(v.own[managedAttribute]) }

// logSpanID returns the span id of the logs that belong to the span.
func (v *view) logSpanID() string {
	if id := v.text(logSpanAttribute); id != "" && v.managed() {
		return normalID(cut(id, maxID), spanDigits)
	}
	return v.span.SpanID
}

// user and session return whom the span was for, and the conversation. Metadata
// of ours takes precedence over the attributes of conventions.
func (v *view) user() jsontree.Value { return v.explicit(userKey, names.user) }

func (v *view) session() jsontree.Value { return v.explicit(sessionKey, names.session) }

func (v *view) explicit(key string, names []string) jsontree.Value {
	if own := v.either([]string{metadataPrefix + key}); own.Given() {
		return own
	}
	return v.either(names)
}

// prompt returns the reference to the prompt that a call was made from. A name
// takes precedence over an id, and a version over a label.
func (v *view) prompt() (ref reqlog.PromptRef, ok bool) {
	ref.Name = scalarText(v.either([]string{promptPrefix + "name"}))
	if ref.Name == "" {
		ref.ID = positive(v.either([]string{promptPrefix + "id"}))
	}
	if ref.Version = positive(v.either([]string{promptPrefix + "version"})); ref.Version == 0 {
		ref.Label = scalarText(v.either([]string{promptPrefix + "label"}))
	}
	if ref.Name == "" && ref.ID == 0 {
		return reqlog.PromptRef{}, false
	}
	return ref, true
}
