package trace

import (
	"errors"
	"unicode/utf8"
	"unsafe"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/encoding/protowire"
)

// wireReader reads a request into the types of OTLP, span by span. It accepts
// and returns what proto.Unmarshal does, in a fraction of the time, which is
// mostly spent on allocating a dozen messages per span by reflection: it knows
// the messages, uses them again for the next span, and refers to the texts of
// the body instead of copying them.
type wireReader struct {
	// left is how many messages may still be read, and err says why reading
	// stopped.
	left int
	err  error

	// Messages of the span or resource that is being read.
	pairs  pool[commonpb.KeyValue]
	values pool[commonpb.AnyValue]
	texts  pool[commonpb.AnyValue_StringValue]
	ints   pool[commonpb.AnyValue_IntValue]
	list   []*commonpb.KeyValue
}

var (
	errManyMessages = errors.New("too many messages")
	errDeepMessages = errors.New("messages nest too deeply")
	errText         = errors.New("a text is not UTF-8")
)

// field is a field of a message.
type field struct {
	// tag is the number of the field and its type on the wire. A field that has
	// another type than it should is ignored like an unknown one.
	tag    uint64
	bytes  []byte
	number uint64
}

// The types of fields on the wire, as the lower bits of tags.
const (
	wireBytes  = uint64(protowire.BytesType)
	wireVarint = uint64(protowire.VarintType)
	wireFixed  = uint64(protowire.Fixed64Type)
)

// next cuts the next field off a message. It returns false at its end, and if
// reading has stopped.
func (r *wireReader) next(message *[]byte, f *field) bool {
	if len(*message) == 0 || r.err != nil {
		return false
	}
	number, wire, n := protowire.ConsumeTag(*message)
	if n < 0 {
		r.err = protowire.ParseError(n)
		return false
	}
	rest := (*message)[n:]
	switch wire {
	case protowire.BytesType:
		f.bytes, n = protowire.ConsumeBytes(rest)
	case protowire.VarintType:
		f.number, n = protowire.ConsumeVarint(rest)
	case protowire.Fixed64Type:
		f.number, n = protowire.ConsumeFixed64(rest)
	default:
		n = protowire.ConsumeFieldValue(number, wire, rest)
	}
	if n < 0 {
		r.err = protowire.ParseError(n)
		return false
	}
	f.tag = uint64(number)<<3 | uint64(wire)
	*message = rest[n:]
	return true
}

// take counts a message.
func (r *wireReader) take() {
	if r.left--; r.left < 0 && r.err == nil {
		r.err = errManyMessages
	}
}

// text returns a text of the body. It must not be used after the body, so what
// is kept is cloned.
func (r *wireReader) text(bytes []byte) string {
	if !utf8.Valid(bytes) && r.err == nil {
		r.err = errText
	}
	return unsafe.String(unsafe.SliceData(bytes), len(bytes))
}

// request gives the spans of a request to a decoder. Messages that others need
// come first, wherever they are.
func (r *wireReader) request(body []byte, d *otlpDecoder) {
	var f field
	for r.next(&body, &f) {
		if f.tag == 1<<3|wireBytes {
			r.take()
			r.resourceSpans(f.bytes, d)
		}
	}
}

func (r *wireReader) resourceSpans(message []byte, d *otlpDecoder) {
	var f field
	var resource resourcepb.Resource
	schemaURL := ""
	for rest := message; r.next(&rest, &f); {
		switch f.tag {
		case 1<<3 | wireBytes:
			r.resource(f.bytes, &resource)
		case 3<<3 | wireBytes:
			schemaURL = r.text(f.bytes)
		}
	}
	d.resource(&resource, schemaURL)
	for r.next(&message, &f) {
		if f.tag == 2<<3|wireBytes {
			r.take()
			r.scopeSpans(f.bytes, d)
		}
	}
}

func (r *wireReader) resource(message []byte, to *resourcepb.Resource) {
	r.take()
	var f field
	for r.next(&message, &f) {
		if f.tag == 1<<3|wireBytes {
			to.Attributes = append(to.Attributes, r.pair(f.bytes, recursionLimit))
		}
	}
}

func (r *wireReader) scopeSpans(message []byte, d *otlpDecoder) {
	var f field
	var scope commonpb.InstrumentationScope
	for rest := message; r.next(&rest, &f); {
		if f.tag == 1<<3|wireBytes {
			r.scope(f.bytes, &scope)
		}
	}
	d.scope(&scope)
	for r.next(&message, &f) {
		if f.tag == 2<<3|wireBytes {
			r.take()
			r.span(f.bytes, d)
		}
	}
}

func (r *wireReader) scope(message []byte, to *commonpb.InstrumentationScope) {
	r.take()
	var f field
	for r.next(&message, &f) {
		switch f.tag {
		case 1<<3 | wireBytes:
			to.Name = r.text(f.bytes)
		case 2<<3 | wireBytes:
			to.Version = r.text(f.bytes)
		}
	}
}

// pool has messages that are used again. They keep their contents.
type pool[T any] struct {
	all  []*T
	used int
}

// poolBlock is how many messages are allocated together.
const poolBlock = 64

func (p *pool[T]) get() *T {
	if p.used == len(p.all) {
		block := make([]T, poolBlock)
		for i := range block {
			p.all = append(p.all, &block[i])
		}
	}
	p.used++
	return p.all[p.used-1]
}
