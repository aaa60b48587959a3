package step

import (
	"bytes"
	"iter"
	"math"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// maxOutput limits the value of a step, in bytes of JSON.
const maxOutput = 16 << 20

// Constant values.
var (
	null    = jsontree.MustParse("null")
	isTrue  = jsontree.MustParse("true")
	isFalse = jsontree.MustParse("false")
)

func failf(format string, args ...any) error { return fault.BadRequestf(format, args...) }

func tooLarge() error { return failf("the result is larger than %d MiB", maxOutput>>20) }

// parsed parses JSON that was written here.
func parsed(text []byte) (jsontree.Value, error) {
	if len(text) > maxOutput {
		return jsontree.Value{}, tooLarge()
	}
	v, err := jsontree.Parse(text)
	if err != nil {
		return v, fault.Wrap(fault.BadRequest, err, "the result has too many values or is nested too deeply")
	}
	return v, nil
}

func boolean(b bool) jsontree.Value {
	if b {
		return isTrue
	}
	return isFalse
}

func textValue(text string) (jsontree.Value, error) {
	if len(text) > maxOutput {
		return jsontree.Value{}, tooLarge()
	}
	return parsed(jsontree.AppendQuoted(make([]byte, 0, len(text)+2), text))
}

func integerValue(n int) (jsontree.Value, error) { return parsed(strconv.AppendInt(nil, int64(n), 10)) }

// floatValue returns a finite number, because JSON has no others.
func floatValue(f float64) (jsontree.Value, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return jsontree.Value{}, failf("the result is not a finite number")
	}
	n, _ := parseDecimal(strconv.FormatFloat(f, 'e', -1, 64))
	return parsed([]byte(n.String()))
}

// arrayOf returns an array of values.
func arrayOf(values []jsontree.Value) (jsontree.Value, error) {
	w := jsontree.NewWriter(nil)
	w.Array(func() {
		for _, v := range values {
			if w.Len() <= maxOutput {
				w.Value(v)
			}
		}
	})
	return parsed(w.Bytes())
}

// objectOf returns an object of the values under their names.
func objectOf(values iter.Seq2[string, jsontree.Value]) (jsontree.Value, error) {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for name, v := range values {
			if w.Len() <= maxOutput {
				w.Key(name).Value(v)
			}
		}
	})
	if w.Len() > maxOutput {
		return jsontree.Value{}, failf("the values are larger than %d MiB together", maxOutput>>20)
	}
	return parsed(w.Bytes())
}

func orNull(v jsontree.Value) jsontree.Value {
	if v.Given() {
		return v
	}
	return null
}

// Text returns the string form of a value: a string itself, "" for null, the
// shortest form of a number, and other values as compact JSON.
func Text(v jsontree.Value) string {
	switch v.Kind() {
	case jsontree.String:
		return v.Str()
	case jsontree.Number:
		return numberText(v.Raw())
	case jsontree.Bool:
		return string(v.Raw())
	case jsontree.Array, jsontree.Object:
		return string(v.Compact())
	default:
		return ""
	}
}

// numberText keeps all digits of whole numbers.
func numberText(raw []byte) string {
	if !bytes.ContainsAny(raw, ".eE") && string(raw) != "-0" {
		return string(raw)
	}
	n, _ := parseDecimal(string(raw))
	return n.String()
}

// numeric returns the number in a value: a JSON number, or a string with a
// number. Booleans are not numeric.
func numeric(v jsontree.Value) (decimal, bool) {
	switch v.Kind() {
	case jsontree.Number:
		return parseDecimal(string(v.Raw()))
	case jsontree.String:
		return parseDecimal(strings.TrimSpace(v.Str()))
	default:
		return decimal{}, false
	}
}

// number returns the number under a name, or a fault with the name.
func (e *Env) number(name string) (decimal, error) {
	n, ok := numeric(e.value(name))
	if !ok {
		return n, failf("the value of '%s' is not a number", name)
	}
	return n, nil
}

// maxParsed limits JSON that is parsed from a string.
const maxParsed = 16 << 20

// castJSON parses a string as JSON, and returns any other value unchanged.
func castJSON(v jsontree.Value) (jsontree.Value, error) {
	if v.Kind() != jsontree.String {
		return orNull(v), nil
	}
	return parseText(v.AppendStr(nil))
}

func parseText(text []byte) (jsontree.Value, error) {
	if len(text) > maxParsed {
		return jsontree.Value{}, failf("the text is larger than %d MiB", maxParsed>>20)
	}
	v, err := jsontree.Parse(text)
	if err != nil {
		return v, fault.Wrap(fault.BadRequest, err, "the text is not valid JSON")
	}
	return v, nil
}

// json returns the value under a name as JSON, or a fault with the name.
func (e *Env) json(name string) (jsontree.Value, error) {
	v, err := castJSON(e.value(name))
	if err != nil {
		return v, fault.Wrap(fault.BadRequest, err, "the value of '%s' is not valid JSON", name)
	}
	return v, nil
}
