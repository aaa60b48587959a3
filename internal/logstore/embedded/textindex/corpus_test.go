package textindex

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// document is one test document.
type document struct {
	id     int64
	fields []string
	lower  []string       // the fields in lower case
	tokens [][]naiveToken // their words
}

func newDocument(id int64, fields ...string) document {
	d := document{id: id, fields: fields}
	for _, text := range fields {
		d.lower = append(d.lower, strings.ToLower(text))
		d.tokens = append(d.tokens, naiveTokens(text))
	}
	return d
}

// corpus makes random documents out of few words, so that they have much in
// common and differ by little.
type corpus struct {
	rand  *rand.Rand
	words []string
	next  int64
}

var oddWords = []string{
	"don't", "don’t", "dont", "'tis", "dogs'", "rock'n'roll", "o''neill", "it's",
	"İstanbul", "istanbul", "STRASSE", "straße", "STRAẞE", "\u212Aelvin", "kelvin", "Ångström",
	"e\u0301te", "\u0301b", "été", "naïve", "Привет", "привет", "日本語", "日本", "ǅ", "ß",
	"x1", "x12", "42", "4242", "½", "Ⅷ", "gpt-4o", "user_id", "a.b.c", "[user]:", "foo/bar", "{}",
	"\xff", "a\xffb", "\u2764\ufe0f", "🙂", "é’s", "a'\u0301c", "’", "''",
	"请问退款政策是什么", "退款", "使用GPT-4模型", "コーヒー", "か\u3099き", "ｶﾞｽ", "한국어를", "กินข้าว", "ที่นี่", "日'本", "本\u0301x", "x'日", "𠀀𠀁",
	"ก" + strings.Repeat("\u0e49", 30) + "ข", strings.Repeat("日", 40),
	strings.Repeat("a", 63), strings.Repeat("a", 64), strings.Repeat("a", 65),
	strings.Repeat("a", 64) + "b", strings.Repeat("a", 63) + "'b", strings.Repeat("a", 63) + "é",
	strings.Repeat("a", 64) + "'", strings.Repeat("é", 40), "z" + strings.Repeat("日", 21) + "x",
}

func newCorpus(seed uint64) *corpus {
	c := &corpus{rand: rand.New(rand.NewPCG(seed, 1))}
	for range 60 {
		c.words = append(c.words, c.word())
	}
	for range 30 {
		c.words = append(c.words, c.run(1+c.rand.IntN(7)))
	}
	for range 80 {
		c.words = append(c.words, c.edit(c.words[c.rand.IntN(len(c.words))]))
	}
	c.words = append(c.words, oddWords...)
	return c
}

// word makes a word from a small alphabet.
func (c *corpus) word() string {
	const letters = "abcdé1"
	var b strings.Builder
	for range 1 + c.rand.IntN(9) {
		b.WriteRune([]rune(letters)[min(c.rand.IntN(9), 5)%6])
	}
	return b.String()
}

// run makes a text of a script without spaces from a small alphabet, some of it
// with marks and with other letters in between.
func (c *corpus) run(length int) string {
	letters := []rune("退款政策日本ーก้ข\u0e35한국x")
	var b strings.Builder
	for range length {
		b.WriteRune(letters[c.rand.IntN(len(letters))])
	}
	return b.String()
}

// edit changes a word a little.
func (c *corpus) edit(word string) string {
	runes := []rune(word)
	for range 1 + c.rand.IntN(3) {
		if len(runes) == 0 {
			break
		}
		i := c.rand.IntN(len(runes))
		switch c.rand.IntN(5) {
		case 0:
			runes = append(runes[:i], runes[i+1:]...)
		case 1:
			runes = append(runes[:i+1], runes[i:]...)
		case 2:
			runes[i] = []rune("abcdeéXyz")[c.rand.IntN(9)]
		case 3:
			j := min(i+1, len(runes)-1)
			runes[i], runes[j] = runes[j], runes[i]
		case 4:
			runes = append(runes, []rune("ation")[:1+c.rand.IntN(5)]...)
		}
	}
	return string(runes)
}

func (c *corpus) text() string {
	var b strings.Builder
	for range c.rand.IntN(12) {
		word := c.words[c.rand.IntN(len(c.words))]
		if c.rand.IntN(6) == 0 {
			word = strings.ToUpper(word)
		}
		b.WriteString(word)
		b.WriteString([]string{" ", " ", " ", ", ", "-", "'", "\n", ""}[c.rand.IntN(8)])
	}
	return b.String()
}

func (c *corpus) document() document {
	c.next += int64(1 + c.rand.IntN(2)*c.rand.IntN(100))
	if c.rand.IntN(300) == 0 {
		c.next += 70000 // another page
	}
	fields := make([]string, c.rand.IntN(4))
	for i := range fields {
		fields[i] = c.text()
	}
	return newDocument(c.next, fields...)
}

// query makes a query out of words of the corpus and misspellings of them.
func (c *corpus) query() string {
	var words []string
	for range 1 + c.rand.IntN(2) {
		word := c.words[c.rand.IntN(len(c.words))]
		if runes := []rune(word); c.rand.IntN(3) == 0 && len(runes) > 1 {
			word = string(runes[:1+c.rand.IntN(len(runes))])
		}
		if c.rand.IntN(2) == 0 {
			word = c.edit(word)
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// value makes a substring of a text, or something that might be one.
func (c *corpus) value() string {
	runes := []rune(c.text())
	if len(runes) == 0 {
		return "a"
	}
	from := c.rand.IntN(len(runes))
	to := from + 1 + c.rand.IntN(min(len(runes)-from, 1+c.rand.IntN(90)))
	return string(runes[from:to])
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
