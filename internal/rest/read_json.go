package rest

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// jsonReader stores a present JSON value in dst, or reports why it cannot.
type jsonReader func(b *binder, v jsontree.Value, dst reflect.Value) bool

var (
	rawMessageType = reflect.TypeFor[json.RawMessage]()
	treeType       = reflect.TypeFor[jsontree.Value]()
	digitIntType   = reflect.TypeFor[DigitInt]()
	jsonBinderType = reflect.TypeFor[JSONBinder]()

	memberBinderType = reflect.TypeFor[MemberBinder]()
	textBinderType   = reflect.TypeFor[TextBinder]()
	optionalType     = reflect.TypeFor[optional]()
)

// compiler turns types into readers. It keeps track of structs, because they may
// contain themselves.
type compiler struct{ objects map[reflect.Type]*object }

// json returns the reader for t under the rules.
func (c *compiler) json(t reflect.Type, r *rules) (jsonReader, error) {
	pointer := reflect.PointerTo(t)
	switch {
	case t == rawMessageType:
		return readRaw, r.suits(otherClass)
	case t == treeType:
		return readTree, r.suits(otherClass)
	case t == digitIntType:
		return digitIntReader(r), r.suits(numberClass)
	case pointer.Implements(jsonBinderType):
		return readHook, r.suits(otherClass)
	case pointer.Implements(optionalType):
		return c.optional(t, r)
	}
	return c.byKind(t, r)
}

func (c *compiler) byKind(t reflect.Type, r *rules) (jsonReader, error) {
	switch t.Kind() {
	case reflect.Pointer:
		return c.pointer(t, r)
	case reflect.String:
		return stringReader(r), r.suits(stringClass)
	case reflect.Bool:
		return readBool, r.suits(otherClass)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return intReader(r), r.suits(numberClass)
	case reflect.Float32, reflect.Float64:
		return floatReader(r), r.suits(numberClass)
	case reflect.Slice:
		return c.slice(t, r)
	case reflect.Map:
		return c.mapping(t, r)
	case reflect.Struct:
		o, err := c.object(t)
		if err != nil {
			return nil, err
		}
		return o.read, r.suits(otherClass)
	}
	return nil, fmt.Errorf("type %s cannot be bound", t)
}

func readRaw(_ *binder, v jsontree.Value, dst reflect.Value) bool {
	dst.SetBytes(v.Raw())
	return true
}

func readTree(_ *binder, v jsontree.Value, dst reflect.Value) bool {
	*dst.Addr().Interface().(*jsontree.Value) = v
	return true
}

func readHook(b *binder, v jsontree.Value, dst reflect.Value) bool {
	dst.Addr().Interface().(JSONBinder).BindJSON(v, b.Loc(), &b.problems)
	return true
}

func (c *compiler) optional(t reflect.Type, r *rules) (jsonReader, error) {
	inner, err := c.json(reflect.New(t).Interface().(optional).valueType(), r)
	if err != nil {
		return nil, err
	}
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		opt := dst.Addr().Interface().(optional)
		if v.Kind() == jsontree.Null {
			opt.setNull()
			return true
		}
		return inner(b, v, reflect.ValueOf(opt.setValue()).Elem())
	}, nil
}

func (c *compiler) pointer(t reflect.Type, r *rules) (jsonReader, error) {
	inner, err := c.json(t.Elem(), r)
	if err != nil {
		return nil, err
	}
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		if v.Kind() == jsontree.Null {
			return true
		}
		target := reflect.New(t.Elem())
		if !inner(b, v, target.Elem()) {
			return false
		}
		dst.Set(target)
		return true
	}, nil
}

func stringReader(r *rules) jsonReader {
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		s, ok := b.String(v)
		dst.SetString(s)
		return ok && r.checkString(b, s)
	}
}

func readBool(b *binder, v jsontree.Value, dst reflect.Value) bool {
	value, ok := b.Bool(v)
	dst.SetBool(value)
	return ok
}

func intReader(r *rules) jsonReader {
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		n, ok := b.Int(v)
		return ok && setInt(b, n, dst, r)
	}
}

// setInt stores n in a dst of any integer kind.
func setInt(b *binder, n int64, dst reflect.Value, r *rules) bool {
	if dst.CanInt() {
		if dst.OverflowInt(n) {
			return b.Report(fault.IntSize)
		}
		dst.SetInt(n)
		return r.checkNumber(b, float64(n))
	}
	if n < 0 {
		return b.Report(fault.Minimum(0))
	}
	if dst.OverflowUint(uint64(n)) {
		return b.Report(fault.IntSize)
	}
	dst.SetUint(uint64(n))
	return r.checkNumber(b, float64(n))
}

func floatReader(r *rules) jsonReader {
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		f, ok := b.Float(v)
		if !ok {
			return false
		}
		if dst.OverflowFloat(f) {
			return b.Report(fault.NumberSize)
		}
		dst.SetFloat(f)
		return r.checkNumber(b, f)
	}
}

func (c *compiler) slice(t reflect.Type, r *rules) (jsonReader, error) {
	element, err := c.json(t.Elem(), r.ofItems())
	if err != nil {
		return nil, err
	}
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		if !b.Is(v, jsontree.Array) || !r.checkCount(b, v.Len()) {
			return false
		}
		list := reflect.MakeSlice(t, v.Len(), v.Len())
		ok := true
		for i, e := range v.Elems() {
			b.EnterElement(i)
			ok = element(b, e, list.Index(i)) && ok
			b.Leave()
			if b.problems.Full() {
				return false
			}
		}
		dst.Set(list)
		return ok
	}, r.suits(listClass)
}

func (c *compiler) mapping(t reflect.Type, r *rules) (jsonReader, error) {
	if t.Key().Kind() != reflect.String {
		return nil, fmt.Errorf("type %s cannot be bound: its key is not a string", t)
	}
	element, err := c.json(t.Elem(), r.ofItems())
	if err != nil {
		return nil, err
	}
	return func(b *binder, v jsontree.Value, dst reflect.Value) bool {
		if !b.Is(v, jsontree.Object) {
			return false
		}
		object := reflect.MakeMapWithSize(t, v.Len())
		ok := true
		for key, member := range v.Members() {
			target := reflect.New(t.Elem()).Elem()
			b.EnterEntry(key)
			ok = element(b, member, target) && ok
			b.Leave()
			if b.problems.Full() {
				return false
			}
			object.SetMapIndex(reflect.ValueOf(key).Convert(t.Key()), target)
		}
		dst.Set(object)
		return ok
	}, r.suits(mapClass)
}
