package textindex

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// runCorpus makes texts of a script without spaces: words of one to three
// characters that follow Zipf's law, a comma after every seven.
func runCorpus() func(words int) string {
	r := rand.New(rand.NewPCG(3, 4))
	characters := rand.NewZipf(r, 1.1, 20, 5_999)
	words := make([]string, 60_000)
	for i := range words {
		for range 1 + r.IntN(3) {
			words[i] += string(rune(0x4e00 + characters.Uint64()))
		}
	}
	zipf := rand.NewZipf(r, 1.25, 3, uint64(len(words)-1))
	return func(count int) string {
		var b strings.Builder
		for i := range count {
			if i%7 == 6 {
				b.WriteString("，")
			}
			b.WriteString(words[zipf.Uint64()])
		}
		return b.String()
	}
}

// BenchmarkIndexSize measures how large the index is in relation to the texts.
func BenchmarkIndexSize(b *testing.B) {
	english := newBenchCorpus()
	for name, text := range map[string]func(words int) string{"english": english.text, "chinese": runCorpus()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				ix := openIndex(b, b.TempDir(), Options{})
				size := 0
				for id := range int64(*benchDocs) {
					fields := []string{text(220), text(80)}
					size += len(fields[0]) + len(fields[1])
					if err := ix.Add(doc(id), fields); err != nil {
						b.Fatal(err)
					}
				}
				if err := ix.Flush(); err != nil {
					b.Fatal(err)
				}
				ix.settle()
				st := ix.Stats()
				b.ReportMetric(float64(st.DiskBytes)/float64(st.Docs), "bytes/doc")
				b.ReportMetric(float64(size)/float64(st.Docs), "text-bytes/doc")
				b.ReportMetric(float64(st.DiskBytes)/float64(size), "bytes/text-byte")
			}
		})
	}
}
