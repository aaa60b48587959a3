package shape_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// report returns each problem that read finds in the text as
// "path type: message".
func report(t *testing.T, text string, read func(*shape.Reader, jsontree.Value)) []string {
	t.Helper()
	var problems fault.Problems
	r := shape.New([]any{"body"}, &problems)
	read(&r, check.JSON(text))
	if got := r.Loc(); len(got) != 1 {
		t.Errorf("after reading %s the reader is at %v", text, got)
	}
	var failure *fault.Error
	if err := problems.Err(); err == nil || !errors.As(err, &failure) {
		return nil
	}
	var list []string
	for _, field := range failure.Fields {
		list = append(list, fault.Path(field.Loc)+" "+field.Type+": "+field.Msg)
	}
	return list
}

func member(read func(shape.Object)) func(*shape.Reader, jsontree.Value) {
	return func(r *shape.Reader, v jsontree.Value) {
		if o, ok := r.Object(v); ok {
			read(o)
		}
	}
}

func TestMembers(t *testing.T) {
	t.Parallel()
	str := member(func(o shape.Object) { o.Text("a", 2, 3) })
	whole := member(func(o shape.Object) { o.Int("a", 1, 9, 5) })
	float := member(func(o shape.Object) { o.Float("a", -0.5, 1e3) })
	flag := member(func(o shape.Object) { o.Required().Bool("a") })
	choice := member(func(o shape.Object) { shape.Choice(o, "a", []string{"x", "y", "z"}) })
	list := member(func(o shape.Object) { o.Array("a", 1) })
	objects := member(func(o shape.Object) {
		for inner := range o.Objects("a", 3) {
			inner.Required().String("b")
		}
	})
	for _, test := range []struct {
		name, text string
		read       func(*shape.Reader, jsontree.Value)
		want       string
	}{
		{"no object", `[]`, str, "body dict_type: Input should be a valid object"},
		{"null as the body", `null`, str, "body dict_type: Input should be a valid object"},
		{"absent string", `{}`, str, ""},
		{"null string", `{"a":null}`, str, ""},
		{"number as string", `{"a":1}`, str, "a string_type: Input should be a valid string"},
		{"short string", `{"a":"é"}`, str, "a string_too_short: String should have at least 2 characters"},
		{"string of characters", `{"a":"ééé"}`, str, ""},
		{"long string", `{"a":"éééé"}`, str, "a string_too_long: String should have at most 3 characters"},
		{"whole number", `{"a":9}`, whole, ""},
		{"string as number", `{"a":"9"}`, whole, "a int_type: Input should be a valid integer"},
		{"fraction", `{"a":1.5}`, whole, "a int_type: Input should be a valid integer, got a number with a fractional part"},
		{"huge number", `{"a":1e99}`, whole, "a int_parsing: Input should be a valid integer, the number is too large"},
		{"number below", `{"a":0}`, whole, "a greater_than_equal: Input should be greater than or equal to 1"},
		{"number above", `{"a":10}`, whole, "a less_than_equal: Input should be less than or equal to 9"},
		{"float below", `{"a":-1}`, float, "a greater_than_equal: Input should be greater than or equal to -0.5"},
		{"float above", `{"a":1e4}`, float, "a less_than_equal: Input should be less than or equal to 1000"},
		{"boolean as float", `{"a":true}`, float, "a float_type: Input should be a valid number"},
		{"huge float", `{"a":1e999}`, float, "a float_parsing: Input should be a valid number, the number is too large"},
		{"boolean", `{"a":false}`, flag, ""},
		{"no boolean", `{"a":0}`, flag, "a bool_type: Input should be a valid boolean"},
		{"missing boolean", `{}`, flag, "a missing: Field required"},
		{"null instead of boolean", `{"a":null}`, flag, "a missing: Field required"},
		{"choice", `{"a":"\u0079"}`, choice, ""},
		{"wrong choice", `{"a":"w"}`, choice, "a enum: Input should be 'x', 'y' or 'z'"},
		{"number as choice", `{"a":1}`, choice, "a string_type: Input should be a valid string"},
		{"list", `{"a":[1]}`, list, ""},
		{"no list", `{"a":{}}`, list, "a list_type: Input should be a valid list"},
		{"long list", `{"a":[1,2]}`, list, "a too_long: List should have at most 1 item, not 2"},
		{"objects", `{"a":[{"b":"x"}]}`, objects, ""},
		{"wrong objects", `{"a":[{}, null, {"b":1}]}`, objects,
			"a[0].b missing: Field required\na[1] dict_type: Input should be a valid object\na[2].b string_type: Input should be a valid string"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(test.want, strings.Join(report(t, test.text, test.read), "\n")); diff != "" {
				t.Errorf("problems of %s (-want +got):\n%s", test.text, diff)
			}
		})
	}
}

