package builtin_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// goldenCalls returns the call of every golden file.
func goldenCalls(t testing.TB) map[string]jsontree.Value {
	t.Helper()
	files, err := filepath.Glob("../*/testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	calls := map[string]jsontree.Value{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		body, err := jsontree.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		calls[file] = body.Get("call")
	}
	return calls
}

// TestOddValues replaces each value of each call with unexpected values.
func TestOddValues(t *testing.T) {
	t.Parallel()
	odd := []string{
		`null`, `-1.5`, `"x"`, `["",7,null,{},{"":0},[{"text":"y"}],{"type":""}]`,
		`{"type":4,"text":3,"content":{"parts":"z"},"function":[]}`,
	}
	for file, call := range goldenCalls(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			for _, v := range everyValue(call) {
				for _, other := range odd {
					at := v.Offset(call)
					text := slices.Concat(call.Raw()[:at], []byte(other), call.Raw()[at+len(v.Raw()):])
					checkConversion(t, text)
				}
			}
		})
	}
}

// TestEveryCallAsEveryFunction reads each call as a call of every other
// function.
func TestEveryCallAsEveryFunction(t *testing.T) {
	t.Parallel()
	calls := goldenCalls(t)
	var functions []string
	for _, call := range calls {
		functions = append(functions, call.Get("function_name").Str())
	}
	for _, call := range calls {
		for _, name := range functions {
			c := pt.ExchangeOf(call)
			c.FunctionName = name
			checkResult(t, builtin.Providers.Read(c))
		}
	}
}

// everyValue returns all values within v.
func everyValue(v jsontree.Value) []jsontree.Value {
	var all []jsontree.Value
	for _, member := range v.Members() {
		all = append(all, member)
		all = append(all, everyValue(member)...)
	}
	for _, element := range v.Elems() {
		all = append(all, element)
		all = append(all, everyValue(element)...)
	}
	return all
}

func checkConversion(t *testing.T, text []byte) {
	t.Helper()
	body, err := jsontree.Parse(text)
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	checkResult(t, builtin.Providers.Read(pt.ExchangeOf(body)))
	if t.Failed() {
		t.Fatalf("from %s", text)
	}
}
