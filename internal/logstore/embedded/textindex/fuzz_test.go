package textindex

import (
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/words/wordstest"
)

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
	for _, word := range wordstest.Odd {
		f.Add(word)
	}
	for range 20 {
		f.Add(c.Query())
	}
	f.Fuzz(func(t *testing.T, q string) {
		// The naive answer to a long query takes too long.
		if len(newNaiveQuery(q).words) <= 4 {
			checkMatch(t, ix, docs, q)
		}
		checkContains(t, ix, docs, q)
	})
}
