package jsontree

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

func TestWriterValues(t *testing.T) {
	t.Parallel()
	parsed, err := Parse([]byte(`{"a": [1, 2], "b\n" : "x"}`))
	if err != nil {
		t.Fatal(err)
	}
	name, number, fraction := "n", int64(-4), 0.5
	for want, write := range map[string]func(*Writer){
		`"a\"b"`:      func(w *Writer) { w.String(`a"b`) },
		`["",null]`:   func(w *Writer) { w.Array(func() { w.String(""); w.StringOrNull("") }) },
		`["n",null]`:  func(w *Writer) { w.Array(func() { w.OptString(&name); w.OptString(nil) }) },
		`[-4,null,9]`: func(w *Writer) { w.Array(func() { w.OptInt(&number); w.OptInt(nil); w.Int(9) }) },
		`[0.5,null]`:  func(w *Writer) { w.Array(func() { w.OptFloat(&fraction); w.OptFloat(nil) }) },
		`[null,null]`: func(w *Writer) { w.Array(func() { w.Float(math.NaN()); w.Float(math.Inf(-1)) }) },
		`[]`:          func(w *Writer) { w.Strings(nil) },
		`{}`:          func(w *Writer) { w.Object(func() {}) },
		`{"k":{"l":[true]}}`: func(w *Writer) {
			w.Object(func() {
				w.Key("k").Object(func() {
					w.Key("l").Array(func() { w.Bool(true) })
				})
			})
		},
		`{"v":null,"a":[1, 2],"c":[1,2],"b\n":"x"}`: func(w *Writer) {
			w.Object(func() {
				w.Key("v").Value(Value{})
				w.Member(parsed.Get("a"))
				w.Key("c").Compact(parsed.Get("a"))
				w.Members(parsed, "a")
			})
		},
		`[0,1, 2,null,1, 2]`: func(w *Writer) {
			w.Array(func() {
				w.Int(0)
				w.Elements(parsed.Get("a"))
				w.Raw(nil)
				w.Elements(Value{})
				w.Elements(parsed.Get("a"))
			})
		},
	} {
		w := NewWriter([]byte("before "))
		write(&w)
		if got, _ := strings.CutPrefix(string(w.Bytes()), "before "); got != want {
			t.Errorf("written %s, want %s", got, want)
		}
	}
}

func TestWriterFloatsAsStandardLibrary(t *testing.T) {
	t.Parallel()
	for _, f := range []float64{0, math.Copysign(0, -1), 1, 1e20, 1e21, 1e-6, 1e-7, 1.5e-9, 1e-10, 123456.789, math.MaxFloat64, math.SmallestNonzeroFloat64} {
		want, err := json.Marshal(f)
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendFloat(nil, f); string(got) != string(want) {
			t.Errorf("written %s, want %s", got, want)
		}
	}
}

func TestWriterPanicsOnMisuse(t *testing.T) {
	t.Parallel()
	for name, misuse := range map[string]func(*Writer){
		"nothing written":      func(*Writer) {},
		"two values":           func(w *Writer) { w.Int(1); w.Int(2) },
		"two containers":       func(w *Writer) { w.Strings(nil); w.Object(func() {}) },
		"key at the top":       func(w *Writer) { w.Key("a") },
		"key in an array":      func(w *Writer) { w.Array(func() { w.Key("a").Int(1) }) },
		"member without a key": func(w *Writer) { w.Object(func() { w.Int(1) }) },
		"container without key": func(w *Writer) {
			w.Object(func() { w.Key("a").Int(1); w.Array(func() {}) })
		},
		"key without a value":   func(w *Writer) { w.Object(func() { w.Key("a") }) },
		"two keys":              func(w *Writer) { w.Object(func() { w.Key("a").Key("b").Int(1) }) },
		"elements in an object": func(w *Writer) { w.Object(func() { w.Key("a").Elements(array(1)) }) },
		"elements at the top":   func(w *Writer) { w.Elements(array(1)) },
		"bytes inside":          func(w *Writer) { w.Array(func() { w.Bytes() }) },
		"open raw text":         func(w *Writer) { w.Raw([]byte(`[1,`)) },
		"invalid raw text":      func(w *Writer) { w.Raw([]byte(`{"a":1}}`)) },
		"two raw values":        func(w *Writer) { w.Raw([]byte(`1 2`)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			w := NewWriter([]byte("before"))
			misuse(&w)
			t.Errorf("written %s", w.Bytes())
		})
	}
}

func array(elements ...int64) Value {
	w := NewWriter(nil)
	w.Array(func() {
		for _, e := range elements {
			w.Int(e)
		}
	})
	v, err := Parse(w.Bytes())
	if err != nil {
		panic(err)
	}
	return v
}

func TestList(t *testing.T) {
	t.Parallel()
	var l List
	empty := l.Bytes()
	l.AddValue(array(1, 2))
	one := l.Bytes()
	l.Add(func(w *Writer) { w.String("x") })
	l.AddValue(Value{})
	if got := string(empty) + string(one) + string(l.Bytes()); got != `[][[1,2]][[1,2],"x",null]` || l.Size() != len(`[[1,2],"x",null]`) {
		t.Errorf("list %s", got)
	}
}

