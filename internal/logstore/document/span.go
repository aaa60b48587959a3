package document

import (
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// spanDocument is the head of a span as it is kept.
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

// EncodeSpan returns the document of a span: all but its workspace, attributes,
// resource, events and links.
func EncodeSpan(s *reqlog.Span) ([]byte, error) {
	document := spanDocument{
		TraceID: s.TraceID, SpanID: s.SpanID, ParentID: s.ParentID, TraceState: s.TraceState,
		Name: s.Name, Kind: s.Kind, Status: s.Status, StatusMessage: s.StatusMessage, Start: s.Start, End: s.End,
		SchemaURL: s.SchemaURL, Index: s.Index,
	}
	if s.LogSpanID != s.SpanID {
		document.LogSpanID = s.LogSpanID
	}
	encoded, err := json.Marshal(&document)
	if err != nil {
		return nil, fmt.Errorf("encode span %s: %w", s.SpanID, err)
	}
	return encoded, nil
}

// DecodeSpan undoes EncodeSpan.
func DecodeSpan(encoded []byte) (*reqlog.Span, error) {
	var d spanDocument
	if err := json.Unmarshal(encoded, &d); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrMalformed, err)
	}
	s := &reqlog.Span{
		TraceID: d.TraceID, SpanID: d.SpanID, ParentID: d.ParentID, TraceState: d.TraceState,
		Name: d.Name, Kind: d.Kind, Status: d.Status, StatusMessage: d.StatusMessage, Start: d.Start, End: d.End,
		SchemaURL: d.SchemaURL, LogSpanID: d.LogSpanID, Index: d.Index,
	}
	if s.LogSpanID == "" {
		s.LogSpanID = s.SpanID
	}
	return s, nil
}
