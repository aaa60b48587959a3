// Package trace reads traces: the spans that clients send, in our own format and
// in that of OpenTelemetry, and the request logs that they describe. It neither
// stores nor serves them.
package trace

import (
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// Limits on what one request may send. They keep the cost of a span close to its
// size, whatever a client sends.
const (
	// MaxSpans is the maximum number of spans in one request.
	MaxSpans = 50_000
	// maxValues is the maximum number of attribute values of one span, with
	// those of its events and links.
	maxValues = reqlog.MaxPairs
	// maxDepth is the deepest nesting of an attribute value.
	maxDepth = 50
	// maxKey is the longest name of an attribute, in characters.
	maxKey = 1024
	// maxID and maxText limit ids, and names and other short texts, in
	// characters.
	maxID   = 256
	maxText = 4096
	// maxResource is the size of the largest resource, and maxCopies the total
	// size of the resources of all spans of a request in bytes: each span has a
	// copy of the resource that it shares with others in the request.
	maxResource = 64 << 10
	maxCopies   = 64 << 20
)

// Batch is the content of one request: spans that are complete but for their
// workspace, and the request logs that the client sent with them or that their
// attributes describe. Of several spans with the same ids only the first is
// kept.
type Batch struct {
	requests.SpanInput
	// Rejected is the number of invalid spans, and Reason says what is wrong with
	// the first of them.
	Rejected int
	Reason   string
}

// spanKey identifies a span within a request.
type spanKey struct{ trace, span string }

// batchBuilder collects the spans of one request.
type batchBuilder struct {
	batch Batch
	seen  map[spanKey]struct{}
}

func newBatch(size int) *batchBuilder {
	size = min(size, MaxSpans)
	b := &batchBuilder{seen: make(map[spanKey]struct{}, size)}
	b.batch.Spans, b.batch.Logs = make([]*reqlog.Span, 0, size), make([]*reqlog.LogInput, 0, size)
	return b
}

// first reports whether a span is the first of the request with its ids.
func (b *batchBuilder) first(span *reqlog.Span) bool {
	key := spanKey{span.TraceID, span.SpanID}
	if _, repeated := b.seen[key]; repeated {
		return false
	}
	b.seen[key] = struct{}{}
	return true
}

func (b *batchBuilder) add(span *reqlog.Span, log *reqlog.LogInput) {
	b.batch.Spans, b.batch.Logs = append(b.batch.Spans, span), append(b.batch.Logs, log)
}

func (b *batchBuilder) reject(reason string) {
	if b.batch.Rejected == 0 {
		b.batch.Reason = reason
	}
	b.batch.Rejected++
}

// traceDigits and spanDigits are the lengths of ids in hexadecimal.
const (
	traceDigits = 32
	spanDigits  = 16
)
