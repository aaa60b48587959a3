package chart

import (
	"errors"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

func jsonValue(t testing.TB, text string) jsontree.Value {
	t.Helper()
	if text == "" {
		return jsontree.Value{}
	}
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		t.Fatalf("test JSON %.80s: %v", text, err)
	}
	return v
}

func wantRefused(t *testing.T, err error, want string) {
	t.Helper()
	if !fault.Is(err, fault.BadRequest) {
		t.Fatalf("got error %v, want a BadRequest fault", err)
	}
	if !strings.Contains(err.Error(), want) {
		t.Errorf("got message %q, want it to contain %q", err, want)
	}
}

func problemsOf(t *testing.T, problems *fault.Problems) []string {
	t.Helper()
	var f *fault.Error
	if !errors.As(problems.Err(), &f) {
		return nil
	}
	if f.Kind != fault.Invalid {
		t.Errorf("got kind %v, want Invalid", f.Kind)
	}
	var found []string
	for _, field := range f.Fields {
		found = append(found, fault.Path(field.Loc)+" "+field.Type)
	}
	return found
}

func repeated(text string, n int) string {
	return strings.TrimSuffix(strings.Repeat(text+",", n), ",")
}
