package reqlog

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
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
	OutputText      string `json:"output_text,omitempty"`
	ExceptionText   string `json:"exception_text,omitempty"`
}

// Key identifies the span across all workspaces.
func (s *Span) Key() int64 { return SpanQuery{s.Workspace, s.TraceID, s.SpanID}.Key() }

// ID is the number that clients see. It is the same whenever the span is
// written, and unique within its trace.
func (s *Span) ID() int64 { return s.Key() & (1<<53 - 1) }

// DataSize returns the size of the data that a client sent, in bytes.
func (s *Span) DataSize() int64 {
	return int64(len(s.Name) + len(s.StatusMessage) + len(s.TraceState) + len(s.SchemaURL) +
		len(s.Attributes) + len(s.Resource) + len(s.Events) + len(s.Links))
}

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
	sum := spanHash(kind, workspace, ids...)
	return max(1, int64(binary.BigEndian.Uint64(sum[:])>>1))
}

func spanHash(kind byte, workspace int64, ids ...string) [sha256.Size]byte {
	text := binary.BigEndian.AppendUint64(make([]byte, 0, 64), uint64(workspace))
	text = append(text, kind)
	for _, id := range ids {
		text = binary.AppendUvarint(text, uint64(len(id)))
		text = append(text, id...)
	}
	return sha256.Sum256(text)
}

// Closure is the end of a trace, after which it rejects further spans.
type Closure struct {
	Workspace int64
	TraceID   string
	At        Micros
}

// Key identifies the closure across all workspaces.
func (c *Closure) Key() int64 { return spanKey('c', c.Workspace, c.TraceID) }

// UUID is the id that clients see.
func (c *Closure) UUID() string {
	id := spanHash('c', c.Workspace, c.TraceID)
	id[6], id[8] = id[6]&0x0f|0x80, id[8]&0x3f|0x80 // version 8
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:16])
}

// SpanBatch is what one call writes: spans of one workspace, the logs of those
// that are requests to models, and the ends of traces.
type SpanBatch struct {
	Workspace int64
	// Spans are distinct by trace and span id.
	Spans []*Span
	// Logs are those of the spans at the same places, nil for none. Their SpanID is
	// the LogSpanID of the span.
	Logs []*Log
	// Close has the traces to close once the spans are stored, each once.
	Close []Closure
	// Whole says to store nothing if one of the spans' traces is closed.
	Whole bool

	// Result is set by a successful Write.
	Result SpanResult
}

// SpanResult is what became of a SpanBatch.
type SpanResult struct {
	// Closed are the traces of the batch that were closed before, in the order of
	// their first occurrence. Their spans are not stored.
	Closed []string
	// LogIDs are the ids of the logs of the spans at the same places, 0 for none: of
	// those that were stored, and of those that the workspace had before.
	LogIDs []int64
	// Closures are those of Close that took effect.
	Closures []Closure
}

// Trace has the spans of a trace.
type Trace struct {
	// Spans are ordered by their start, then by id. Their Index is left empty.
	Spans []*Span
	// LogIDs are the ids of the first logs of the spans at the same places, 0 for
	// none.
	LogIDs []int64
	// Total is the number of spans, which may be more than were asked for.
	Total int64
	// Damaged are the span ids of those that can no longer be read.
	Damaged []string
	// Closure is nil while the trace is open.
	Closure *Closure
}

// SpanRef identifies a span.
type SpanRef struct {
	Workspace       int64
	TraceID, SpanID string
}
