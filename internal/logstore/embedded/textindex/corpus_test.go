package textindex

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/words/wordstest"
)

// document is one test document.
type document struct {
	id     int64
	fields []string
	lower  []string            // the fields in lower case
	tokens [][]wordstest.Token // their words
}

func newDocument(id int64, fields ...string) document {
	d := document{id: id, fields: fields}
	for _, text := range fields {
		d.lower = append(d.lower, strings.ToLower(text))
		d.tokens = append(d.tokens, wordstest.Tokens(text))
	}
	return d
}

// corpus makes random documents out of few words, so that they have much in
// common and differ by little.
type corpus struct {
	*wordstest.Corpus
	next int64
}

func newCorpus(seed uint64) *corpus { return &corpus{Corpus: wordstest.NewCorpus(seed)} }

func (c *corpus) document() document {
	c.next += int64(1 + c.Rand.IntN(2)*c.Rand.IntN(100))
	if c.Rand.IntN(300) == 0 {
		c.next += 70000 // another page
	}
	fields := make([]string, c.Rand.IntN(4))
	for i := range fields {
		fields[i] = c.Text()
	}
	return newDocument(c.next, fields...)
}

// tinyOptions make many segments and merges out of few documents.
func tinyOptions() Options {
	return Options{SegmentDocs: 23, MergeFactor: 3}
}

func openIndex(t testing.TB, dir string, opts Options) *Index {
	t.Helper()
	opts.OnError = func(err error) { t.Errorf("background: %v", err) }
	ix, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ix.Close(); err != nil && !errors.Is(err, ErrClosed) {
			t.Errorf("close: %v", err)
		}
	})
	return ix
}

func addAll(t testing.TB, ix *Index, docs []document) {
	t.Helper()
	for _, d := range docs {
		if err := ix.Add(doc(d.id), d.fields); err != nil {
			t.Fatal(err)
		}
	}
}

// settle waits until the background work is done.
func (ix *Index) settle() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for len(ix.frozen) > 0 || ix.merging || ix.nextRun() != nil {
		ix.changed.Wait()
	}
}

// builtIndex returns an index of n random documents.
func builtIndex(t testing.TB, seed uint64, n int) (*Index, *corpus, []document) {
	t.Helper()
	c := newCorpus(seed)
	docs := make([]document, n)
	for i := range docs {
		docs[i] = c.document()
	}
	ix := openIndex(t, t.TempDir(), tinyOptions())
	addAll(t, ix, docs)
	return ix, c, docs
}

func describe(d document) string {
	return fmt.Sprintf("document %d %q", d.id, d.fields)
}
