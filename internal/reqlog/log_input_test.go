package reqlog

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

func TestOutcomeTruncatesMessages(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 3, 1024, 1025, 5000} {
		var problems fault.Problems
		body := `{"status":"ERROR","error_message":"` + strings.Repeat("é", n) + `"}`
		r := shape.New([]any{"body"}, &problems)
		status, _, message := logDecoder{shape.Object{Reader: &r, Value: tree(t, body)}}.outcome(true)
		if want := strings.Repeat("é", min(n, 1024)); problems.Any() || status != "ERROR" || message != want {
			t.Errorf("message of %d characters became %d bytes, want %d (%v)", n, len(message), len(want), problems.Err())
		}
	}
}

// Input and output that are not part of a body, as after a conversion, are
// parsed separately.
func TestLogInputWithoutTrees(t *testing.T) {
	t.Parallel()
	in := &LogInput{Log: &Log{Input: json.RawMessage(chatOf(said("user", "a"))), Output: json.RawMessage(chatOf(said("assistant", "b")))}}
	in.Derive()
	if in.UserText != "a" || in.Log.Index.OutputText != "b" {
		t.Errorf("user text %q, output text %q, want a and b", in.UserText, in.Log.Index.OutputText)
	}
	if got, want := written(func(w *jsontree.Writer) { in.WriteBlueprint(w, AsLogged) }), blueprintOf(in.Log); got != want {
		t.Errorf("blueprint = %s, want %s", got, want)
	}
}
