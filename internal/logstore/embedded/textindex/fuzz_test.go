package textindex

import (
	"strings"
	"testing"
)

func FuzzTokens(f *testing.F) {
	for _, word := range oddWords {
		f.Add(word)
	}
	f.Add(strings.Join(oddWords, "'"))
	f.Fuzz(checkTokens)
}

func FuzzMatch(f *testing.F) {
	c := newCorpus(81)
	docs := make([]document, 150)
	for i := range docs {
		docs[i] = c.document()
	}
	dir := f.TempDir()
	ix, err := Open(dir, tinyOptions())
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() {
		if err := ix.Close(); err != nil {
			f.Error(err)
		}
	})
	addAll(f, ix, docs)
	for _, word := range oddWords {
		f.Add(word)
	}
	for range 20 {
		f.Add(c.query())
	}
	f.Fuzz(func(t *testing.T, q string) {
		// The naive answer to a long query takes too long.
		if len(newNaiveQuery(q).words) <= 4 {
			checkMatch(t, ix, docs, q)
		}
		checkContains(t, ix, docs, q)
	})
}
