package textindex

import (
	"fmt"
	"strings"
	"testing"
)

// dictionaryDocs makes documents with thousands of different words, many with
// a long prefix in common, so that dictionaries have many blocks and whole
// blocks can be left out.
func dictionaryDocs(c *benchCorpus) []document {
	docs := make([]document, 600)
	for i := range docs {
		var words []string
		for range 10 {
			words = append(words, c.word(1+c.rand.IntN(5)), fmt.Sprintf("%x", c.rand.Uint32()))
		}
		for _, family := range []string{"communi", "contract", "été", "can't"} {
			words = append(words, family+c.word(1+c.rand.IntN(3)))
		}
		docs[i] = newDocument(int64(i), strings.Join(words, " "))
	}
	return docs
}

func TestLargeDictionary(t *testing.T) {
	t.Parallel()
	c := newBenchCorpus()
	docs := dictionaryDocs(c)
	ix := openIndex(t, t.TempDir(), Options{SegmentDocs: 100, MergeFactor: 2})
	addAll(t, ix, docs)
	if err := ix.Flush(); err != nil {
		t.Fatal(err)
	}
	ix.settle()
	pick := func() string {
		words := docs[c.rand.IntN(len(docs))].tokens[0]
		return words[c.rand.IntN(len(words))].Raw
	}
	for range 12 {
		word := pick()
		checkMatch(t, ix, docs, word)
		checkMatch(t, ix, docs, misspell(word))
		checkMatch(t, ix, docs, string([]rune(word)[:1+c.rand.IntN(len([]rune(word)))]))
		part := word[c.rand.IntN(len(word)):]
		checkContains(t, ix, docs, part)
		checkContains(t, ix, docs, part[:1+c.rand.IntN(len(part))])
		checkContains(t, ix, docs, part+" "+pick())
	}
	for _, q := range []string{"cinmunication", "contrat", "ete", "cantx", "zzzzzz"} {
		checkMatch(t, ix, docs, q)
	}
}
