package step_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/step"
)

var memberNames = []string{"a", "b", "c"}

// randomJSON returns an array or object.
func randomJSON(random *rand.Rand, depth int) string {
	item := func() string {
		if depth == 0 || random.IntN(3) == 0 {
			return fmt.Sprint(random.IntN(100))
		}
		return randomJSON(random, depth-1)
	}
	var parts []string
	if random.IntN(2) == 0 {
		for range random.IntN(5) {
			parts = append(parts, item())
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	for _, key := range memberNames {
		if random.IntN(2) == 0 {
			parts = append(parts, `"`+key+`":`+item())
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

// selectors are parts of paths with simple implementations.
var selectors = map[string]func(any) []any{
	".a": member("a"), "['b']": member("b"), "[0]": element(0), "[-1]": element(-1), "[*]": children, ".*": children,
	"['c','a']": both(member("c"), member("a")), "[1,-2]": both(element(1), element(-2)),
	"[1:]":  part(func(l []any) []any { return l[min(1, len(l)):] }),
	"[:2]":  part(func(l []any) []any { return l[:min(2, len(l))] }),
	"[-2:]": part(func(l []any) []any { return l[max(0, len(l)-2):] }),
	"[::-1]": part(func(l []any) []any {
		l = slices.Clone(l)
		slices.Reverse(l)
		return l
	}),
	"..b": below(member("b")), "..[0]": below(element(0)), "..*": below(children),
}

func member(name string) func(any) []any {
	return func(v any) []any {
		object, _ := v.(map[string]any)
		if found, ok := object[name]; ok {
			return []any{found}
		}
		return nil
	}
}

func element(at int) func(any) []any {
	return part(func(l []any) []any {
		i := (at + len(l)*btoi(at < 0))
		if i < 0 || i >= len(l) {
			return nil
		}
		return l[i : i+1]
	})
}

func part(of func([]any) []any) func(any) []any {
	return func(v any) []any {
		list, _ := v.([]any)
		return of(list)
	}
}

func both(first, second func(any) []any) func(any) []any {
	return func(v any) []any { return slices.Concat(first(v), second(v)) }
}

func children(v any) []any {
	list, _ := v.([]any)
	for _, name := range memberNames {
		list = slices.Concat(list, member(name)(v))
	}
	return list
}

func below(what func(any) []any) func(any) []any {
	return func(v any) []any {
		found := what(v)
		for _, child := range children(v) {
			found = slices.Concat(found, below(what)(child))
		}
		return found
	}
}

// TestPathsAgreeWithReference evaluates random paths part by part on the values
// of encoding/json.
func TestPathsAgreeWithReference(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	names := []string{}
	for name := range selectors {
		names = append(names, name)
	}
	slices.Sort(names)
	found := 0
	for range 5000 {
		text, path := randomJSON(random, 4), "$"
		var data any
		if err := json.Unmarshal([]byte(text), &data); err != nil {
			t.Fatal(err)
		}
		want := []any{data}
		for range 1 + random.IntN(3) {
			name := names[random.IntN(len(names))]
			path += name
			var next []any
			for _, v := range want {
				next = append(next, selectors[name](v)...)
			}
			want = next
		}
		prepared := mustPrepare(t, "JSON_PATH", `{"source":"v","return_all":true,"path":`+quoted(path)+`}`)
		value, err := prepared.Run(t.Context(), &step.Env{Values: step.List{{Name: "v", Value: tree(t, text)}}})
		if err != nil {
			t.Fatal(err)
		}
		var got []any
		if err := json.Unmarshal(value.Raw(), &got); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append([]any{}, want...), got); diff != "" {
			t.Fatalf("%s of %s (-want +got):\n%s", path, text, diff)
		}
		found += len(got)
	}
	if found < 5000 {
		t.Errorf("the paths found only %d values", found)
	}
}
