package script

import (
	"github.com/dop251/goja"
)

// addConsole adds the global variable console.
func (e *engine) addConsole() error {
	console := e.NewObject()
	for name, stream := range map[string]*printed{
		"log": &e.stdout, "info": &e.stdout, "debug": &e.stdout, "error": &e.stderr, "warn": &e.stderr, "trace": &e.stderr,
	} {
		if err := console.Set(name, func(call goja.FunctionCall) goja.Value {
			e.print(stream, call.Arguments)
			return goja.Undefined()
		}); err != nil {
			return err
		}
	}
	return e.Set("console", console)
}

// print writes a line. If the stream is full, values are not converted.
func (e *engine) print(stream *printed, values []goja.Value) {
	for i, value := range values {
		if stream.over {
			return
		}
		if i > 0 {
			_, _ = stream.Write([]byte(" "))
		}
		_, _ = stream.Write([]byte(e.shown(value)))
	}
	_, _ = stream.Write([]byte("\n"))
}

// shown returns the text of a value: strings as they are, other values as JSON
// if possible. Errors have no members that JSON would show.
func (e *engine) shown(value goja.Value) string {
	object, ok := value.(*goja.Object)
	if !ok || object.ClassName() == "Error" {
		return value.String()
	}
	w := &encoder{engine: e, limit: MaxPrinted}
	if err := w.value(value); err != nil {
		return "[" + object.ClassName() + "]"
	}
	return string(w.out)
}
