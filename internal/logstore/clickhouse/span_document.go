package clickhouse

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/document"
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

// encodeSpan returns the document of a span: all but its workspace, attributes,
// resource, events and links.
func encodeSpan(s *reqlog.Span) ([]byte, error) {
	head := spanDocument{
		TraceID: s.TraceID, SpanID: s.SpanID, ParentID: s.ParentID, TraceState: s.TraceState,
		Name: s.Name, Kind: s.Kind, Status: s.Status, StatusMessage: s.StatusMessage, Start: s.Start, End: s.End,
		SchemaURL: s.SchemaURL, Index: s.Index,
	}
	if s.LogSpanID != s.SpanID {
		head.LogSpanID = s.LogSpanID
	}
	encoded, err := json.Marshal(&head)
	if err != nil {
		return nil, fmt.Errorf("encode span %s: %w", s.SpanID, err)
	}
	return encoded, nil
}

// decodeSpan undoes encodeSpan.
func decodeSpan(encoded []byte) (*reqlog.Span, error) {
	var d spanDocument
	if err := json.Unmarshal(encoded, &d); err != nil {
		return nil, fmt.Errorf("%w: %w", document.ErrMalformed, err)
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

const (
	// maxAttributes is the number of attributes of a span that can be searched for,
	// and maxAttributeValue the size of their values. Larger ones are usually
	// messages, which logs have.
	maxAttributes     = 1_000
	maxAttributeValue = 1 << 10
)

// attributeTexts returns the attributes of an object as the pairs of a column.
func attributeTexts(object []byte) []string {
	tree, err := jsontree.Parse(object)
	if err != nil {
		return []string{} // nothing was sent
	}
	pairs := slices.DeleteFunc(reqlog.Flatten(tree), func(p reqlog.Pair) bool { return len(p.Value) > maxAttributeValue })
	return document.PairTexts(pairs[:min(len(pairs), maxAttributes)])
}
