package reqlog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fault"
)

// TestDecodeImported reads what only imported logs have.
func TestDecodeImported(t *testing.T) {
	t.Parallel()
	for members, want := range map[string]Notes{
		``:                        {},
		`"score":5,"scores":null`: {Scores: []Score{{"default", 5}}, Score: 5},
		`"score":5,"scores":[]`:   {},
		`"scores":[{"score":5}]`:  {Scores: []Score{{"default", 5}}, Score: 5},
		`"scores":[{"name":"a","score":5},{"name":"default","score":6},{"name":"a","score":7}]`: {Scores: []Score{{"a", 7}, {"default", 6}}, Score: 6},
	} {
		var problems fault.Problems
		in := DecodeImported(tree(t, with(members)), []any{"body"}, &problems)
		if problems.Any() {
			t.Errorf("%s: %v", members, problems.Err())
		}
		if diff := cmp.Diff(want, in.Log.Notes); diff != "" {
			t.Errorf("notes of %s (-want +got):\n%s", members, diff)
		}
	}
	for members, want := range map[string][]string{
		`"span_id":1`:                         {"span_id: string_type"},
		`"scores":{}`:                         {"scores: list_type"},
		`"scores":[1,{"name":1,"score":101}]`: {"scores[0]: dict_type", "scores[1].name: string_type", "scores[1].score: less_than_equal"},
		`"scores":[{"name":"a"}]`:             {"scores[0].score: missing"},
		`"scores":[` + strings.Repeat(`{"score":1},`, maxScores) + `{"score":1}]`: {"scores: too_long"},
		`"provider":1,"span_id":1`: {"provider: string_type", "span_id: string_type"},
	} {
		var problems fault.Problems
		DecodeImported(tree(t, with(members)), []any{"body"}, &problems)
		if diff := cmp.Diff(want, broken(&problems)); diff != "" {
			t.Errorf("problems of %.60s (-want +got):\n%s", members, diff)
		}
	}
	var problems fault.Problems
	DecodeImported(tree(t, `[]`), []any{"body"}, &problems)
	if diff := cmp.Diff([]string{"body: dict_type"}, broken(&problems)); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}
