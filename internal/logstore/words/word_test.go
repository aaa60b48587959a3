package words

import (
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/words/wordstest"
)

func TestJudgeAgainstNaive(t *testing.T) {
	t.Parallel()
	c := wordstest.NewCorpus(21)
	matched := 0
	for range 50000 {
		text := c.Words[c.Rand.IntN(len(c.Words))]
		terms, queries := wordstest.Tokens(text), wordstest.Tokens(c.Edit(text))
		if len(terms) == 0 || len(queries) == 0 {
			continue
		}
		term, query := terms[0], queries[0]
		w := newWord([]byte(query.Text), query.Cut, query.Unspaced)
		var rows Distance
		rows.Start(w)
		want := Differs
		if wordstest.Matches(query, term) {
			want = Near
			matched++
		}
		if query.Text == term.Text && query.Cut == term.Cut || query.Unspaced && want == Near {
			want = Equal
		}
		if got := w.Judge(&rows, []byte(term.Text), term.Cut); got != want {
			t.Fatalf("Judge(%q, %q) = %d, want %d", query.Text, term.Text, got, want)
		}
	}
	if matched < 5000 {
		t.Errorf("only %d pairs matched", matched)
	}
}