func TestMembersAreReturned(t *testing.T) {
	t.Parallel()
	var problems fault.Problems
	r := shape.New(nil, &problems)
	o, _ := r.Object(check.JSON(`{"s":"text","n":3,"f":0.5,"b":true,"l":[1,2],"c":"y","bad":7}`))
	price := o.Float("f", 0, 1)
	got := []any{o.String("s"), o.Int("n", 0, 9, 1), *price, o.Bool("b"), o.Array("l", 2).Len(), shape.Choice(o, "c", []string{"x", "y"})}
	if diff := cmp.Diff([]any{"text", int64(3), 0.5, true, 2, "y"}, got); diff != "" {
		t.Errorf("members (-want +got):\n%s", diff)
	}
	absent := []any{o.String("x"), o.Int("x", 0, 9, 1), o.Float("x", 0, 1) == nil, o.Bool("x"), o.Member("x", jsontree.Object).Kind()}
	if diff := cmp.Diff([]any{"", int64(1), true, false, jsontree.Absent}, absent); diff != "" {
		t.Errorf("absent members (-want +got):\n%s", diff)
	}
	if problems.Any() {
		t.Errorf("problems: %v", problems.Err())
	}
	if text := o.String("bad"); text != "" || !problems.Any() {
		t.Errorf("a member of the wrong type is %q", text)
	}
}

func TestEntriesAndElementsAreNotMissing(t *testing.T) {
	t.Parallel()
	got := report(t, `{"a":null}`, func(r *shape.Reader, v jsontree.Value) {
		r.EnterEntry("a")
		r.String(v.Get("a"))
		r.Leave()
		r.EnterElement(3)
		r.Bool(v.Get("a"))
		r.Leave()
	})
	want := []string{"a string_type: Input should be a valid string", "[3] bool_type: Input should be a valid boolean"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestStrings(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"ok": "", "": "string_too_short", "abcd": "string_too_long", "a\x00": "value_error", "a\xff": "string_type",
	} {
		var problems fault.Problems
		r := shape.New(nil, &problems)
		r.Storable(text, 1, 3)
		got := ""
		if failure := new(fault.Error); errors.As(problems.Err(), &failure) {
			got = failure.Fields[0].Type
		}
		if got != want {
			t.Errorf("Storable(%q) reports %q, want %q", text, got, want)
		}
	}
	nul := func(r *shape.Reader, v jsontree.Value) { r.String(v) }
	if got := report(t, `"a\u0000"`, nul); got != nil {
		t.Errorf("NUL is refused by default: %v", got)
	}
	refused := report(t, `"a\u0000"`, func(r *shape.Reader, v jsontree.Value) {
		r.NoNUL = true
		r.String(v)
	})
	if len(refused) != 1 {
		t.Errorf("NUL is not refused: %v", refused)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	got := report(t, `{"a":1,"b":2}`, func(r *shape.Reader, v jsontree.Value) { r.Closed(v, "a") })
	if diff := cmp.Diff([]string{"b extra_forbidden: Extra inputs are not permitted"}, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestProblemsAreBounded reads a list with more wrong elements than a response
// names.
func TestProblemsAreBounded(t *testing.T) {
	t.Parallel()
	got := report(t, "["+strings.Repeat("1,", 1000)+"1]", func(r *shape.Reader, v jsontree.Value) {
		shape.List(r, v, math.MaxInt, func(e jsontree.Value) string {
			text, _ := r.String(e)
			return text
		})
	})
	if len(got) != 50 {
		t.Errorf("%d problems, want 50", len(got))
	}
}

func TestValidBodyAllocatesNothing(t *testing.T) { // allocations are counted
	v := check.JSON(`{"a":{"c":true,"d":5,"e":"x"}}`)
	var problems fault.Problems
	var room shape.Room
	count := testing.AllocsPerRun(100, func() {
		r := shape.NewIn(&room, nil, &problems)
		o, _ := r.Object(v)
		inner, _ := r.Object(o.Member("a", jsontree.Object))
		inner.Bool("c")
		inner.Int("d", 0, 10, 0)
		shape.Choice(inner, "e", []string{"x", "y"})
	})
	if count != 0 {
		t.Errorf("%v allocations, want none", count)
	}
}
