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
	facts: map[fact][]string{
		providerFact: {"promptlayer.provider.type"},
		sessionFact:  {"openai_agents.group_id"},
		toolFact:     {"tool.name", "tool_name", "openai_agents.function.name"},
		inputFact:    {"function_input", "tool_input", "openai_agents.function.input"},
		outputFact:   {"function_output", "tool_output", "tool_response", "openai_agents.function.output"},
	},
	metadata: metadataPrefix,
}

// managed reports whether the client logs the request of a span itself.
func (v *view) managed() bool { return isTrue(v.own.get(managedAttribute)) }

// logSpanID returns the span id of the logs that belong to the span.
func (v *view) logSpanID() string {
	if id := scalarText(v.first(logSpanAttribute)); id != "" && v.managed() {
		return reqlog.NormalSpanID(cut(id, maxID))
	}
	return v.span.SpanID
}

// user and session return whom the span was for, and the conversation. Metadata
// of ours takes precedence over the attributes of conventions.
func (v *view) user() jsontree.Value { return v.explicit(metadataPrefix+userKey, userFact) }

func (v *view) session() jsontree.Value { return v.explicit(metadataPrefix+sessionKey, sessionFact) }

func (v *view) explicit(name string, f fact) jsontree.Value {
	if own := v.named(name); own.Given() {
		return own
	}
	return v.either(f)
}

// prompt returns the reference to the prompt that a call was made from. A name
// takes precedence over an id, and a version over a label.
func (v *view) prompt() (ref reqlog.PromptRef, ok bool) {
	ref.Name = scalarText(v.named(promptPrefix + "name"))
	if ref.Name == "" {
		ref.ID = positive(v.named(promptPrefix + "id"))
	}
	if ref.Version = positive(v.named(promptPrefix + "version")); ref.Version == 0 {
		ref.Label = scalarText(v.named(promptPrefix + "label"))
	}
	if ref.Name == "" && ref.ID == 0 {
		return reqlog.PromptRef{}, false
	}
	return ref, true
}
