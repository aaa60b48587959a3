package textindex

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/words"
)

// Set to 1000000 for numbers that mean something.
var benchDocs = flag.Int("docs", 20000, "documents in the index that the benchmarks use")

// benchCorpus makes documents of about 1.8 KB: 300 words, half of them
// different, following Zipf's law, and about one word never seen before.
type benchCorpus struct {
	rand  *rand.Rand
	zipf  *rand.Zipf
	words []string
	buf   []byte
}

func newBenchCorpus() *benchCorpus {
	r := rand.New(rand.NewPCG(1, 2))
	c := &benchCorpus{rand: r, zipf: rand.NewZipf(r, 1.25, 3, 59_999)}
	seen := map[string]bool{}
	for len(c.words) < 60_000 {
		// Frequent words are short.
		w := c.word(1 + c.rand.IntN(1+min(len(c.words)/60, 4)))
		if !seen[w] {
			seen[w] = true
			c.words = append(c.words, w)
		}
	}
	return c
}

func (c *benchCorpus) word(syllables int) string {
	const initial, vowel, final = "bcdfghjklmnprstvwyz", "aeiou", "nrstlmd"
	var b strings.Builder
	for range syllables {
		b.WriteByte(initial[c.rand.IntN(len(initial))])
		b.WriteByte(vowel[c.rand.IntN(len(vowel))])
		if c.rand.IntN(2) == 0 {
			b.WriteByte(final[c.rand.IntN(len(final))])
		}
	}
	return b.String()
}

func (c *benchCorpus) text(words int) string {
	c.buf = c.buf[:0]
	for i := range words {
		if i%12 == 0 {
			c.buf = append(c.buf, ". "...)
		}
		c.buf = append(c.buf, c.words[c.zipf.Uint64()]...)
		c.buf = append(c.buf, ' ')
	}
	return string(c.buf)
}

func (c *benchCorpus) fields() []string {
	input := c.text(220)
	if c.rand.IntN(2) == 0 {
		input += fmt.Sprintf("id %08x", c.rand.Uint32())
	} else {
		input += c.word(5)
	}
	return []string{input, c.text(80)}
}

// benchIndex is built once and left in place, its background work done.
var benchIndex = sync.OnceValue(func() *Index {
	dir, err := os.MkdirTemp("", "textindex")
	if err != nil {
		panic(err)
	}
	benchDir = dir
	ix, err := Open(dir, Options{})
	if err != nil {
		panic(err)
	}
	c := newBenchCorpus()
	var spent, worst time.Duration
	for id := range int64(*benchDocs) {
		fields := c.fields()
		start := time.Now()
		if err := ix.Add(doc(id+1), fields); err != nil {
			panic(err)
		}
		took := time.Since(start)
		spent += took
		worst = max(worst, took)
	}
	ix.settle()
	st := ix.Stats()
	fmt.Printf("built %d documents: %.1f µs per Add, worst %v, %d merges\n", st.Docs,
		float64(spent.Microseconds())/float64(st.Docs), worst, st.Merges)
	fmt.Printf("%d segments, %.0f bytes per document on disk, %d terms in files, %d documents and %d KiB in memory\n",
		st.Segments, float64(st.DiskBytes)/float64(max(st.Docs-st.MemoryDocs, 1)), st.DiskTerms,
		st.MemoryDocs, st.MemoryBytes>>10)
	return ix
})

// benchDir is where benchIndex is, once it was built.
var benchDir string

func TestMain(m *testing.M) {
	code := m.Run()
	if benchDir != "" {
		if err := errors.Join(benchIndex().Close(), os.RemoveAll(benchDir)); err != nil {
			fmt.Println(err)
		}
	}
	os.Exit(code)
}

// BenchmarkAdd includes writing and merging in the background.
func BenchmarkAdd(b *testing.B) {
	c := newBenchCorpus()
	docs := make([][]string, 2000)
	size := 0
	for i := range docs {
		docs[i] = c.fields()
		size += len(docs[i][0]) + len(docs[i][1])
	}
	ix := openIndex(b, b.TempDir(), Options{})
	b.SetBytes(int64(size / len(docs)))
	b.ReportAllocs()
	id := int64(0)
	for b.Loop() {
		id++
		if err := ix.Add(doc(id), docs[id%int64(len(docs))]); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScanner(b *testing.B) {
	text := strings.Join(newBenchCorpus().fields(), " ")
	b.SetBytes(int64(len(text)))
	var s words.Scanner
	for b.Loop() {
		s.Reset(text)
		for s.Next() {
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	words := newBenchCorpus().words
	for _, q := range []struct{ name, q string }{
		{"rare", words[59_000]},
		{"misspelt", "x" + words[30_000]},
		{"misspelt6", misspell(words[20_001])},
		{"prefix3", words[5000][:3]},
		{"letter", "s"},
		{"number", "7f3"},
		{"common", words[0]},
		{"two", words[40] + " " + words[4000]},
		{"four", strings.Join([]string{words[3], words[40], words[400], misspell(words[4001])}, " ")},
		{"missing", "qqqqqqqq"},
	} {
		b.Run(q.name, func(b *testing.B) {
			ix := benchIndex()
			var all, exact *Set
			for b.Loop() {
				all, exact, _ = ix.Match(q.q, 0, 1)
			}
			b.ReportMetric(float64(all.Count()), "docs")
			b.ReportMetric(float64(exact.Count()), "exact")
		})
	}
}

func misspell(word string) string {
	n := len(word) / 2
	return word[:n] + "w" + word[n+1:]
}

func BenchmarkContains(b *testing.B) {
	words := newBenchCorpus().words
	for _, v := range []struct{ name, value string }{
		{"word", words[9000]},
		{"middle", words[9000][1:4]},
		{"letter", "e"},
		{"phrase", words[30] + " " + words[300] + " " + words[20]},
		{"pair", words[300] + " " + words[20]},
	} {
		b.Run(v.name, func(b *testing.B) {
			ix := benchIndex()
			var sure, maybe *Set
			for b.Loop() {
				sure, maybe = ix.Contains(0, v.value)
			}
			b.ReportMetric(float64(sure.Count()), "sure")
			b.ReportMetric(float64(maybe.Count()), "maybe")
		})
	}
}

func BenchmarkOpen(b *testing.B) {
	ix := benchIndex()
	if err := ix.Flush(); err != nil {
		b.Fatal(err)
	}
	ix.settle()
	for b.Loop() {
		segments, err := loadSegments(ix.dir, fileVersion(0), 1<<40)
		if err != nil {
			b.Fatal(err)
		}
		releaseAll(segments)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapInuse>>20), "heapMB")
}
