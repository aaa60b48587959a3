package trace

import (
	"encoding/base64"
	"strconv"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"

	"github.com/promptuary/promptuary/internal/jsontree"
)

func (r *jsonReader) attributes(list jsontree.Value) []*commonpb.KeyValue {
	out := make([]*commonpb.KeyValue, 0, list.Len())
	for pair := range r.objects(list, "attributes") {
		key := pair.Get("key")
		if key.Kind() != jsontree.String {
			r.wrong = "the key of an attribute must be a string"
		}
		out = append(out, &commonpb.KeyValue{Key: key.Str(), Value: r.value(pair.Get("value"))})
	}
	return out
}

// value reads an attribute value: an object with one member, which tells the
// type. The depth of a tree limits the recursion.
func (r *jsonReader) value(v jsontree.Value) *commonpb.AnyValue {
	for key, member := range v.Members() {
		if !member.Given() {
			continue
		}
		switch key {
		case "stringValue", "string_value":
			return textValue(textOf(member))
		case "intValue", "int_value":
			return intValue(member)
		case "doubleValue", "double_value":
			return doubleValue(member)
		case "boolValue", "bool_value":
			return boolValue(member)
		case "arrayValue", "array_value":
			return r.array(member)
		case "kvlistValue", "kvlist_value":
			return r.list(member)
		case "bytesValue", "bytes_value":
			return bytesValue(member)
		}
	}
	return &commonpb.AnyValue{}
}

func textValue(text string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: text}}
}

// textOf returns a string, and the JSON text of any other value.
func textOf(v jsontree.Value) string {
	if v.Kind() == jsontree.String {
		return v.Str()
	}
	return string(v.Compact())
}

// intValue reads a whole number, which may be a text. One beyond 64 bits stays a
// text.
func intValue(v jsontree.Value) *commonpb.AnyValue {
	n, ok := v.Int()
	if v.Kind() == jsontree.String {
		n, ok = jsontree.ParseInt(v.Str())
	}
	if !ok {
		return textValue(textOf(v))
	}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: n}}
}

// doubleValue reads a number, which may be a text such as NaN.
func doubleValue(v jsontree.Value) *commonpb.AnyValue {
	f, ok := v.Float()
	if v.Kind() == jsontree.String {
		parsed, err := strconv.ParseFloat(v.Str(), 64)
		f, ok = parsed, err == nil
	}
	if !ok {
		return textValue(textOf(v))
	}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: f}}
}

func boolValue(v jsontree.Value) *commonpb.AnyValue {
	if v.Kind() != jsontree.Bool {
		return textValue(textOf(v))
	}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: v.Bool()}}
}

func (r *jsonReader) array(v jsontree.Value) *commonpb.AnyValue {
	array := &commonpb.ArrayValue{}
	for element := range r.objects(v.Get("values"), "values") {
		array.Values = append(array.Values, r.value(element))
	}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: array}}
}

func (r *jsonReader) list(v jsontree.Value) *commonpb.AnyValue {
	list := &commonpb.KeyValueList{Values: r.attributes(v.Get("values"))}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: list}}
}

// bytesValue reads base64. Anything else stays a text.
func bytesValue(v jsontree.Value) *commonpb.AnyValue {
	data, err := base64.StdEncoding.DecodeString(v.Str())
	if err != nil || v.Kind() != jsontree.String {
		return textValue(textOf(v))
	}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: data}}
}
