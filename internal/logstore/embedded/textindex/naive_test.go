package textindex

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/words/wordstest"
)

// naiveQuery answers one query. It remembers what it found out about a token.
type naiveQuery struct {
	words []wordstest.Token
	known []map[wordstest.Token]bool
}

func newNaiveQuery(q string) *naiveQuery {
	n := &naiveQuery{words: slices.DeleteFunc(wordstest.Tokens(q), func(t wordstest.Token) bool { return t.Last })}
	for range n.words {
		n.known = append(n.known, map[wordstest.Token]bool{})
	}
	return n
}

func (n *naiveQuery) matches(word int, token wordstest.Token) bool {
	match, known := n.known[word][token]
	if !known {
		match = wordstest.Matches(n.words[word], token)
		n.known[word][token] = match
	}
	return match
}

// match says whether the wanted fields of a document match, and whether they
// do so exactly.
func (n *naiveQuery) match(d document, wanted []int) (match, exact bool) {
	var tokens []wordstest.Token
	for _, f := range wanted {
		if f < len(d.tokens) {
			tokens = append(tokens, d.tokens[f]...)
		}
	}
	match, exact = true, true
	for i, q := range n.words {
		match = match && slices.ContainsFunc(tokens, func(t wordstest.Token) bool {
			return n.matches(i, t)
		})
		exact = exact && slices.ContainsFunc(tokens, func(t wordstest.Token) bool {
			return q.Text == t.Text && q.Cut == t.Cut || q.Unspaced && strings.HasPrefix(t.Text, q.Text)
		})
	}
	return match, exact
}
