package textindex

import (
	"testing"
)

func TestJudgeAgainstNaive(t *testing.T) {
	t.Parallel()
	c := newCorpus(21)
	matched := 0
	for range 50000 {
		text := c.words[c.rand.IntN(len(c.words))]
		terms, queries := naiveTokens(text), naiveTokens(c.edit(text))
		if len(terms) == 0 || len(queries) == 0 {
			continue
		}
		term, query := terms[0], queries[0]
		w := newWord([]byte(query.text), query.cut, query.unspaced)
		var rows distance
		rows.start(w)
		want := differs
		if naiveMatches(query, term) {
			want = near
			matched++
		}
		if query.text == term.text && query.cut == term.cut || query.unspaced && want == near {
			want = equal
		}
		if got := w.judge(&rows, []byte(term.text), term.cut); got != want {
			t.Fatalf("judge(%q, %q) = %d, want %d", query.text, term.text, got, want)
		}
	}
	if matched < 5000 {
		t.Errorf("only %d pairs matched", matched)
	}
}
