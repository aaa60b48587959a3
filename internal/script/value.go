package script

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/dop251/goja"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// encoder writes a value as JSON like JSON.stringify, but fails where that would
// silently omit something. It does not use jsontree.Writer, because it must stop
// at its limit in the middle of a value and while the program's code runs.
type encoder struct {
	*engine
	out   []byte
	limit int
	path  []string
	above []*goja.Object // the containers of the value
}

// encode writes the value of the program. It may run code of the program, such as
// getters and proxies, and panics with their exceptions.
func (e *engine) encode(value goja.Value) ([]byte, error) {
	w := &encoder{engine: e, limit: int(min(e.job.Limits.Output, maxFrame/2))}
	if value == nil || goja.IsUndefined(value) {
		return []byte("null"), nil
	}
	err := w.value(value)
	return w.out, err
}

func (w *encoder) append(text string) error {
	if len(w.out)+len(text) > w.limit {
		return overOutput(int64(w.limit))
	}
	w.out = append(w.out, text...)
	return nil
}

func (w *encoder) wrong(what string) error {
	at := "the result"
	if len(w.path) > 0 {
		at = "result" + cut(strings.Join(w.path, ""), 200)
	}
	return &Error{Reason: BadValue, Type: "TypeError", Message: fmt.Sprintf("%s %s, which JSON cannot hold", at, what)}
}

func (w *encoder) value(v goja.Value) error {
	switch object := v.(type) {
	case *goja.Object:
		return w.object(object)
	case *goja.Symbol:
		return w.wrong("is a symbol")
	}
	switch {
	case goja.IsNull(v), goja.IsUndefined(v):
		return w.append("null")
	case goja.IsNumber(v):
		return w.number(v)
	case goja.IsString(v):
		return w.text(v.String())
	}
	return w.append(v.String()) // a boolean, or a whole number of any size
}

func (w *encoder) number(v goja.Value) error {
	if f := v.ToFloat(); math.IsNaN(f) || math.IsInf(f, 0) {
		return w.wrong("is " + v.String())
	}
	return w.append(v.String())
}

func (w *encoder) text(text string) error {
	if len(w.out)+len(text)+2 > w.limit {
		return overOutput(int64(w.limit))
	}
	w.out = jsontree.AppendQuoted(w.out, text)
	return w.append("")
}

// object writes an object: the primitive value it wraps, the result of toJSON,
// or its members.
func (w *encoder) object(o *goja.Object) error {
	if convert, ok := goja.AssertFunction(o.Get("toJSON")); ok {
		converted, err := convert(o, w.ToValue(w.key()))
		if err != nil {
			return err
		}
		inner, again := converted.(*goja.Object)
		if !again {
			return w.value(converted)
		}
		o = inner
	}
	if _, ok := goja.AssertFunction(o); ok {
		return w.wrong("is a function")
	}
	switch o.ClassName() {
	case "Number":
		return w.number(o.ToNumber())
	case "String":
		return w.text(o.ToString().String())
	case "Boolean":
		return w.append(strconv.FormatBool(o.Export() == true))
	}
	switch o.ExportType() {
	case promiseType:
		return w.wrong("is a promise")
	case mapType:
		return w.wrong("is a Map")
	}
	return w.container(o)
}

// The export types of objects that have no class name of their own.
var (
	promiseType = reflect.TypeFor[*goja.Promise]()
	mapType     = reflect.TypeFor[[][2]any]()
	listType    = reflect.TypeFor[[]any]() // of arrays and of sets
)

// key returns the name or index of the value in its container.
func (w *encoder) key() string {
	if len(w.path) == 0 {
		return ""
	}
	last := w.path[len(w.path)-1]
	return strings.TrimSuffix(strings.TrimLeft(last, ".["), "]")
}

func (w *encoder) container(o *goja.Object) error {
	for _, outer := range w.above {
		if outer.SameAs(o) {
			return w.wrong("contains itself")
		}
	}
	if len(w.above) >= jsontree.MaxDepth {
		return tooDeep()
	}
	w.above = append(w.above, o)
	defer func() { w.above = w.above[:len(w.above)-1] }()
	answer, err := w.isArray(goja.Undefined(), o)
	if err != nil {
		return err
	}
	if answer.ToBoolean() {
		return w.array(o)
	}
	if o.ExportType() == listType {
		return w.wrong("is a Set")
	}
	return w.members(o)
}

func (w *encoder) array(o *goja.Object) error {
	length := o.Get("length").ToInteger()
	if err := w.append("["); err != nil {
		return err
	}
	for i := range length {
		if i > 0 {
			if err := w.append(","); err != nil {
				return err
			}
		}
		index := strconv.FormatInt(i, 10)
		if err := w.within("["+index+"]", o.Get(index)); err != nil {
			return err
		}
	}
	return w.append("]")
}

func (w *encoder) members(o *goja.Object) error {
	open := "{"
	for _, name := range o.Keys() {
		value := o.Get(name)
		if value == nil || goja.IsUndefined(value) {
			continue
		}
		if err := w.append(open); err != nil {
			return err
		}
		if err := w.text(name); err != nil {
			return err
		}
		if err := w.append(":"); err != nil {
			return err
		}
		if err := w.within("."+name, value); err != nil {
			return err
		}
		open = ","
	}
	if open == "{" {
		return w.append("{}")
	}
	return w.append("}")
}

func (w *encoder) within(step string, v goja.Value) error {
	if v == nil {
		v = goja.Null() // a hole
	}
	w.path = append(w.path, step)
	err := w.value(v)
	w.path = w.path[:len(w.path)-1]
	return err
}
