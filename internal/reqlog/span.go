package reqlog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
)

// The values of Span.Kind.
const (
	SpanInternal = "INTERNAL"
	SpanServer   = "SERVER"
	SpanClient   = "CLIENT"
	SpanProducer = "PRODUCER"
	SpanConsumer = "CONSUMER"
)

// The values of Span.Status.
const (
	SpanUnset = "UNSET"
	SpanOK    = "OK"
	SpanError = "ERROR"
)

// Span is one operation of a trace: a call of a model, of a tool, a step of an
// agent. A workspace has one span for each pair of trace and span id; writing it
// again replaces it. Omitted strings are "".
type Span struct {
	Workspace int64
	TraceID   string
	SpanID    string
	// ParentID is "" for the root of a trace. The parent may arrive later, or
	// never.
	ParentID   string
	TraceState string

	Name          string
	Kind          string
	Status        string
	StatusMessage string
	Start         Micros
	End           Micros

	// Attributes and Resource are objects, Events and Links arrays, nil if there
	// are none.
	Attributes json.RawMessage
	Resource   json.RawMessage
	Events     json.RawMessage
	Links      json.RawMessage
	SchemaURL  string

	// LogSpanID is the span id of the logs that belong to the span. It is usually
	// its own id; a client that logs a request itself names another.
	LogSpanID string

	// Index is used by filters and analytics.
	Index SpanIndex
}

// SpanIndex has what is derived from a span when it is written.
type SpanIndex struct {
	// Type is the type of the operation, such as LLM_CALL or the type of a
	// workflow node.
	Type     string `json:"type,omitempty"`
	ToolName string `json:"tool_name,omitempty"`
	Model    string `json:"model,omitempty"`
	// User and Session identify whom the span was for, and the conversation.
	User    string `json:"user,omitempty"`
	Session string `json:"session,omitempty"`
	// Workflow is the id of the workflow and its version, 0 for none.
	Workflow        int64  `json:"workflow,omitempty"`
	WorkflowVersion int64  `json:"workflow_version,omitempty"`
	InputText       string `json:"input_text,omitempty"`
	OutputText      string `json:"output_text,omitempty"`
	ExceptionText   string `json:"exception_text,omitempty"`
}

// Key identifies the span across all workspaces.
func (s *Span) Key() int64 { return spanKey('s', s.Workspace, s.TraceID, s.SpanID) }

// ID is the number that clients see. It is the same whenever the span is
// written, and unique within its trace.
func (s *Span) ID() int64 { return s.Key() & (1<<53 - 1) }

// TraceKey identifies a trace across all workspaces.
func TraceKey(workspace int64, traceID string) int64 { return spanKey('t', workspace, traceID) }

// LogKey identifies the logs with a span id across all workspaces. It is 0 for
// logs without one.
func LogKey(workspace int64, spanID string) int64 {
	if spanID == "" {
		return 0
	}
	return spanKey('l', workspace, spanID)
}

// spanKey hashes with a cryptographic function, so that nobody can choose ids
// whose key is that of a span in another workspace.
func spanKey(kind byte, workspace int64, ids ...string) int64 {
	text := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(workspace))
	text = append(text, kind)
	for _, id := range ids {
		text = binary.AppendUvarint(text, uint64(len(id)))
		text = append(text, id...)
	}
	sum := sha256.Sum256(text)
	return int64(binary.BigEndian.Uint64(sum[:])>>1) | 1
}
