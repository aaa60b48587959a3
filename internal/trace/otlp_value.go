package trace

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// valueWriter writes the attributes, events and links of one span as JSON.
type valueWriter struct {
	jsontree.Writer
	// left is how many values may still be written, and wrong says why the span
	// must be rejected.
	left  int
	wrong string
}

// attributes returns the object with these attributes, nil if there are none.
func (w *valueWriter) attributes(list []*commonpb.KeyValue) []byte {
	if len(list) == 0 {
		return nil
	}
	w.Writer = jsontree.NewWriter(make([]byte, 0, attributesSize(list)))
	w.object(list, 0)
	return w.Bytes()
}

// attributesSize returns about how many bytes attributes take as JSON.
func attributesSize(list []*commonpb.KeyValue) int {
	size := 2
	for _, pair := range list {
		size += len(pair.GetKey()) + max(8, len(pair.GetValue().GetStringValue())) + 8
	}
	return size
}

// events returns the array of the events, nil if there are none. Their times are
// texts, because not every reader of JSON can represent such numbers.
func (w *valueWriter) events(list []*tracepb.Span_Event) []byte {
	if len(list) == 0 {
		return nil
	}
	w.Writer = jsontree.NewWriter(nil)
	w.Array(func() {
		for _, event := range list {
			if !w.take() {
				return
			}
			w.Object(func() {
				w.Key("name").String(event.GetName())
				w.Key("timestamp").String(strconv.FormatUint(event.GetTimeUnixNano(), 10))
				w.Key("attributes")
				w.object(event.GetAttributes(), 0)
			})
		}
	})
	return w.Bytes()
}

// links returns the array of the links, nil if there are none.
func (w *valueWriter) links(list []*tracepb.Span_Link) []byte {
	if len(list) == 0 {
		return nil
	}
	w.Writer = jsontree.NewWriter(nil)
	w.Array(func() {
		for _, link := range list {
			if !w.take() {
				return
			}
			w.Object(func() { w.link(link) })
		}
	})
	return w.Bytes()
}

func (w *valueWriter) link(link *tracepb.Span_Link) {
	w.Key("context").Object(func() {
		w.Key("trace_id").String(hex.EncodeToString(link.GetTraceId()))
		w.Key("span_id").String(hex.EncodeToString(link.GetSpanId()))
		w.Key("trace_state").String(link.GetTraceState())
	})
	w.Key("attributes")
	w.object(link.GetAttributes(), 0)
}

// take reports whether one more value may be written.
func (w *valueWriter) take() bool {
	w.left--
	if w.left < 0 {
		w.wrong = "Too many attributes"
	}
	return w.wrong == ""
}

func (w *valueWriter) object(list []*commonpb.KeyValue, depth int) {
	repeated := repeatedKeys(list)
	w.Object(func() {
		for i, pair := range list {
			if repeated != nil && repeated[pair.GetKey()] != i {
				continue
			}
			if tooLong(pair.GetKey(), maxKey) {
				w.wrong = "Invalid attribute key length"
			}
			if !w.take() {
				return
			}
			w.Key(pair.GetKey())
			w.value(pair.GetValue(), depth+1)
		}
	})
}

// repeatedKeys returns the last index of each key, which counts, or nil if no
// key occurs twice.
func repeatedKeys(list []*commonpb.KeyValue) map[string]int {
	if len(list) <= scanned && !anyRepeated(list) {
		return nil
	}
	last := make(map[string]int, len(list))
	for i, pair := range list {
		last[pair.GetKey()] = i
	}
	if len(last) == len(list) {
		return nil
	}
	return last
}

// anyRepeated reports whether a key of a short list occurs twice.
func anyRepeated(list []*commonpb.KeyValue) bool {
	for i, pair := range list {
		for _, other := range list[:i] {
			if pair.GetKey() == other.GetKey() {
				return true
			}
		}
	}
	return false
}

// value writes one attribute value. The depth limits the recursion.
func (w *valueWriter) value(v *commonpb.AnyValue, depth int) {
	if depth > maxDepth {
		w.wrong = "Attribute values nest too deeply"
		w.Null()
		return
	}
	switch v := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		w.String(v.StringValue)
	case *commonpb.AnyValue_BoolValue:
		w.Bool(v.BoolValue)
	case *commonpb.AnyValue_IntValue:
		w.Int(v.IntValue)
	case *commonpb.AnyValue_DoubleValue:
		w.double(v.DoubleValue)
	case *commonpb.AnyValue_BytesValue:
		w.String(base64.StdEncoding.EncodeToString(v.BytesValue))
	case *commonpb.AnyValue_ArrayValue:
		w.array(v.ArrayValue.GetValues(), depth)
	case *commonpb.AnyValue_KvlistValue:
		w.object(v.KvlistValue.GetValues(), depth)
	default:
		w.Null()
	}
}

func (w *valueWriter) array(list []*commonpb.AnyValue, depth int) {
	w.Array(func() {
		for _, element := range list {
			if !w.take() {
				return
			}
			w.value(element, depth+1)
		}
	})
}

// double writes a number. JSON has no infinity and no NaN: they become the texts
// that protobuf uses for them.
func (w *valueWriter) double(f float64) {
	switch {
	case math.IsNaN(f):
		w.String("NaN")
	case math.IsInf(f, 1):
		w.String("Infinity")
	case math.IsInf(f, -1):
		w.String("-Infinity")
	default:
		w.Float(f)
	}
}