func TestWriterFlush(t *testing.T) {
	t.Parallel()
	var stream bytes.Buffer
	w := NewWriter([]byte("kept"))
	flush := func() {
		if err := w.Flush(&stream); err != nil {
			t.Fatal(err)
		}
	}
	flush()
	w.Object(func() {
		flush()
		w.Key("a").Array(func() {
			for i := range int64(3) {
				flush()
				w.Int(i)
				flush()
			}
		})
		flush()
		w.Key("b")
		flush()
		w.Object(func() { flush() })
	})
	flush()
	if got := stream.String() + strings.TrimPrefix(string(w.Bytes()), "kept"); got != `{"a":[0,1,2],"b":{}}` {
		t.Errorf("written %s", got)
	}
}

func TestWriterAllocatesNothing(t *testing.T) { // allocations are counted
	r := newRecord()
	buf := make([]byte, 0, 1<<12)
	if n := testing.AllocsPerRun(100, func() { buf = r.write(buf[:0]) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// FuzzWriter makes any sequence of calls. Those that are allowed must lead to
// the JSON value they describe; all others must panic.
func FuzzWriter(f *testing.F) {
	f.Add([]byte{0, 3, 'a', 'b', 'c', 10, 1, 1, 'k', 4, 9})
	f.Add([]byte{1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13})
	f.Add([]byte("\x00\x02a\x00\x02b\x01\x03\xffx"))
	f.Fuzz(func(t *testing.T, calls []byte) {
		c := caller{calls: calls, w: NewWriter(nil)}
		defer func() {
			if problem := recover(); problem != nil && !c.misused {
				t.Fatalf("panic after valid calls: %v", problem)
			}
		}()
		want := c.value(0)
		if c.next()%2 == 1 {
			c.misuse()
		}
		text := c.w.Bytes()
		if c.misused {
			t.Fatalf("no panic on misuse: %s", text)
		}
		if _, err := Parse(text); err != nil {
			t.Fatalf("written %q: %v", text, err)
		}
		var got any
		if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("written %s, want %#v (%v)", text, want, err)
		}
	})
}

// caller turns bytes into calls of a Writer, and returns what they should have
// written as encoding/json would decode it.
type caller struct {
	calls   []byte
	w       Writer
	misused bool
}

func (c *caller) next() byte {
	if len(c.calls) == 0 {
		return 0xff
	}
	first := c.calls[0]
	c.calls = c.calls[1:]
	return first
}

func (c *caller) text() string {
	n := min(int(c.next()%8), len(c.calls))
	text := string(c.calls[:n])
	c.calls = c.calls[n:]
	return strings.ToValidUTF8(text, "x")
}

// misuse makes a call that must panic at the end of a text.
func (c *caller) misuse() {
	c.misused = true
	switch c.next() % 4 {
	case 0:
		c.w.Key("a")
	case 1:
		c.w.Int(1)
	case 2:
		c.w.Array(func() {})
	default:
		c.w.Raw([]byte("{}"))
	}
}

func (c *caller) value(depth int) any {
	choice := c.next() % 12
	if depth > 50 {
		choice = 11
	}
	switch choice {
	case 0:
		return c.object(depth)
	case 1:
		return c.array(depth)
	case 2, 3:
		text := c.text()
		c.w.String(text)
		return text
	case 4:
		n := int64(int8(c.next()))
		c.w.Int(n)
		return float64(n)
	case 5:
		f := float64(c.next()) / 7
		c.w.Float(f)
		return f
	case 6:
		c.w.Float(math.Inf(1))
		return nil
	case 7:
		b := c.next()%2 == 0
		c.w.Bool(b)
		return b
	case 8:
		c.w.Raw([]byte(` [1, {"a":"]"}] `))
		return []any{1.0, map[string]any{"a": "]"}}
	case 9, 10:
		return c.parsed(choice == 9)
	default:
		c.w.Null()
		return nil
	}
}

func (c *caller) parsed(compact bool) any {
	text := c.text()
	quoted, err := json.Marshal([]string{text})
	if err != nil {
		panic(err)
	}
	v, err := Parse(append([]byte(" "), quoted...))
	if err != nil {
		panic(err)
	}
	if compact {
		c.w.Compact(v)
	} else {
		c.w.Value(v)
	}
	return []any{text}
}

func (c *caller) object(depth int) any {
	members := map[string]any{}
	c.w.Object(func() {
		for n := c.next() % 6; n > 0 && n < 6; n-- {
			key := c.text()
			c.w.Key(key)
			members[key] = c.value(depth + 1)
		}
		if len(c.calls) > 0 && c.calls[0] == 0xfe {
			c.misused = true
			c.w.Null()
		}
	})
	return members
}

func (c *caller) array(depth int) any {
	elements := []any{}
	c.w.Array(func() {
		for n := c.next() % 6; n > 0; n-- {
			elements = append(elements, c.value(depth+1))
		}
		if len(c.calls) > 0 && c.calls[0] == 0xfd {
			c.misused = true
			c.w.Key("a")
		}
	})
	return elements
}
