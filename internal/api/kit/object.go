package kit

import (
	"encoding/json"
	"strconv"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/rest"
)

// Object writes the members of one JSON object, for responses that repeat
// large stored parts: encoding/json would parse those parts again.
type Object struct{ Text []byte }

// Key writes the name of the next member.
func (o *Object) Key(name string) {
	if len(o.Text) > 0 && o.Text[len(o.Text)-1] != '{' {
		o.Text = append(o.Text, ',')
	}
	o.Text = append(o.Text, '"')
	o.Text = append(o.Text, name...)
	o.Text = append(o.Text, '"', ':')
}

// Begin opens an object within this one.
func (o *Object) Begin() { o.Text = append(o.Text, '{') }

// End closes it.
func (o *Object) End() { o.Text = append(o.Text, '}') }

// WriteList writes an array member; write appends one element.
func WriteList[T any](o *Object, name string, elements []T, write func(T)) {
	o.Key(name)
	o.Text = append(o.Text, '[')
	for i, element := range elements {
		if i > 0 {
			o.Text = append(o.Text, ',')
		}
		write(element)
	}
	o.Text = append(o.Text, ']')
}

// String writes a string member.
func (o *Object) String(name, value string) {
	o.Key(name)
	o.Text = jsontree.AppendQuoted(o.Text, value)
}

// StringOrNull writes a string member, null for an empty string.
func (o *Object) StringOrNull(name, value string) {
	if value == "" {
		o.Raw(name, "null")
		return
	}
	o.String(name, value)
}

// Raw writes a member whose value is JSON already.
func (o *Object) Raw(name, value string) {
	o.Key(name)
	o.Text = append(o.Text, value...)
}

// JSON writes a JSON text, or an empty object if there is none.
func (o *Object) JSON(name string, text []byte) {
	o.Key(name)
	if len(text) == 0 {
		o.Text = append(o.Text, "{}"...)
		return
	}
	o.Text = append(o.Text, text...)
}

// Int writes an integer member.
func (o *Object) Int(name string, value int64) {
	o.Key(name)
	o.Text = strconv.AppendInt(o.Text, value, 10)
}

// Float writes the shortest text of a finite number.
func (o *Object) Float(name string, value float64) {
	o.Key(name)
	o.Text = appendNumber(o.Text, value)
}

func appendNumber(dst []byte, value float64) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		return append(dst, '0')
	}
	return append(dst, text...)
}

// Time writes a timestamp member.
func (o *Object) Time(name string, at reqlog.Micros) { o.String(name, rest.Time(at).String()) }

// JSONOrNull writes a JSON text, or null if there is none.
func (o *Object) JSONOrNull(name string, text []byte) {
	if len(text) == 0 {
		o.Raw(name, "null")
		return
	}
	o.JSON(name, text)
}

// OptString writes a string member, null for nil.
func (o *Object) OptString(name string, text *string) {
	if text == nil {
		o.Raw(name, "null")
		return
	}
	o.String(name, *text)
}

// Strings writes an array of strings.
func (o *Object) Strings(name string, values []string) {
	WriteList(o, name, values, func(value string) { o.Text = jsontree.AppendQuoted(o.Text, value) })
}

// ExternalIDs writes external ids.
func (o *Object) ExternalIDs(name string, pairs []entity.ExternalID) {
	WriteList(o, name, pairs, func(pair entity.ExternalID) {
		o.Begin()
		o.String("source", pair.Source)
		o.String("external_id", pair.ID)
		o.End()
	})
}
