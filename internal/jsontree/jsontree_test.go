package jsontree

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// plain turns a tree into what encoding/json would decode, numbers as text.
func plain(v Value) any {
	switch v.Kind() {
	case Bool:
		return v.Bool()
	case Number:
		return json.Number(v.Raw())
	case String:
		if text := string(v.AppendStr([]byte("x"))); text != "x"+v.Str() || v.View() != v.Str() {
			return text // equals nothing
		}
		return v.Str()
	case Array:
		list := []any{}
		for _, e := range v.Elems() {
			list = append(list, plain(e))
		}
		return list
	case Object:
		object := map[string]any{}
		for key, member := range v.Members() {
			object[key] = plain(member)
		}
		return object
	default:
		return nil
	}
}

func viaStandardLibrary(text []byte) (any, error) {
	if !json.Valid(text) {
		return nil, errors.New("invalid")
	}
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var out any
	err := decoder.Decode(&out)
	return out, err
}

var samples = []string{
	`{}`, `[]`, `null`, ` true `, `-0.5e+10`, `"a\"\\\/\b\f\n\r\tz"`, `"\u00e9\ud83d\ude00"`, `"\ud800x"`, `"\ud800\u0041"`,
	`{"a":[1,2,{"b":null}],"a":2,"\u0062":"c"}`, `[1,]`, `{"a"}`, `{"a":1,}`, `01`, `1.`, `1e`, `-`, `nul`, `"a`, "\"\x01\"", `"\x"`, `"\u12g4"`,
	`[[[[]]]]`, `{"":{"":""}}`, "\xff", "\"\xff\"", `1 2`, ``, ` `, `{"a":1}x`, `[1 2]`, `{"a" 1}`, `"\ud83d\ude0"`,
}

func TestParseAgreesWithTheStandardLibrary(t *testing.T) {
	t.Parallel()
	for _, text := range samples {
		compareWithStandardLibrary(t, []byte(text))
	}
}

func FuzzParse(f *testing.F) {
	for _, text := range samples {
		f.Add([]byte(text))
	}
	f.Fuzz(compareWithStandardLibrary)
}

func compareWithStandardLibrary(t *testing.T, text []byte) {
	t.Helper()
	got, err := Parse(text)
	if errors.Is(err, ErrTooDeep) || errors.Is(err, ErrUTF8) || errors.Is(err, ErrTooMany) {
		return
	}
	want, wantErr := viaStandardLibrary(text)
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("Parse(%q) error = %v, the standard library says %v", text, err, wantErr)
	}
	if err == nil && !reflect.DeepEqual(plain(got), want) {
		t.Fatalf("Parse(%q) = %#v, want %#v", text, plain(got), want)
	}
	if err == nil {
		again, err := Parse(got.Compact())
		if err != nil || !reflect.DeepEqual(plain(again), want) {
			t.Fatalf("Compact of %q = %q does not hold the same value", text, got.Compact())
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 100_000)
	if _, err := Parse([]byte(deep)); !errors.Is(err, ErrTooDeep) {
		t.Errorf("100,000 open brackets: %v, want ErrTooDeep", err)
	}
	fits := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	if _, err := Parse([]byte(fits)); err != nil {
		t.Errorf("%d levels: %v", MaxDepth, err)
	}
	many := "[" + strings.Repeat("0,", MaxValues) + "0]"
	if _, err := Parse([]byte(many)); !errors.Is(err, ErrTooMany) {
		t.Errorf("too many values: %v, want ErrTooMany", err)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"5": 5, "5.0": 5, "5e2": 500, "-7": -7, "9223372036854775807": 9223372036854775807} {
		v, _ := Parse([]byte(text))
		if n, ok := v.Int(); !ok || n != want {
			t.Errorf("Int(%s) = %d, %v", text, n, ok)
		}
	}
	for _, text := range []string{"5.5", "1e999", "9223372036854775808", `"5"`, "true"} {
		v, _ := Parse([]byte(text))
		if n, ok := v.Int(); ok {
			t.Errorf("Int(%s) = %d, want none", text, n)
		}
	}
	v, _ := Parse([]byte("1e999"))
	if f, ok := v.Float(); ok {
		t.Errorf("Float(1e999) = %v, want none", f)
	}
}

func TestRawKeepsTheWrittenForm(t *testing.T) {
	t.Parallel()
	v, err := Parse([]byte(`{"n": 1.50, "o": { "k":1 , "k":2}}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(v.Get("n").Raw()); got != "1.50" {
		t.Errorf("raw number = %s", got)
	}
	o := v.Get("o")
	if got := string(o.Raw()); got != `{ "k":1 , "k":2}` {
		t.Errorf("raw object = %s", got)
	}
	if n, _ := o.Get("k").Int(); n != 2 {
		t.Errorf("of two members with one name Get took %d, want the last", n)
	}
	if v.Get("missing").Kind() != Absent || v.Get("n").Get("x").Kind() != Absent {
		t.Error("a missing member is not absent")
	}
	if got := o.Get("k").Offset(o); got != 14 {
		t.Errorf("offset of the second k = %d, want 14", got)
	}
}

func TestErrorsNameReasonAndPlace(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                "unexpected end of text at byte 0",
		`{"a":`:           "unexpected end of text at byte 5",
		`{"a":1`:          "unexpected end of text at byte 6",
		`{"a" 1}`:         "unexpected character at byte 5",
		`{'a':1}`:         "unexpected character at byte 1",
		`[1,]`:            "unexpected character at byte 3",
		`nope`:            "unexpected character at byte 0",
		`{} {}`:           "unexpected text after the value at byte 3",
		`-`:               "invalid number at byte 1",
		`[1.]`:            "invalid number at byte 3",
		`"abc`:            "unterminated string at byte 4",
		"\"a\nb\"":        "control character in string at byte 2",
		`"a\x41"`:         "invalid escape sequence in string at byte 2",
		`"a\u12"`:         "invalid escape sequence in string at byte 2",
		"\"a\xff\"":       "invalid UTF-8 at byte 2",
		"[" + "\xe4\xf6]": "invalid UTF-8 at byte 1",
	} {
		_, err := Parse([]byte(text))
		if _, ok := errors.AsType[*Error](err); !ok || err.Error() != want {
			t.Errorf("Parse(%q) error = %v, want %s", text, err, want)
		}
	}
}

// TestParseStrings puts every kind of byte at every place of strings that are
// read eight bytes at a time.
func TestParseStrings(t *testing.T) {
	for length := range 20 {
		for at := range length + 1 {
			for _, odd := range []string{"", `\"`, `\\`, `\u00e9`, "é", "\x1f", "\x7f", `"`, `\`, `\x`, "\xff"} {
				text := []byte(`["` + strings.Repeat("a", at) + odd + strings.Repeat("b", length-at) + `"]`)
				v, err := Parse(text)
				var want []string
				if json.Unmarshal(text, &want) != nil || odd == "\xff" {
					if err == nil {
						t.Errorf("%q is accepted", text)
					}
					continue
				}
				if got := plain(v); err != nil || !reflect.DeepEqual(got, []any{want[0]}) {
					t.Errorf("%q: %v, %q", text, err, got)
				}
			}
		}
	}
}
