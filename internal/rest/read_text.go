package rest

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/fault"
)

// textReader stores a path or query parameter in dst, or reports why it cannot.
type textReader func(b *binder, text string, dst reflect.Value) bool

// text returns the reader for t under the rules.
func (c *compiler) text(t reflect.Type, r *rules) (textReader, error) {
	pointer := reflect.PointerTo(t)
	switch {
	case pointer.Implements(textBinderType):
		return readTextHook, r.suits(otherClass)
	case pointer.Implements(optionalType):
		return c.optionalText(t, r)
	case t.Kind() == reflect.Pointer:
		return c.pointerText(t, r)
	case t.Kind() == reflect.String:
		return stringTextReader(r), r.suits(stringClass)
	case t.Kind() == reflect.Bool:
		return readBoolText, r.suits(otherClass)
	case t.ConvertibleTo(reflect.TypeFor[float64]()):
		return numberTextReader(t, r), r.suits(numberClass)
	}
	return nil, fmt.Errorf("type %s cannot be a parameter", t)
}

func readTextHook(b *binder, text string, dst reflect.Value) bool {
	dst.Addr().Interface().(TextBinder).BindText(text, b.Loc(), &b.problems)
	return true
}

func (c *compiler) optionalText(t reflect.Type, r *rules) (textReader, error) {
	inner, err := c.text(reflect.New(t).Interface().(optional).valueType(), r)
	if err != nil {
		return nil, err
	}
	return func(b *binder, text string, dst reflect.Value) bool {
		opt := dst.Addr().Interface().(optional)
		return inner(b, text, reflect.ValueOf(opt.setValue()).Elem())
	}, nil
}

func (c *compiler) pointerText(t reflect.Type, r *rules) (textReader, error) {
	inner, err := c.text(t.Elem(), r)
	if err != nil {
		return nil, err
	}
	return func(b *binder, text string, dst reflect.Value) bool {
		dst.Set(reflect.New(t.Elem()))
		return inner(b, text, dst.Elem())
	}, nil
}

func stringTextReader(r *rules) textReader {
	return func(b *binder, text string, dst reflect.Value) bool {
		if !utf8.ValidString(text) {
			return b.Report(fault.UTF8)
		}
		if strings.IndexByte(text, 0) >= 0 {
			return b.Report(fault.NoNUL)
		}
		dst.SetString(text)
		return r.checkString(b, text)
	}
}

var boolText = fault.Rulef(fault.BoolType.Type, "Input should be a valid boolean: true, false, 1 or 0")

func readBoolText(b *binder, text string, dst reflect.Value) bool {
	switch {
	case text == "1" || strings.EqualFold(text, "true"):
		dst.SetBool(true)
	case text == "0" || strings.EqualFold(text, "false"):
		dst.SetBool(false)
	default:
		return b.Report(boolText)
	}
	return true
}

func numberTextReader(t reflect.Type, r *rules) textReader {
	if t.Kind() == reflect.Float32 || t.Kind() == reflect.Float64 {
		return func(b *binder, text string, dst reflect.Value) bool {
			f, err := strconv.ParseFloat(text, 64)
			if err != nil || f != f || dst.OverflowFloat(f) {
				return b.Report(fault.NumberText)
			}
			dst.SetFloat(f)
			return r.checkNumber(b, f)
		}
	}
	return func(b *binder, text string, dst reflect.Value) bool {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || text[0] == '+' {
			return b.Report(fault.IntText)
		}
		return setInt(b, n, dst, r)
	}
}

// list returns the reader of a query parameter that may be repeated or contain
// several values separated by commas.
func (c *compiler) list(t reflect.Type, r *rules) (func(b *binder, texts []string, dst reflect.Value) bool, error) {
	element, err := c.text(t.Elem(), r.ofItems())
	if err != nil {
		return nil, err
	}
	return func(b *binder, texts []string, dst reflect.Value) bool {
		var parts []string
		for _, text := range texts {
			for part := range strings.SplitSeq(text, ",") {
				if part != "" {
					parts = append(parts, part)
				}
			}
		}
		if !r.checkCount(b, len(parts)) {
			return false
		}
		list := reflect.MakeSlice(t, len(parts), len(parts))
		ok := true
		for i, part := range parts {
			b.EnterElement(i)
			ok = element(b, part, list.Index(i)) && ok
			b.Leave()
		}
		dst.Set(list)
		return ok
	}, r.suits(listClass)
}
