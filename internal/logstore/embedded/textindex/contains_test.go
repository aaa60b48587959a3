package textindex

import (
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/words/wordstest"
)

func TestContainsAgainstNaive(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		ix, c, docs := builtIndex(t, seed+100, 900)
		proven := 0
		for i := range 200 {
			if i == 100 {
				if err := ix.Flush(); err != nil {
					t.Fatal(err)
				}
				ix.settle()
			}
			proven += checkContains(t, ix, docs, c.Value())
		}
		if proven == 0 {
			t.Error("nothing was ever certain")
		}
	}
}

// checkContains compares the sets for a value with the texts and returns how
// many documents needed no look at the text.
func checkContains(t *testing.T, ix *Index, docs []document, value string) int {
	t.Helper()
	proven := 0
	for field := range 2 {
		sure, maybe := ix.Contains(field, value)
		starts, ends := ix.Prefix(field, value), ix.Suffix(field, value)
		lower := strings.ToLower(value)
		for _, d := range docs {
			text := ""
			if field < len(d.lower) {
				text = d.lower[field]
			}
			has := strings.Contains(text, lower)
			switch {
			case sure.Has(d.id) && maybe.Has(d.id):
				t.Fatalf("Contains(%d, %q): %s is both", field, value, describe(d))
			case sure.Has(d.id) && !has:
				t.Fatalf("Contains(%d, %q): %s is sure but wrong", field, value, describe(d))
			case has && !sure.Has(d.id) && !maybe.Has(d.id):
				t.Fatalf("Contains(%d, %q): %s is missing", field, value, describe(d))
			case strings.HasPrefix(text, lower) && !starts.Has(d.id):
				t.Fatalf("Prefix(%d, %q): %s is missing", field, value, describe(d))
			case strings.HasSuffix(text, lower) && !ends.Has(d.id):
				t.Fatalf("Suffix(%d, %q): %s is missing", field, value, describe(d))
			}
			proven += count(sure.Has(d.id))
		}
	}
	return proven
}

func TestContainsOddValues(t *testing.T) {
	t.Parallel()
	ix, _, docs := builtIndex(t, 7, 900)
	for _, word := range wordstest.Odd {
		for _, value := range []string{
			word, word + " ", " " + word, "'" + word, word + "'", "\u0301" + word, strings.ToUpper(word),
			word + " " + word, "-" + word + "-", word + "x",
		} {
			checkContains(t, ix, docs, value)
		}
	}
}

func TestContainsNarrows(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{SegmentDocs: 10})
	texts := []string{
		0: "the quick brown fox", 1: "a quick brownie", 2: "slow brown", 3: "unquick browns",
		4: strings.Repeat("x", 80) + "quick", 5: "{}", 6: "nothing here",
	}
	for id, text := range texts {
		if err := ix.Add(doc(int64(id)), []string{text}); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		value       string
		sure, maybe []int64
	}{
		{"quick", []int64{0, 1, 3}, []int64{4}},
		// Few candidates are not narrowed down by the end of a word.
		{"quick brown", nil, []int64{0, 1, 2, 3}},
		{" quick brown", nil, []int64{0, 1}},
		{" quick brown ", nil, []int64{0}},
		{"{}", nil, []int64{0, 1, 2, 3, 4, 5, 6}},
		{"absent", nil, []int64{4}},
	}
	for _, tc := range cases {
		sure, maybe := ix.Contains(0, tc.value)
		if got := sure.IDs(-1); !slices.Equal(got, tc.sure) {
			t.Errorf("Contains(%q) sure = %v, want %v", tc.value, got, tc.sure)
		}
		if got := maybe.IDs(-1); !slices.Equal(got, tc.maybe) {
			t.Errorf("Contains(%q) maybe = %v, want %v", tc.value, got, tc.maybe)
		}
	}
}
