package textindex

import (
	"errors"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestAddRefuses(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{})
	if err := ix.Add(doc(5), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	for _, id := range []int64{5, 4, -1, MaxID + 1} {
		if err := ix.Add(doc(id), []string{"b"}); err == nil {
			t.Errorf("id %d was taken", id)
		}
	}
	if err := ix.Add(doc(6), make([]string, MaxFields+1)); err == nil {
		t.Error("too many fields were taken")
	}
	if err := ix.Add(doc(6), make([]string, MaxFields)); err != nil {
		t.Error(err)
	}
	if got := ix.Stats().Docs; got != 2 {
		t.Errorf("%d documents, want 2", got)
	}
}

func TestReopen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := newCorpus(31)
	var docs []document
	for round := range 12 {
		ix := openIndex(t, dir, tinyOptions())
		last := int64(none)
		if len(docs) > 0 {
			last = docs[len(docs)-1].id
		}
		if got := ix.Last(); got != last {
			t.Fatalf("round %d: last is %d, want %d", round, got, last)
		}
		for range 1 + c.Rand.IntN(60) {
			d := c.document()
			addAll(t, ix, []document{d})
			docs = append(docs, d)
		}
		for range 5 {
			checkMatch(t, ix, docs, c.Query())
			checkContains(t, ix, docs, c.Value())
		}
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{})
	addAll(t, ix, []document{newDocument(1, "word")})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if err := ix.Add(doc(2), nil); !errors.Is(err, ErrClosed) {
		t.Errorf("Add: %v", err)
	}
	if err := ix.Flush(); !errors.Is(err, ErrClosed) {
		t.Errorf("Flush: %v", err)
	}
	if err := ix.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("Close: %v", err)
	}
	if all, _, _ := ix.Match("word"); !all.Empty() {
		t.Error("a closed index found something")
	}
}

// TestMergedFilesGoAway checks that only the files in use are left, and that
// a reader keeps its own until it is done.
func TestMergedFilesGoAway(t *testing.T) {
	t.Parallel()
	ix, c, docs := builtIndex(t, 41, 100)
	_, snap := ix.snapshot(func(source) *answer { return new(answer) })
	for range 2000 {
		d := c.document()
		docs = append(docs, d)
		addAll(t, ix, []document{d})
	}
	if err := ix.Flush(); err != nil {
		t.Fatal(err)
	}
	ix.settle()
	for _, s := range snap.segments {
		if got := s.everything(); got.size == 0 {
			t.Error("a segment in use lost its contents")
		}
	}
	releaseAll(snap.segments)
	st := ix.Stats()
	if st.Merges == 0 || st.Segments > 12 {
		t.Errorf("%d merges left %d segments", st.Merges, st.Segments)
	}
	if files := filesOf(t, ix.dir); len(files) != st.Segments {
		t.Errorf("files %v for %d segments", files, st.Segments)
	}
	checkMatch(t, ix, docs, c.Query())
}

func filesOf(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestWriteFailure takes the directory away and gives it back.
func TestWriteFailure(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/index"
	var mu sync.Mutex
	var failures []error
	ix, err := Open(dir, Options{SegmentDocs: 10, OnError: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		failures = append(failures, err)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(dir); err != nil {
		t.Fatal(err)
	}
	c := newCorpus(51)
	var docs []document
	for range 105 {
		docs = append(docs, c.document())
	}
	addAll(t, ix, docs)
	if err := ix.Flush(); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Flush: %v", err)
	}
	if got := ix.Last(); got != none {
		t.Errorf("last is %d", got)
	}
	if ix.Stats().Err == nil {
		t.Error("no error in Stats")
	}
	checkMatch(t, ix, docs, c.Query())
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := ix.Flush(); err != nil {
		t.Errorf("Flush: %v", err)
	}
	if err := ix.Stats().Err; err != nil {
		t.Errorf("still in Stats: %v", err)
	}
	checkMatch(t, ix, docs, c.Query())
	if err := ix.Close(); err != nil {
		t.Error(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if len(failures) == 0 {
		t.Error("OnError was not called")
	}
}

// TestSparseIDs freezes early where ids are too far apart for one segment.
func TestSparseIDs(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{})
	ids := []int64{0, 1, 1 << 33, 1<<33 + 1}
	for _, id := range ids {
		if err := ix.Add(doc(id), []string{"word"}); err != nil {
			t.Fatal(err)
		}
	}
	if all, _, _ := ix.Match("word"); !slices.Equal(all.IDs(-1), ids) {
		t.Errorf("found %v", all.IDs(-1))
	}
}

func TestSegmentBytes(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{SegmentBytes: 1 << 20})
	c := newBenchCorpus()
	for id := range int64(2000) {
		if err := ix.Add(doc(id), c.fields()); err != nil {
			t.Fatal(err)
		}
	}
	if err := ix.Flush(); err != nil {
		t.Fatal(err)
	}
	if st := ix.Stats(); st.Segments < 2 {
		t.Errorf("%d segments", st.Segments)
	}
}

// TestConcurrency queries while documents are added, written and merged.
// Every document has the same word, so each answer must be all documents up
// to some point, and that point must not lie before the last Add that had
// returned when the query began.
func TestConcurrency(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), Options{SegmentDocs: 50, MergeFactor: 3})
	const docs = 3000
	var mu sync.Mutex
	added := int64(0)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for done := false; !done; {
				mu.Lock()
				least := added
				mu.Unlock()
				done = least == docs
				all, exact, _ := ix.Match("everwhere", 0) // misspelt
				_, maybe := ix.Contains(0, " everywhere ")
				for _, s := range []*Set{all, maybe} {
					if n := int64(s.Count()); n < least || n > 0 && !s.Has(n) {
						t.Errorf("%d documents with %d added", n, least)
						return
					}
				}
				if !exact.Empty() {
					t.Error("a misspelt word matched exactly")
					return
				}
			}
		})
	}
	c := newCorpus(61)
	for id := int64(1); id <= docs; id++ {
		if err := ix.Add(doc(id), []string{strings.Join([]string{c.Text(), " Everywhere ", c.Text()}, " ")}); err != nil {
			t.Fatal(err)
		}
		mu.Lock()
		added = id
		mu.Unlock()
	}
	readers.Wait()
}
