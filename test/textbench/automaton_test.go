package textbench

import (
	"github.com/blevesearch/vellum"
	"github.com/blevesearch/vellum/levenshtein"
)

// pattern selects terms of a finite state transducer: those from start to before
// end that the automaton accepts.
type pattern struct {
	automaton  vellum.Automaton
	start, end []byte
}

var builders = func() (b [3]*levenshtein.LevenshteinAutomatonBuilder) {
	for distance := range b {
		var err error
		if b[distance], err = levenshtein.NewLevenshteinAutomatonBuilder(uint8(distance), true); err != nil {
			panic(err) // the distances are constants
		}
	}
	return b
}()

// patterns returns the terms that match each word of q by the rules of
// textindex.Index.Match.
func patterns(q string) (all []pattern, err error) {
	for _, word := range distinct(q) {
		p := pattern{start: []byte(word), end: []byte(word + "\xff")}
		if n := typos(word); n > 0 {
			first := string([]rune(word)[:1])
			p.start, p.end = []byte(first), []byte(first+"\xff")
			if p.automaton, err = accepting(word, n); err != nil {
				return nil, err
			}
		}
		all = append(all, p)
	}
	return all, nil
}

// accepting returns the automaton of a word with up to n typos.
func accepting(word string, n int) (vellum.Automaton, error) {
	within := func(distance int) (*levenshtein.DFA, error) {
		return builders[distance].BuildDfa(word, uint8(distance))
	}
	typed := 0 // typos in the beginning of a longer word
	if len([]rune(word)) >= 5 {
		typed = 1
	}
	beginning, err := within(typed)
	if err != nil {
		return nil, err
	}
	whole, err := within(n)
	if err != nil {
		return nil, err
	}
	return either{beginsWith{beginning}, whole}, nil
}

// beginsWith accepts everything that begins with what an automaton accepts.
type beginsWith struct{ *levenshtein.DFA }

// accepted is a state from which everything is accepted.
const accepted = 1<<stateBits - 1

func (a beginsWith) IsMatch(s int) bool         { return s == accepted || a.DFA.IsMatch(s) }
func (a beginsWith) CanMatch(s int) bool        { return s == accepted || a.DFA.CanMatch(s) }
func (a beginsWith) WillAlwaysMatch(s int) bool { return a.IsMatch(s) }
func (a beginsWith) Accept(s int, b byte) int {
	if a.IsMatch(s) {
		return accepted
	}
	return a.DFA.Accept(s, b)
}

// either accepts what one of two automata accepts. Its state has both states.
type either [2]vellum.Automaton

const stateBits = 24

func split(s int) (first, second int) { return s & accepted, s >> stateBits }

func (a either) Start() int { return a[0].Start() | a[1].Start()<<stateBits }
func (a either) IsMatch(s int) bool {
	first, second := split(s)
	return a[0].IsMatch(first) || a[1].IsMatch(second)
}

func (a either) CanMatch(s int) bool {
	first, second := split(s)
	return a[0].CanMatch(first) || a[1].CanMatch(second)
}

func (a either) WillAlwaysMatch(s int) bool {
	first, second := split(s)
	return a[0].WillAlwaysMatch(first) || a[1].WillAlwaysMatch(second)
}

func (a either) Accept(s int, b byte) int {
	first, second := split(s)
	return a[0].Accept(first, b) | a[1].Accept(second, b)<<stateBits
}
