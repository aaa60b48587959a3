package trace

import (
	"encoding/hex"
	"errors"
	"math"
	"mime"
	"strings"
	"unicode/utf8"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// The media types of OTLP requests and their responses.
const (
	Protobuf = "application/x-protobuf"
	JSON     = "application/json"
)

// recursionLimit is how deeply the messages of a request may nest. Spans with
// values that nest deeper than maxDepth are rejected one by one; this limit is
// for values that would be expensive to read at all.
const recursionLimit = 2000

// DecodeOTLP reads the body of an export request of OpenTelemetry, which its
// Content-Type says is protobuf or JSON. Invalid spans are counted, the others
// returned with the logs that they describe. The fault is UnsupportedMedia for
// another type and BadRequest for a body that cannot be read.
func DecodeOTLP(contentType string, body []byte) (Batch, error) {
	media, _, err := mime.ParseMediaType(contentType)
	switch {
	case err == nil && media == Protobuf:
		return decodeProtobuf(body)
	case err == nil && media == JSON:
		return decodeJSON(body)
	}
	return Batch{}, fault.New(fault.UnsupportedMedia, "Unsupported Content-Type: send %s or %s", Protobuf, JSON)
}

// maxMessages is the maximum number of messages within a request. An empty
// message takes two bytes of a request, and many times as much memory.
const maxMessages = 1_000_000

// typicalSpan is the size of a small span in a request.
const typicalSpan = 256

func decodeProtobuf(body []byte) (Batch, error) {
	r := wireReader{left: maxMessages}
	d := newOTLPDecoder(len(body) / typicalSpan)
	switch r.request(body, d); {
	case errors.Is(r.err, errManyMessages):
		return Batch{}, fault.New(fault.TooLarge, "The request has more than %d spans, attributes and other parts", maxMessages)
	case errors.Is(r.err, errDeepMessages):
		return Batch{}, fault.BadRequestf("Attribute values nest too deeply")
	case r.err != nil:
		return Batch{}, fault.Wrap(fault.BadRequest, r.err, "The request body is not a valid protobuf message")
	}
	return d.batch, nil
}

// otlpDecoder reads spans one after the other. It must know their resource and
// scope before it reads them.
type otlpDecoder struct {
	*batchBuilder
	// shared has what the spans of a resource have in common, and wrong says why
	// they cannot be accepted.
	shared struct {
		resource   []byte
		attributes attributes
		schemaURL  string
		wrong      string
	}
	// named are the attributes of the scope, and misnamed says what is wrong with
	// it.
	named    []*commonpb.KeyValue
	misnamed string
	// copied is the total size of the resources of all spans.
	copied int
	reader attributeReader
}

// newOTLPDecoder returns a decoder of about so many spans. OTLP requests are
// stored as a whole, and logs of unknown prompts without a link.
func newOTLPDecoder(size int) *otlpDecoder {
	d := &otlpDecoder{batchBuilder: newBatch(size), reader: attributeReader{names: map[string]string{}}}
	d.batch.Whole, d.batch.Unlinked = true, true
	return d
}

func (d *otlpDecoder) resource(resource *resourcepb.Resource, schemaURL string) {
	values := valueWriter{left: maxValues}
	d.shared.resource = values.attributes(resource.GetAttributes())
	d.shared.schemaURL, d.shared.wrong = strings.Clone(schemaURL), values.wrong
	switch {
	case len(d.shared.resource) > maxResource:
		d.shared.wrong = "Resource attributes are too large"
	case tooLong(schemaURL, maxText):
		d.shared.wrong = "Invalid schemaUrl length"
	}
	if d.shared.wrong == "" {
		d.shared.attributes = parseAttributes(d.shared.resource)
	}
}

// scope keeps the name and the version of the instrumentation library, as
// attributes of its spans.
func (d *otlpDecoder) scope(scope *commonpb.InstrumentationScope) {
	d.named, d.misnamed = nil, ""
	if tooLong(scope.GetName(), maxKey) || tooLong(scope.GetVersion(), maxKey) {
		d.misnamed = "Invalid scope name length"
		return
	}
	for _, pair := range [][2]string{{"otel.scope.name", scope.GetName()}, {"otel.scope.version", scope.GetVersion()}} {
		if pair[1] != "" {
			value := &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: pair[1]}}
			d.named = append(d.named, &commonpb.KeyValue{Key: pair[0], Value: value})
		}
	}
}

func (d *otlpDecoder) span(sent *tracepb.Span) {
	span, wrong := d.read(sent)
	if wrong != "" {
		d.reject(wrong)
		return
	}
	if !d.first(span) {
		return
	}
	d.copied += len(span.Resource)
	d.add(span, completeWithLog(span, d.shared.attributes, &d.reader))
}

// read converts a span, or says what is wrong with it.
func (d *otlpDecoder) read(sent *tracepb.Span) (span *reqlog.Span, wrong string) {
	if wrong = d.refuse(sent); wrong != "" {
		return nil, wrong
	}
	values := valueWriter{left: maxValues}
	span = &reqlog.Span{
		// Texts are cloned, because they may be those of the body.
		TraceState: strings.Clone(sent.GetTraceState()), Name: strings.Clone(sent.GetName()), Kind: kindOf(sent.GetKind()),
		Status: statusOf(sent.GetStatus().GetCode()), StatusMessage: strings.Clone(sent.GetStatus().GetMessage()),
		Start:      micros(sent.GetStartTimeUnixNano()),
		End:        micros(sent.GetEndTimeUnixNano()),
		Attributes: values.attributes(d.scoped(sent.GetAttributes())),
		Events:     values.events(sent.GetEvents()), Links: values.links(sent.GetLinks()),
		Resource: d.shared.resource, SchemaURL: d.shared.schemaURL,
	}
	span.TraceID, span.SpanID, span.ParentID = hexIDs(sent)
	if sent.GetEndTimeUnixNano() == 0 {
		span.End = span.Start
	}
	return span, values.wrong
}

