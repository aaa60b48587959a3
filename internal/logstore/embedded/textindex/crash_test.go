package textindex

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// damage is one way to spoil a file.
type damage struct {
	name string
	do   func(r *rand.Rand, data []byte) []byte
}

var damages = []damage{
	{"cut", func(r *rand.Rand, data []byte) []byte { return data[:r.IntN(len(data))] }},
	{"empty", func(*rand.Rand, []byte) []byte { return nil }},
	{"flipped bit", func(r *rand.Rand, data []byte) []byte {
		data[r.IntN(len(data))] ^= 1 << r.IntN(8)
		return data
	}},
	{"flipped bit near the end", func(r *rand.Rand, data []byte) []byte {
		data[len(data)-1-r.IntN(footerSize)] ^= 1 << r.IntN(8)
		return data
	}},
	{"zeroed", func(r *rand.Rand, data []byte) []byte {
		from := r.IntN(len(data))
		clear(data[from:min(len(data), from+512)])
		return data
	}},
	{"longer", func(_ *rand.Rand, data []byte) []byte { return append(data, 0) }},
}

// savedIndex returns the files of an index that was closed, in order.
func savedIndex(t *testing.T, seed uint64, n int) (files map[string][]byte, names []string, c *corpus, docs []document) {
	t.Helper()
	ix, c, docs := builtIndex(t, seed, n)
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	files = map[string][]byte{}
	names = filesOf(t, ix.dir)
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(ix.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = data
	}
	slices.Sort(names)
	return files, names, c, docs
}

func restore(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestDamagedFiles spoils each file in turn. The index must keep the files
// before it, drop it and those after, and be whole again once the documents
// after Last were added again.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	files, names, c, docs := savedIndex(t, 71, 400)
	if len(names) < 3 {
		t.Fatalf("only %d files", len(names))
	}
	for round := range 40 {
		name := names[round%len(names)]
		d := damages[c.Rand.IntN(len(damages))]
		spoilt := d.do(c.Rand, slices.Clone(files[name]))
		if slices.Equal(spoilt, files[name]) {
			continue
		}
		dir := restore(t, files)
		if err := os.WriteFile(filepath.Join(dir, name), spoilt, 0o644); err != nil {
			t.Fatal(err)
		}
		ix := openIndex(t, dir, tinyOptions())
		if got, want := ix.Last(), lastBefore(t, files, names, name); got != want {
			t.Fatalf("%s %s: last is %d, want %d", name, d.name, got, want)
		}
		checkRebuilt(t, ix, c, docs)
	}
}

// lastBefore returns the last document of the file before the given one.
func lastBefore(t *testing.T, files map[string][]byte, names []string, name string) int64 {
	t.Helper()
	foot, err := parseFooter(files[name])
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.Index(names, name); i == 0 && foot.prev != none {
		t.Fatalf("first file follows %d", foot.prev)
	}
	return foot.prev
}

// checkRebuilt adds the documents that are missing and compares answers.
func checkRebuilt(t *testing.T, ix *Index, c *corpus, docs []document) {
	t.Helper()
	for _, d := range docs {
		if d.id > ix.Last() {
			addAll(t, ix, []document{d})
		}
	}
	for range 3 {
		checkMatch(t, ix, docs, c.Query())
		checkContains(t, ix, docs, c.Value())
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestMissingFile(t *testing.T) {
	t.Parallel()
	files, names, c, docs := savedIndex(t, 72, 400)
	for _, name := range names {
		dir := restore(t, files)
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
		ix := openIndex(t, dir, tinyOptions())
		if got, want := ix.Last(), lastBefore(t, files, names, name); got != want {
			t.Fatalf("without %s last is %d, want %d", name, got, want)
		}
		if left := ix.Stats().Segments; left > slices.Index(names, name) {
			t.Fatalf("without %s %d files are left", name, left)
		}
		checkRebuilt(t, ix, c, docs)
	}
}

// TestLeftovers opens a directory as a crash in the middle of a merge, or
// right after one, leaves it.
func TestLeftovers(t *testing.T) {
	t.Parallel()
	c := newCorpus(73)
	var docs []document
	for range 200 {
		docs = append(docs, c.document())
	}
	dir := t.TempDir()
	ix := openIndex(t, dir, Options{SegmentDocs: 50, MergeFactor: 1000})
	addAll(t, ix, docs)
	if err := ix.Flush(); err != nil {
		t.Fatal(err)
	}
	inputs := ix.segments[1:3]
	merged, err := mergeSegments(dir, inputs, func() bool { return false })
	if err != nil {
		t.Fatal(err)
	}
	merged.release()
	want := len(ix.segments) - 1
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"1-2.seg.tmp", "1-2.seg.dict.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("half"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ix = openIndex(t, dir, Options{})
	if left := filesOf(t, dir); len(left) != want {
		t.Errorf("files %v, want %d", left, want)
	}
	if got, want := ix.Last(), docs[len(docs)-1].id; got != want {
		t.Errorf("last is %d, want %d", got, want)
	}
	checkRebuilt(t, ix, c, docs)
}

// TestUncheckedPostings reads and merges damaged postings that Open was told
// not to check: answers may be wrong, but nothing may panic.
func TestUncheckedPostings(t *testing.T) {
	t.Parallel()
	files, names, c, docs := savedIndex(t, 74, 300)
	for round := range 40 {
		name := names[round%len(names)]
		foot, err := parseFooter(files[name])
		if err != nil {
			t.Fatal(err)
		}
		spoilt := slices.Clone(files[name])
		for range 20 {
			spoilt[len(magic)+c.Rand.IntN(int(foot.postingsSize))] = byte(c.Rand.Uint32())
		}
		dir := restore(t, files)
		if err := os.WriteFile(filepath.Join(dir, name), spoilt, 0o644); err != nil {
			t.Fatal(err)
		}
		ix := openIndex(t, dir, Options{SegmentDocs: 10, MergeFactor: 2, VerifyBytes: -1})
		for range 10 {
			ix.Match(c.Query())
			ix.Contains(0, c.Value())
		}
		last := docs[len(docs)-1].id
		for i := range int64(30) {
			addAll(t, ix, []document{newDocument(last+1+i, c.Text())})
		}
		ix.settle()
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestOpenKeepsForeignFaults(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, Options{}); err == nil {
		t.Error("a file was opened as a directory")
	}
}
