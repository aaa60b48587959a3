package jinja

import (
	"errors"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// TestAgreesWithPython compares results with those of Python's engine in
// testdata.
func TestAgreesWithPython(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/python.json")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := jsontree.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	if n := golden.Get("cases").Len(); n < 100 {
		t.Fatalf("only %d cases were found", n)
	}
	variables := string(golden.Get("variables").Raw())
	for _, c := range golden.Get("cases").Elems() {
		t.Run(c.Get("template").Str(), func(t *testing.T) {
			t.Parallel()
			out, err := render(t, c.Get("template").Str(), variables, plenty())
			var broken *Error
			if errors.As(err, &broken) != c.Get("fails").Bool() {
				t.Fatalf("error = %v, want one: %v", err, c.Get("fails").Bool())
			}
			if diff := cmp.Diff(c.Get("output").Str(), out.Text); diff != "" {
				t.Errorf("text (-want +got):\n%s", diff)
			}
		})
	}
}
