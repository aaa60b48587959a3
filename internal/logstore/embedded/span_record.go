package embedded

import (
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// The parts of a span's record, in their order: a JSON head, and what came as
// JSON as it is.
const (
	spanHead = iota
	spanAttributes
	spanResource
	spanEvents
	spanLinks
	spanPartCount
)

type spanParts [spanPartCount][]byte

// spanDocument is the head of a span as the journal keeps it.
type spanDocument struct {
	TraceID       string           `json:"trace_id"`
	SpanID        string           `json:"span_id"`
	ParentID      string           `json:"parent_id,omitempty"`
	TraceState    string           `json:"trace_state,omitempty"`
	Name          string           `json:"name"`
	Kind          string           `json:"kind"`
	Status        string           `json:"status"`
	StatusMessage string           `json:"status_message,omitempty"`
	Start         reqlog.Micros    `json:"start"`
	End           reqlog.Micros    `json:"end"`
	SchemaURL     string           `json:"schema_url,omitempty"`
	LogSpanID     string           `json:"log_span_id,omitempty"` // "" for its own
	Index         reqlog.SpanIndex `json:"index"`
}

// spanParts splits the record of a span.
func (r record) spanParts() (parts spanParts, err error) {
	rest := []byte(r[recordHeader:])
	for i := range parts {
		if parts[i], rest, err = cutPart(rest); err != nil {
			return parts, err
		}
	}
	return parts, nil
}

func appendSpan(dst []byte, s *reqlog.Span) ([]byte, error) {
	document := spanDocument{
		TraceID: s.TraceID, SpanID: s.SpanID, ParentID: s.ParentID, TraceState: s.TraceState,
		Name: s.Name, Kind: s.Kind, Status: s.Status, StatusMessage: s.StatusMessage, Start: s.Start, End: s.End,
		SchemaURL: s.SchemaURL, Index: s.Index,
	}
	if s.LogSpanID != s.SpanID {
		document.LogSpanID = s.LogSpanID
	}
	head, err := json.Marshal(&document)
	if err != nil {
		return dst, fmt.Errorf("encode span %s: %w", s.SpanID, err)
	}
	dst = appendPart(appendHeader(dst, recordSpan, s.Key(), s.Workspace), head)
	for _, part := range [][]byte{s.Attributes, s.Resource, s.Events, s.Links} {
		dst = appendPart(dst, part)
	}
	return dst, nil
}

func decodeSpan(r record) (*reqlog.Span, error) {
	parts, err := r.spanParts()
	if err != nil {
		return nil, err
	}
	var d spanDocument
	if err := json.Unmarshal(parts[spanHead], &d); err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	s := &reqlog.Span{
		Workspace: r.workspace(), TraceID: d.TraceID, SpanID: d.SpanID, ParentID: d.ParentID, TraceState: d.TraceState,
		Name: d.Name, Kind: d.Kind, Status: d.Status, StatusMessage: d.StatusMessage, Start: d.Start, End: d.End,
		Attributes: orNil(parts[spanAttributes]), Resource: orNil(parts[spanResource]),
		Events: orNil(parts[spanEvents]), Links: orNil(parts[spanLinks]),
		SchemaURL: d.SchemaURL, LogSpanID: d.LogSpanID, Index: d.Index,
	}
	if s.LogSpanID == "" {
		s.LogSpanID = s.SpanID
	}
	return s, nil
}

func orNil(part []byte) json.RawMessage {
	if len(part) == 0 {
		return nil
	}
	return part
}

// closureDocument is the end of a trace as the journal keeps it.
type closureDocument struct {
	TraceID string        `json:"trace_id"`
	At      reqlog.Micros `json:"at"`
}

func appendClosure(dst []byte, c *reqlog.Closure) ([]byte, error) {
	document, err := json.Marshal(closureDocument{TraceID: c.TraceID, At: c.At})
	if err != nil {
		return dst, fmt.Errorf("encode closure of trace %s: %w", c.TraceID, err)
	}
	return append(appendHeader(dst, recordClosure, c.Key(), c.Workspace), document...), nil
}

func decodeClosure(r record) (*reqlog.Closure, error) {
	var d closureDocument
	if err := json.Unmarshal(r[recordHeader:], &d); err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	return &reqlog.Closure{Workspace: r.workspace(), TraceID: d.TraceID, At: d.At}, nil
}
