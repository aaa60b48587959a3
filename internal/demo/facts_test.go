package demo

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlantedWords(t *testing.T) {
	t.Parallel()
	const n = 6_000
	found := map[string]int{}
	for _, b := range someBodies(t, n) {
		text := ""
		for _, m := range slices.Concat(b.Input.Messages, b.Output.Messages) {
			text += m.text() + " "
		}
		held := map[string]bool{}
		for _, p := range allPlanted {
			if strings.Contains(text, p.Word) {
				held[p.Word] = true
				found[p.Word]++
			}
		}
		if held[Frequent.Word] && held[Occasional.Word] {
			found["both"]++
		}
	}
	want := map[string]int{"both": CountBoth(Frequent, Occasional, n)}
	for _, p := range allPlanted {
		want[p.Word] = p.Count(n)
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Errorf("logs with the word (-counted +found):\n%s", diff)
	}
}

func TestVocabularyAvoidsPlantedWords(t *testing.T) {
	t.Parallel()
	v := newVocabulary(3)
	words, start := map[string]bool{}, uint32(0)
	for _, end := range v.ends {
		word := string(v.letters[start:end])
		start = end
		if words[word] {
			t.Fatalf("%q is a duplicate", word)
		}
		words[word] = true
		for _, p := range allPlanted {
			if word[0] == p.Word[0] && (edits(word, p.Word) <= 2 || strings.HasPrefix(word, p.Word[:6])) {
				t.Errorf("%q is too similar to the planted %q", word, p.Word)
			}
		}
	}
	if len(words) != vocabularySize {
		t.Errorf("%d words, want %d", len(words), vocabularySize)
	}
}

// edits returns the edit distance of a and b.
func edits(a, b string) int {
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := []int{i + 1}
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row = append(row, min(change, last[j+1]+1, row[j]+1))
		}
		last = row
	}
	return last[len(b)]
}

func TestIdentifiersAreUnique(t *testing.T) {
	t.Parallel()
	g := testGenerator()
	seen := map[string]bool{}
	for i := range 100_000 {
		id := g.Identifier(i)
		if seen[id] {
			t.Fatalf("log %d has the identifier %s of an earlier log", i, id)
		}
		seen[id] = true
	}
	if id := g.Identifier(5); !strings.Contains(string(g.Append(nil, 5)), id) {
		t.Errorf("log 5 does not contain its identifier %s", id)
	}
}
