package webhook

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf16"
)

// Details describe an event. Values are text, int64, float64, bool, nil, lists of
// any and other Details.
type Details map[string]any

// Actor is whose action caused an event; all members are absent if it was nobody's.
type Actor struct {
	UserID      int64
	Name, Email string
}

// Envelope returns the text that is sent about an event.
func Envelope(id string, event EventType, workspace int64, details Details, by Actor, at time.Time) string {
	return string(appendValue(nil, Details{
		"id": id, "event_type": string(event), "details": details, "workspace_id": workspace,
		"user_id": orNil(by.UserID), "user_name": orNil(by.Name), "user_email": orNil(by.Email),
		"timestamp": at.UTC().Format("2006-01-02T15:04:05.000000Z"),
	}))
}

func orNil[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

// appendValue appends JSON in the form that json.dumps(…, sort_keys=True) of Python
// has: receivers commonly verify signatures over the text that they get when they
// parse the body and write it again this way.
func appendValue(to []byte, value any) []byte {
	switch v := value.(type) {
	case nil:
		return append(to, "null"...)
	case bool:
		return strconv.AppendBool(to, v)
	case int64:
		return strconv.AppendInt(to, v, 10)
	case float64:
		return appendFloat(to, v)
	case string:
		return appendText(to, v)
	case []any:
		to = append(to, '[')
		for i, element := range v {
			to = appendValue(separated(to, i), element)
		}
		return append(to, ']')
	case Details:
		to = append(to, '{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			to = append(appendText(separated(to, i), key), ": "...)
			to = appendValue(to, v[key])
		}
		return append(to, '}')
	}
	panic(fmt.Sprintf("webhook: details with a %T", value))
}

func separated(to []byte, i int) []byte {
	if i == 0 {
		return to
	}
	return append(to, ", "...)
}

// appendFloat appends a finite number; JSON has no others.
func appendFloat(to []byte, v float64) []byte {
	switch size := math.Abs(v); {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return append(to, "null"...)
	case size != 0 && (size < 1e-4 || size >= 1e16):
		return strconv.AppendFloat(to, v, 'e', -1, 64)
	case v == math.Trunc(v):
		return strconv.AppendFloat(to, v, 'f', 1, 64)
	}
	return strconv.AppendFloat(to, v, 'f', -1, 64)
}

var shortEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

func appendText(to []byte, text string) []byte {
	to = append(to, '"')
	for _, r := range text {
		short, known := shortEscapes[r]
		switch {
		case known:
			to = append(to, short...)
		case r >= ' ' && r <= '~':
			to = append(to, byte(r))
		default:
			for _, unit := range utf16.AppendRune(nil, r) {
				to = fmt.Appendf(to, `\u%04x`, unit)
			}
		}
	}
	return append(to, '"')
}
