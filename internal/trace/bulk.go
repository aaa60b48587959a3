package trace

import (
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// The prefixes of kinds and statuses on the wire.
const (
	// KindPrefix precedes Span.Kind.
	KindPrefix = "SpanKind."
	// StatusPrefix precedes Span.Status.
	StatusPrefix = "StatusCode."
)

var (
	kindWords = []string{
		KindPrefix + reqlog.SpanClient, KindPrefix + reqlog.SpanConsumer, KindPrefix + reqlog.SpanInternal,
		KindPrefix + reqlog.SpanProducer, KindPrefix + reqlog.SpanServer,
	}
	statusWords = []string{StatusPrefix + reqlog.SpanError, StatusPrefix + reqlog.SpanOK, StatusPrefix + reqlog.SpanUnset}
)

// ignoredNames are spans that client libraries record for the creation of a
// provider's client, which is no operation.
var ignoredNames = map[string]bool{"openai.OpenAI": true, "anthropic.Anthropic": true}

// DecodeSpans reads the spans of a body in our own format. It adds every broken
// rule to problems; if there are any, the result must not be used.
//
// The spans refer to the bytes that body was parsed from and own them from now
// on: their buffer must be neither changed nor reused.
func DecodeSpans(body jsontree.Value, loc []any, problems *fault.Problems) Batch {
	r := shape.New(loc, problems)
	object, ok := r.Object(body)
	if !ok {
		return Batch{}
	}
	object.Need("spans")
	builder := newBatch(body.Get("spans").Len())
	builder.batch.CloseAfter = object.Bool("close_after")
	for span := range object.Objects("spans", MaxSpans) {
		builder.decode(bulkSpan{span})
	}
	return builder.batch
}

// decode reads a span and its log. Spans that are dropped are checked, too: a
// request is valid or not as a whole.
func (b *batchBuilder) decode(d bulkSpan) {
	span := d.span()
	log := d.log(span)
	if !ignoredNames[span.Name] && b.first(span) {
		complete(span, log)
		b.add(span, log)
	}
}

// bulkSpan reads the members of a span in our own format.
type bulkSpan struct{ shape.Object }

func (d bulkSpan) span() *reqlog.Span {
	span := &reqlog.Span{Name: d.Required().Text("name", 0, maxText)}
	d.context(span)
	span.ParentID = reqlog.NormalSpanID(d.Text("parent_id", 0, maxID))
	span.Kind = word(d.Required(), "kind", kindWords, KindPrefix)
	span.Start, span.End = d.nanoseconds("start_time"), d.nanoseconds("end_time")
	d.status(span)
	d.data(span)
	return span
}

func (d bulkSpan) context(span *reqlog.Span) {
	context, ok := d.inner("context")
	if !ok {
		return
	}
	span.TraceID = reqlog.NormalTraceID(context.Required().Text("trace_id", 1, maxID))
	span.SpanID = reqlog.NormalSpanID(context.Required().Text("span_id", 1, maxID))
	span.TraceState = context.Text("trace_state", 0, maxText)
	d.Leave()
}

func (d bulkSpan) status(span *reqlog.Span) {
	status, ok := d.inner("status")
	if !ok {
		return
	}
	span.Status = word(status.Required(), "status_code", statusWords, StatusPrefix)
	span.StatusMessage = status.String("description")
	d.Leave()
}

// data reads the parts of a span that are kept as they were sent.
func (d bulkSpan) data(span *reqlog.Span) {
	left := maxValues
	span.Attributes = filled(d.bounded("attributes", jsontree.Object, &left))
	span.Events = filled(d.bounded("events", jsontree.Array, &left))
	span.Links = filled(d.bounded("links", jsontree.Array, &left))
	d.Need("attributes")
	resource, ok := d.inner("resource")
	if !ok {
		return
	}
	inner := bulkSpan{resource}
	span.Resource = filled(inner.bounded("attributes", jsontree.Object, &left))
	span.SchemaURL = inner.Text("schema_url", 0, maxText)
	inner.Need("attributes")
	d.Leave()
}

// log reads the log of a span, nil if it has none.
func (d bulkSpan) log(span *reqlog.Span) *reqlog.LogInput {
	if !d.Given("log_request") {
		return nil
	}
	d.Enter("log_request")
	defer d.Leave()
	in := reqlog.DecodeSpanLog(d.Value.Get("log_request"), d.Loc(), span.Start, span.End, d.Problems())
	in.Log.SpanID = span.SpanID
	if err := in.Check(); err != nil {
		d.ReportAt("prompt_version_number", fault.Rulef("value_error", "%v", err))
	}
	return in
}

// inner enters a required member that is an object; the caller leaves it. ok is
// false, and nothing is entered, if it is none.
func (d bulkSpan) inner(key string) (object shape.Object, ok bool) {
	d.Enter(key)
	if object, ok = d.Reader.Object(d.Value.Get(key)); !ok {
		d.Leave()
	}
	return object, ok
}

// word returns the required word of a member without its prefix.
func word(o shape.Object, key string, words []string, prefix string) string {
	found := shape.Choice(o, key, words)
	if found == "" {
		return ""
	}
	return found[len(prefix):]
}

// nanoseconds reads a required time, a number or a string of digits.
func (d bulkSpan) nanoseconds(key string) reqlog.Micros {
	v := d.Value.Get(key)
	n, ok := wholeNumber(v)
	switch {
	case !v.Given():
		d.Need(key)
	case !ok:
		d.ReportAt(key, nanosecondsRule)
	case n < 0:
		d.ReportAt(key, fault.Minimum(0))
	}
	return reqlog.Micros(n / 1000)
}

// wholeNumber returns a whole number, which may be a string of digits. A float
// that is too large to be exact counts as whole.
func wholeNumber(v jsontree.Value) (n int64, ok bool) {
	if v.Kind() == jsontree.String {
		n, err := strconv.ParseInt(v.Str(), 10, 64)
		return n, err == nil
	}
	if n, ok = v.Int(); ok {
		return n, true
	}
	f, ok := v.Float()
	if !ok || f != math.Trunc(f) || math.Abs(f) >= math.MaxInt64 {
		return 0, false
	}
	return int64(f), true
}

var nanosecondsRule = fault.Rulef(fault.IntOrDigits.Type,
	"Input should be a time in nanoseconds, a valid integer or a string of digits up to %d", int64(math.MaxInt64))

// smallContainer is the length of a JSON text that cannot exceed the limits.
const smallContainer = maxKey

// bounded returns a member of the kind, if its values and keys are within the
// limits. It takes the values from left.
func (d bulkSpan) bounded(key string, kind jsontree.Kind, left *int) jsontree.Value {
	v := d.Member(key, kind)
	if len(v.Raw()) <= smallContainer {
		return v
	}
	switch longest := measure(v, left); {
	case *left < 0:
		d.ReportAt(key, fault.Rulef("too_long", "A span should have at most %d values", maxValues))
	case longest > maxKey:
		d.ReportAt(key, fault.Rulef("string_too_long", "Keys should have at most %d characters", maxKey))
	}
	return v
}

// measure takes the number of values within a container from left and returns
// the length of its longest key in characters. The depth of a tree is limited.
func measure(v jsontree.Value, left *int) (longest int) {
	*left -= v.Len()
	for _, element := range v.Elems() {
		longest = max(longest, measure(element, left))
	}
	for key, member := range v.Members() {
		longest = max(longest, utf8.RuneCountInString(key), measure(member, left))
	}
	return longest
}

// filled returns the text of a container, nil if it is empty.
func filled(v jsontree.Value) []byte {
	if v.Len() == 0 {
		return nil
	}
	return v.Raw()
}
