package reqlog

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFlatten(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		object string
		want   []Pair
	}{
		"not an object":         {`[1,{"a":1}]`, nil},
		"empty":                 {`{}`, nil},
		"leaves":                {`{"s":"x","t":true,"f":false,"n":42}`, []Pair{{Key: "s", Value: "x"}, {Key: "t", Value: "true"}, {Key: "f", Value: "false"}, {Key: "n", Value: "42"}}},
		"empty string":          {`{"a":""}`, []Pair{{Key: "a"}}},
		"keys without value":    {`{"a":null,"b":{},"c":[],"d":[[]]}`, []Pair{{Key: "a", Empty: true}, {Key: "b", Empty: true}, {Key: "c", Empty: true}, {Key: "d", Empty: true}}},
		"nested":                {`{"user":{"id":7,"name":{"first":"A"}}}`, []Pair{{Key: "user.id", Value: "7"}, {Key: "user.name.first", Value: "A"}}},
		"arrays":                {`{"a":[1,"x",[2,{"b":3}],null]}`, []Pair{{Key: "a", Value: "1"}, {Key: "a", Value: "x"}, {Key: "a", Value: "2"}, {Key: "a.b", Value: "3"}, {Key: "a", Empty: true}}},
		"dotted and empty keys": {`{"a.b":1,"":{"c":2,"":3}}`, []Pair{{Key: "a.b", Value: "1"}, {Key: ".c", Value: "2"}, {Key: ".", Value: "3"}}},
		"the last of a name":    {`{"a":1,"b":{"c":1,"c":2},"a":3}`, []Pair{{Key: "b.c", Value: "2"}, {Key: "a", Value: "3"}}},
		"escapes":               {`{"\u0061\n":"\u0000\""}`, []Pair{{Key: "a\n", Value: "\x00\""}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, Flatten(tree(t, c.object))); diff != "" {
				t.Errorf("Flatten(%s) (-want +got):\n%s", c.object, diff)
			}
		})
	}
}

func TestFlattenDuplicateNames(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(`{"a":0`)
	for i := range 2 * smallObject {
		fmt.Fprintf(&b, `,"k%d":%d`, i%smallObject, i)
	}
	b.WriteString(`,"a":1}`)
	got := Flatten(tree(t, b.String()))
	if len(got) != smallObject+1 {
		t.Fatalf("%d pairs, want %d: %v", len(got), smallObject+1, got)
	}
	want := []Pair{{Key: "k0", Value: fmt.Sprint(smallObject)}, {Key: "a", Value: "1"}}
	if diff := cmp.Diff(want, []Pair{got[0], got[smallObject]}); diff != "" {
		t.Errorf("first and last pair (-want +got):\n%s", diff)
	}
}

func TestLeafTextOfNumbers(t *testing.T) {
	t.Parallel()
	for number, want := range map[string]string{
		"42": "42", "42.0": "42", "4.2e1": "42", "420e-1": "42", "-7": "-7", "0.95": "0.95", "0.950": "0.95", "1.50": "1.5",
		"0": "0", "-0": "0", "0.0": "0", "-0.0": "0", "1e2": "100", "1E+2": "100", "0.1e-1": "0.01", "0.000001": "0.000001",
		"12345678901234567890": "12345678901234567890", "-123456789012345678901234567890": "-123456789012345678901234567890",
		"1e999": "1e999", "-1e999": "-1e999", "1e-999": "0", "1e21": "1e+21", "1e20": "100000000000000000000", "1e-7": "1e-07",
	} {
		if got := LeafText(tree(t, number)); got != want {
			t.Errorf("LeafText(%s) = %q, want %q", number, got, want)
		}
	}
}

