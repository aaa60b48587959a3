// Package textbench compares the text index with libraries and plain designs
// that could replace it, on the logs of the benchmark: see ADR 36. It is a module
// of its own, so that the program does not depend on any of them.
//
//	for e in ours fst fts5 bleve bluge; do
//		GOMAXPROCS=1 go test -run Measure -timeout 2h -v -engine $e -n 100000 -batches 500
//	done
package textbench

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// engine is a text index. Documents come in the order of their ids.
type engine interface {
	// add takes in a document.
	add(id int64, doc document) error
	// commit returns when the next search finds all documents. If the engine was
	// opened as durable, they also survive a power cut from then on.
	commit() error
	// search counts the documents that have all words of q and returns the ten
	// newest.
	search(q string) (found result, err error)
	close() error
}

type document struct{ input, output string }

func (d document) text() string { return d.input + "\n" + d.output }

type result struct {
	count  int
	newest []int64
}

// newestIDs is how many ids a search returns.
const newestIDs = 10

// opener opens an empty engine in a folder.
type opener func(dir string, durable bool) (engine, error)

var engines = map[string]opener{
	"ours":  openOurs,
	"bleve": openBleve,
	"bluge": openBluge,
	"fts5":  openFTS5,
	"fst":   openFST,
}

// distinct returns the different words of a text, in the order of their first
// occurrence. All engines index these, so that they differ only in the typos they
// accept.
func distinct(text string) []string {
	var s words.Scanner
	seen := make(map[string]struct{}, 256)
	words := make([]string, 0, 256)
	for s.Reset(text); s.Next(); {
		term := s.Term()
		if bytes.ContainsAny(term, "'’") {
			term = []byte(strings.NewReplacer("'", "", "’", "").Replace(string(term)))
		}
		if _, twice := seen[string(term)]; !twice {
			word := string(term)
			seen[word] = struct{}{}
			words = append(words, word)
		}
	}
	return words
}

// typos returns how many edits a word of a query allows: the rules of
// textindex.Index.Match.
func typos(word string) int {
	n := len([]rune(word))
	switch {
	case n < 3 || strings.ContainsFunc(word, unicode.IsNumber):
		return 0
	case n < 6:
		return 1
	}
	return 2
}
