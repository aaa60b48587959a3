package words

import (
	"bytes"
	"slices"
)

// Terms returns the different words of the texts as a Matcher compares them, in
// order.
func Terms(texts ...string) []string {
	seen := map[string]struct{}{}
	var s Scanner
	var term []byte
	for _, text := range texts {
		for s.Reset(text); s.Next(); {
			term = Fold(term[:0], s.Term())
			if s.Cut() {
				term = append(term, CutMark)
			}
			if _, twice := seen[string(term)]; !twice {
				seen[string(term)] = struct{}{}
			}
		}
	}
	terms := make([]string, 0, len(seen))
	for term := range seen {
		terms = append(terms, term)
	}
	slices.Sort(terms)
	return terms
}

// Matcher compares terms with one word of a query, by the rules of
// the package. It must not be used concurrently.
type Matcher struct {
	word *Word
	rows Distance
}

// Matchers returns a matcher for each word of a query, none if it has no words.
func Matchers(q string) []*Matcher {
	var all []*Matcher
	for _, w := range Parse(q) {
		m := &Matcher{word: w}
		m.rows.Start(w)
		all = append(all, m)
	}
	return all
}

// Start returns what all terms that match begin with.
func (m *Matcher) Start() string {
	if m.word.Fuzzy() {
		return string(m.word.Head())
	}
	return string(m.word.Text)
}

// Match reports whether a term matches the word, and whether it does so exactly.
func (m *Matcher) Match(term string) (matches, exactly bool) {
	folded, cut := Uncut([]byte(term))
	if !bytes.HasPrefix(folded, m.word.Head()) {
		return false, false
	}
	found := m.word.Judge(&m.rows, folded, cut)
	return found != Differs, found == Equal
}