func TestFlattenMembers(t *testing.T) {
	t.Parallel()
	members := []Member{
		{"plain", json.RawMessage(`"x"`)}, {"escaped", json.RawMessage(`"a\nb"`)}, {"number", json.RawMessage(`1.0`)},
		{"negative", json.RawMessage(`-3`)}, {"bool", json.RawMessage(`true`)}, {"null", json.RawMessage(`null`)},
		{"object", json.RawMessage(`{"id":7,"tags":["a","b"]}`)}, {"list", json.RawMessage(`[]`)},
		{"nothing", nil}, {"broken", json.RawMessage(`{"a":`)}, {"quote", json.RawMessage(`"`)},
	}
	want := []Pair{
		{Key: "plain", Value: "x"}, {Key: "escaped", Value: "a\nb"}, {Key: "number", Value: "1"},
		{Key: "negative", Value: "-3"}, {Key: "bool", Value: "true"}, {Key: "null", Empty: true},
		{Key: "object.id", Value: "7"}, {Key: "object.tags", Value: "a"}, {Key: "object.tags", Value: "b"}, {Key: "list", Empty: true},
		{Key: "nothing", Empty: true}, {Key: "broken", Empty: true}, {Key: "quote", Empty: true},
	}
	if diff := cmp.Diff(want, FlattenMembers(members)); diff != "" {
		t.Errorf("FlattenMembers (-want +got):\n%s", diff)
	}
	if got := FlattenMembers(nil); got != nil {
		t.Errorf("FlattenMembers(nil) = %v, want nil", got)
	}
}

func TestFlattenVariables(t *testing.T) {
	t.Parallel()
	link := func(variables string, referenced ...string) Notes {
		return Notes{Prompt: &PromptLink{Referenced: referenced}, Variables: json.RawMessage(variables)}
	}
	cases := map[string]struct {
		notes Notes
		want  []Pair
	}{
		"no link":         {Notes{Variables: json.RawMessage(`{"a":1}`)}, nil},
		"none referenced": {link(`{"a":1}`), nil},
		"no variables":    {link(``, "a"), nil},
		"not an object":   {link(`["a"]`, "a"), nil},
		"not JSON":        {link(`{`, "a"), nil},
		"some referenced": {link(`{"a":1,"b":2,"c":{"d":[3,4]}}`, "c", "a", "z"), []Pair{{Key: "c.d", Value: "3"}, {Key: "c.d", Value: "4"}, {Key: "a", Value: "1"}}},
		"last of a name":  {link(`{"a":1,"a":2}`, "a"), []Pair{{Key: "a", Value: "2"}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, FlattenVariables(&c.notes)); diff != "" {
				t.Errorf("FlattenVariables (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFlattenLimitsLongKeys(t *testing.T) {
	t.Parallel()
	const size, number = 1 << 10, 2 * maxKeyBytes >> 10
	members := make([]Member, number)
	for i := range members {
		members[i] = Member{fmt.Sprintf("%*d", size, i), json.RawMessage(`1`)}
	}
	if got, want := len(FlattenMembers(members)), maxKeyBytes/size; got != want || !tooMany(members) {
		t.Errorf("%d pairs, too many: %v; want %d, true", got, tooMany(members), want)
	}
}

func TestFlattenIsBounded(t *testing.T) {
	t.Parallel()
	list := func(n int) string { return `[` + strings.Repeat(`0,`, n-1) + `0]` }
	deep := strings.Repeat(`{"`+strings.Repeat("k", 20_000)+`":`, 150)
	cases := map[string]struct {
		json  string
		pairs int
		cut   bool
	}{
		"just enough":       {list(MaxPairs), MaxPairs, false},
		"too many":          {list(MaxPairs + 1), MaxPairs, true},
		"far too many":      {list(20 * MaxPairs), MaxPairs, true},
		"one long key":      {`{"` + strings.Repeat("k", maxKeyBytes) + `":` + list(9_000) + `}`, 0, true},
		"repeated long key": {`{"` + strings.Repeat("k", maxKeyBytes/10) + `":` + list(9_000) + `}`, 8, true},
		"too many members":  {`{"a":` + list(MaxPairs) + `,"b":1,"c":2}`, MaxPairs, true},
		"long paths":        {deep + list(9_000) + strings.Repeat(`}`, 150), 0, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			members := []Member{{"m", json.RawMessage(c.json)}}
			if got := len(FlattenMembers(members)); got != c.pairs {
				t.Errorf("%d pairs, want %d", got, c.pairs)
			}
			if got := tooMany(members); got != c.cut {
				t.Errorf("tooMany = %v, want %v", got, c.cut)
			}
		})
	}
}