// hexIDs returns the ids of a span, which have the right lengths, and of its
// parent, as parts of one text. Some libraries send zeros for no parent.
func hexIDs(sent *tracepb.Span) (trace, span, parent string) {
	var digits [traceDigits + 2*spanDigits]byte
	all := hex.AppendEncode(digits[:0], sent.GetTraceId())
	all = hex.AppendEncode(all, sent.GetSpanId())
	if !isZero(sent.GetParentSpanId()) {
		all = hex.AppendEncode(all, sent.GetParentSpanId())
	}
	ids := string(all)
	return ids[:traceDigits], ids[traceDigits : traceDigits+spanDigits], ids[traceDigits+spanDigits:]
}

// refuse says what is wrong with a span apart from its attributes.
func (d *otlpDecoder) refuse(sent *tracepb.Span) string {
	switch {
	case d.shared.wrong != "":
		return d.shared.wrong
	case d.misnamed != "":
		return d.misnamed
	case len(d.batch.Spans) >= MaxSpans:
		return "Too many spans in one request"
	case d.copied+len(d.shared.resource) > maxCopies:
		return "Too many spans in one request with a resource of this size"
	}
	if wrong := wrongIDs(sent); wrong != "" {
		return wrong
	}
	return wrongFacts(sent)
}

func wrongIDs(sent *tracepb.Span) string {
	switch {
	case len(sent.GetTraceId()) != traceDigits/2:
		return "Invalid traceId length"
	case len(sent.GetSpanId()) != spanDigits/2:
		return "Invalid spanId length"
	case len(sent.GetParentSpanId()) != 0 && len(sent.GetParentSpanId()) != spanDigits/2:
		return "Invalid parentSpanId length"
	case isZero(sent.GetTraceId()):
		return "Invalid traceId: all zeros"
	case isZero(sent.GetSpanId()):
		return "Invalid spanId: all zeros"
	}
	return ""
}

func wrongFacts(sent *tracepb.Span) string {
	switch {
	case sent.GetName() == "":
		return "Missing name"
	case tooLong(sent.GetName(), maxText):
		return "Invalid name length"
	case tooLong(sent.GetTraceState(), maxText):
		return "Invalid traceState length"
	case sent.GetStartTimeUnixNano() == 0:
		return "Missing startTimeUnixNano"
	case sent.GetStartTimeUnixNano() > math.MaxInt64:
		return "Invalid startTimeUnixNano"
	case sent.GetEndTimeUnixNano() > math.MaxInt64:
		return "Invalid endTimeUnixNano"
	}
	return ""
}

// scoped returns the attributes of a span with those of its scope. The span's
// own come last, so they win.
func (d *otlpDecoder) scoped(own []*commonpb.KeyValue) []*commonpb.KeyValue {
	if len(d.named) == 0 {
		return own
	}
	all := make([]*commonpb.KeyValue, 0, len(d.named)+len(own))
	return append(append(all, d.named...), own...)
}

func isZero(id []byte) bool {
	for _, b := range id {
		if b != 0 {
			return false
		}
	}
	return true
}

func tooLong(text string, most int) bool {
	return len(text) > most && utf8.RuneCountInString(text) > most
}

func micros(nanoseconds uint64) reqlog.Micros { return reqlog.Micros(nanoseconds / 1000) }

func kindOf(kind tracepb.Span_SpanKind) string {
	switch kind {
	case tracepb.Span_SPAN_KIND_SERVER:
		return reqlog.SpanServer
	case tracepb.Span_SPAN_KIND_CLIENT:
		return reqlog.SpanClient
	case tracepb.Span_SPAN_KIND_PRODUCER:
		return reqlog.SpanProducer
	case tracepb.Span_SPAN_KIND_CONSUMER:
		return reqlog.SpanConsumer
	default:
		return reqlog.SpanInternal
	}
}

func statusOf(code tracepb.Status_StatusCode) string {
	switch code {
	case tracepb.Status_STATUS_CODE_OK:
		return reqlog.SpanOK
	case tracepb.Status_STATUS_CODE_ERROR:
		return reqlog.SpanError
	default:
		return reqlog.SpanUnset
	}
}

// AppendResponse appends the response to an export request as protobuf.
func (b *Batch) AppendResponse(dst []byte) []byte {
	if b.Rejected == 0 {
		return dst
	}
	partial := protowire.AppendTag(nil, fieldRejected, protowire.VarintType)
	partial = protowire.AppendVarint(partial, uint64(b.Rejected))
	partial = protowire.AppendTag(partial, fieldReason, protowire.BytesType)
	partial = protowire.AppendString(partial, b.Reason)
	return protowire.AppendBytes(protowire.AppendTag(dst, fieldPartial, protowire.BytesType), partial)
}

// The fields of the response to an export request and of its part. Their package
// depends on gRPC.
const (
	fieldPartial  = 1
	fieldRejected = 1
	fieldReason   = 2
)
