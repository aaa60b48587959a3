package embedded

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// The parts of a span's record, in their order: a head with everything else, and
// what came as JSON as it is.
const (
	spanHead = iota
	spanAttributes
	spanResource
	spanEvents
	spanLinks
	spanPartCount
)

type spanParts [spanPartCount][]byte

// spanHeadVersion is the first byte of the head of a span. Records from before
// there were versions have a spanDocument there, which starts with a brace.
const spanHeadVersion = 1

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

// spanTexts returns the texts in the head of a span, in their order.
func spanTexts(s *reqlog.Span) [10]*string {
	return [...]*string{
		&s.TraceID, &s.SpanID, &s.ParentID, &s.TraceState, &s.Name, &s.Kind, &s.Status, &s.StatusMessage, &s.SchemaURL, &s.LogSpanID,
	}
}

// indexTexts returns the texts in the index of a span, in their order.
func indexTexts(x *reqlog.SpanIndex) [7]*string {
	return [...]*string{&x.Type, &x.ToolName, &x.Model, &x.User, &x.Session, &x.OutputText, &x.ExceptionText}
}

// spanNumbers returns the numbers in the head of a span, in their order.
func spanNumbers(s *reqlog.Span) [4]*int64 {
	return [...]*int64{(*int64)(&s.Start), (*int64)(&s.End), &s.Index.Workflow, &s.Index.WorkflowVersion}
}

// spanOverhead is about the size of what is small in the record of a span.
const spanOverhead = 256

// appendSpan appends the record of a span with this key.
func appendSpan(dst []byte, s *reqlog.Span, key int64) []byte {
	dst = appendHeader(dst, recordSpan, key, s.Workspace)
	var head [spanOverhead]byte
	dst = appendPart(dst, appendSpanHead(head[:0], s))
	for _, part := range [...][]byte{s.Attributes, s.Resource, s.Events, s.Links} {
		dst = appendPart(dst, part)
	}
	return dst
}

func appendSpanHead(dst []byte, s *reqlog.Span) []byte {
	dst = append(dst, spanHeadVersion)
	for _, n := range spanNumbers(s) {
		dst = binary.AppendVarint(dst, *n)
	}
	for _, text := range spanTexts(s) {
		dst = appendPart(dst, *text)
	}
	for _, text := range indexTexts(&s.Index) {
		dst = appendPart(dst, *text)
	}
	return dst
}

func decodeSpan(r record) (*reqlog.Span, error) {
	parts, err := r.spanParts()
	if err != nil {
		return nil, err
	}
	s := &reqlog.Span{
		Workspace:  r.workspace(),
		Attributes: orNil(parts[spanAttributes]), Resource: orNil(parts[spanResource]),
		Events: orNil(parts[spanEvents]), Links: orNil(parts[spanLinks]),
	}
	head := parts[spanHead]
	if len(head) > 0 && head[0] == spanHeadVersion {
		return s, decodeSpanHead(head[1:], s)
	}
	var d spanDocument
	if err := json.Unmarshal(head, &d); err != nil {
		return nil, fmt.Errorf("%w: %w", errRecord, err)
	}
	d.addTo(s)
	return s, nil
}

// decodeSpanHead undoes appendSpanHead.
func decodeSpanHead(head []byte, s *reqlog.Span) error {
	for _, to := range spanNumbers(s) {
		n, size := binary.Varint(head)
		if size <= 0 {
			return errRecord
		}
		*to, head = n, head[size:]
	}
	own, derived := spanTexts(s), indexTexts(&s.Index)
	head, err := cutTexts(head, own[:])
	if err != nil {
		return err
	}
	_, err = cutTexts(head, derived[:])
	return err
}

// cutTexts reads consecutive parts into texts, which share one copy.
func cutTexts(from []byte, texts []*string) (rest []byte, err error) {
	rest = from
	for range texts {
		if _, rest, err = cutPart(rest); err != nil {
			return nil, err
		}
	}
	shared, at := string(from[:len(from)-len(rest)]), 0
	for _, to := range texts {
		size, n := binary.Uvarint(from[at:])
		start := at + n
		at = start + int(size)
		*to = shared[start:at]
	}
	return rest, nil
}

func orNil(part []byte) json.RawMessage {
	if len(part) == 0 {
		return nil
	}
	return part
}

// spanDocument is the head of a span in records from before there were versions.
type spanDocument struct {
	TraceID       string           `json:"trace_id"`
	SpanID        string           `json:"span_id"`
	ParentID      string           `json:"parent_id"`
	TraceState    string           `json:"trace_state"`
	Name          string           `json:"name"`
	Kind          string           `json:"kind"`
	Status        string           `json:"status"`
	StatusMessage string           `json:"status_message"`
	Start         reqlog.Micros    `json:"start"`
	End           reqlog.Micros    `json:"end"`
	SchemaURL     string           `json:"schema_url"`
	LogSpanID     string           `json:"log_span_id"` // "" for its own
	Index         reqlog.SpanIndex `json:"index"`
}

func (d *spanDocument) addTo(s *reqlog.Span) {
	s.TraceID, s.SpanID, s.ParentID, s.TraceState = d.TraceID, d.SpanID, d.ParentID, d.TraceState
	s.Name, s.Kind, s.Status, s.StatusMessage = d.Name, d.Kind, d.Status, d.StatusMessage
	s.Start, s.End, s.SchemaURL, s.Index = d.Start, d.End, d.SchemaURL, d.Index
	s.LogSpanID = cmp.Or(d.LogSpanID, d.SpanID)
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
