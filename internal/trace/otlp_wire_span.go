package trace

import (
	"math"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

// span gives a span to a decoder.
func (r *wireReader) span(message []byte, d *otlpDecoder) {
	r.pairs.used, r.values.used, r.texts.used, r.ints.used = 0, 0, 0, 0
	span := &tracepb.Span{Attributes: r.list[:0]}
	var f field
	for r.next(&message, &f) {
		r.spanField(&f, span)
	}
	r.list = span.GetAttributes()
	if r.err == nil {
		d.span(span)
	}
}

func (r *wireReader) spanField(f *field, to *tracepb.Span) {
	switch f.tag {
	case 1<<3 | wireBytes:
		to.TraceId = f.bytes
	case 2<<3 | wireBytes:
		to.SpanId = f.bytes
	case 3<<3 | wireBytes:
		to.TraceState = r.text(f.bytes)
	case 4<<3 | wireBytes:
		to.ParentSpanId = f.bytes
	case 5<<3 | wireBytes:
		to.Name = r.text(f.bytes)
	case 6<<3 | wireVarint:
		to.Kind = tracepb.Span_SpanKind(f.number)
	case 7<<3 | wireFixed:
		to.StartTimeUnixNano = f.number
	case 8<<3 | wireFixed:
		to.EndTimeUnixNano = f.number
	case 9<<3 | wireBytes:
		to.Attributes = append(to.Attributes, r.pair(f.bytes, recursionLimit))
	case 11<<3 | wireBytes:
		to.Events = append(to.Events, r.event(f.bytes))
	case 13<<3 | wireBytes:
		to.Links = append(to.Links, r.link(f.bytes))
	case 15<<3 | wireBytes:
		if to.Status == nil {
			to.Status = &tracepb.Status{}
		}
		r.status(f.bytes, to.Status)
	}
}

func (r *wireReader) status(message []byte, to *tracepb.Status) {
	r.take()
	var f field
	for r.next(&message, &f) {
		switch f.tag {
		case 2<<3 | wireBytes:
			to.Message = r.text(f.bytes)
		case 3<<3 | wireVarint:
			to.Code = tracepb.Status_StatusCode(f.number)
		}
	}
}

func (r *wireReader) event(message []byte) *tracepb.Span_Event {
	r.take()
	event := &tracepb.Span_Event{}
	var f field
	for r.next(&message, &f) {
		switch f.tag {
		case 1<<3 | wireFixed:
			event.TimeUnixNano = f.number
		case 2<<3 | wireBytes:
			event.Name = r.text(f.bytes)
		case 3<<3 | wireBytes:
			event.Attributes = append(event.Attributes, r.pair(f.bytes, recursionLimit))
		}
	}
	return event
}

func (r *wireReader) link(message []byte) *tracepb.Span_Link {
	r.take()
	link := &tracepb.Span_Link{}
	var f field
	for r.next(&message, &f) {
		switch f.tag {
		case 1<<3 | wireBytes:
			link.TraceId = f.bytes
		case 2<<3 | wireBytes:
			link.SpanId = f.bytes
		case 3<<3 | wireBytes:
			link.TraceState = r.text(f.bytes)
		case 4<<3 | wireBytes:
			link.Attributes = append(link.Attributes, r.pair(f.bytes, recursionLimit))
		}
	}
	return link
}

// pair reads an attribute. The depth limits the recursion.
func (r *wireReader) pair(message []byte, depth int) *commonpb.KeyValue {
	r.take()
	pair := r.pairs.get()
	pair.Key, pair.Value = "", nil
	var f field
	for r.next(&message, &f) {
		switch f.tag {
		case 1<<3 | wireBytes:
			pair.Key = r.text(f.bytes)
		case 2<<3 | wireBytes:
			if pair.Value == nil {
				pair.Value = r.newValue()
			}
			r.value(f.bytes, pair.Value, depth)
		}
	}
	return pair
}

func (r *wireReader) newValue() *commonpb.AnyValue {
	value := r.values.get()
	value.Value = nil
	return value
}

// value reads a value. Of several in one message the last counts; lists of the
// same kind are joined.
func (r *wireReader) value(message []byte, to *commonpb.AnyValue, depth int) {
	r.take()
	if depth--; depth < 0 && r.err == nil {
		r.err = errDeepMessages
	}
	var f field
	for r.next(&message, &f) {
		r.valueField(&f, to, depth)
	}
}

func (r *wireReader) valueField(f *field, to *commonpb.AnyValue, depth int) {
	switch f.tag {
	case 1<<3 | wireBytes:
		value := r.texts.get()
		value.StringValue = r.text(f.bytes)
		to.Value = value
	case 2<<3 | wireVarint:
		to.Value = &commonpb.AnyValue_BoolValue{BoolValue: protowire.DecodeBool(f.number)}
	case 3<<3 | wireVarint:
		value := r.ints.get()
		value.IntValue = int64(f.number)
		to.Value = value
	case 4<<3 | wireFixed:
		to.Value = &commonpb.AnyValue_DoubleValue{DoubleValue: math.Float64frombits(f.number)}
	case 5<<3 | wireBytes:
		r.array(f.bytes, to, depth)
	case 6<<3 | wireBytes:
		r.pairList(f.bytes, to, depth)
	case 7<<3 | wireBytes:
		to.Value = &commonpb.AnyValue_BytesValue{BytesValue: f.bytes}
	}
}

func (r *wireReader) array(message []byte, to *commonpb.AnyValue, depth int) {
	r.take()
	if to.GetArrayValue() == nil {
		to.Value = &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{}}
	}
	array := to.GetArrayValue()
	var f field
	for r.next(&message, &f) {
		if f.tag == 1<<3|wireBytes {
			element := r.newValue()
			r.value(f.bytes, element, depth)
			array.Values = append(array.Values, element)
		}
	}
}

func (r *wireReader) pairList(message []byte, to *commonpb.AnyValue, depth int) {
	r.take()
	if to.GetKvlistValue() == nil {
		to.Value = &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{}}
	}
	list := to.GetKvlistValue()
	var f field
	for r.next(&message, &f) {
		if f.tag == 1<<3|wireBytes {
			list.Values = append(list.Values, r.pair(f.bytes, depth))
		}
	}
}
