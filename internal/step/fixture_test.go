package step_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// example is a configuration and the expected outcome: a value, a rejection, or
// a failure when it runs.
type example struct {
	name, config, values string
	// want is JSON. refused and fails are parts of messages.
	want, refused, fails string
	// sources, if given, are checked; they are separated by blanks.
	sources string
}

// timeout is the timeout of every test on a slow and busy machine. Hostile
// input would take hours.
const timeout = time.Minute

func tree(t testing.TB, text string) jsontree.Value {
	t.Helper()
	if text == "" {
		return jsontree.Value{}
	}
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// valuesOf returns the members of an object as values of a row.
func valuesOf(t testing.TB, text string) step.List {
	t.Helper()
	var list step.List
	for name, value := range tree(t, text).Members() {
		list = append(list, step.Named{Name: name, Value: value})
	}
	return list
}

func prepare(t testing.TB, typ, config string) (*step.Step, error) {
	t.Helper()
	found, ok := step.Find(typ)
	if !ok {
		t.Fatalf("there is no type %s", typ)
	}
	return found.Prepare(tree(t, config))
}

// mustPrepare returns a step with a valid configuration.
func mustPrepare(t testing.TB, typ, config string) *step.Step {
	t.Helper()
	prepared, err := prepare(t, typ, config)
	if err != nil {
		t.Fatalf("%s %s: %v", typ, config, err)
	}
	return prepared
}

// runExamples runs examples of one type, each with its own values.
func runExamples(t *testing.T, typ string, env step.Env, examples []example) {
	t.Helper()
	for _, e := range examples {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			prepared, err := prepare(t, typ, e.config)
			if e.refused != "" || err != nil {
				wantFault(t, err, e.refused)
				return
			}
			if e.sources != "" {
				if diff := cmp.Diff(strings.Fields(e.sources), prepared.Sources()); diff != "" {
					t.Errorf("sources (-want +got):\n%s", diff)
				}
			}
			own := env
			own.Values = valuesOf(t, e.values)
			got, err := prepared.Run(t.Context(), &own)
			if e.fails != "" || err != nil {
				wantFault(t, err, e.fails)
				return
			}
			if diff := cmp.Diff(e.want, string(got.Compact())); diff != "" {
				t.Errorf("value (-want +got):\n%s", diff)
			}
		})
	}
}

// wantFault checks for a fault with a text, or for no fault if part is "".
func wantFault(t *testing.T, err error, part string) {
	t.Helper()
	if part == "" || err == nil {
		t.Fatalf("got error %v, want %q", err, part)
	}
	if kind := fault.KindOf(err); kind != fault.BadRequest && kind != fault.Unavailable {
		t.Errorf("%v is a fault of kind %d", err, kind)
	}
	if !strings.Contains(err.Error(), part) {
		t.Errorf("got error %q, want one with %q", err, part)
	}
}
