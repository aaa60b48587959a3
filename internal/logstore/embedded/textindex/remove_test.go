package textindex

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// dropped returns the documents that are left and the set of the others.
func dropped(docs []document, drop func(document) bool) (left []document, gone *Set) {
	gone = new(Set)
	for _, d := range docs {
		if drop(d) {
			gone.Add(d.id)
		} else {
			left = append(left, d)
		}
	}
	return left, gone
}

func ignored(Removed) {}

func never() bool { return false }

func checkAnswers(t *testing.T, ix *Index, c *corpus, docs []document) {
	t.Helper()
	for range 20 {
		checkMatch(t, ix, docs, c.Query())
		checkContains(t, ix, docs, c.Value())
	}
	if got := ix.Stats().Docs; got != len(docs) {
		t.Errorf("%d documents, want %d", got, len(docs))
	}
}

func TestRemoveAgainstNaive(t *testing.T) {
	t.Parallel()
	ix, c, docs := builtIndex(t, 91, 500)
	dir := ix.dir
	for _, part := range []int64{5, 3, 2} {
		left, gone := dropped(docs, func(d document) bool { return d.id%part == 0 })
		r, err := ix.Remove(gone, new(Set), ignored, never)
		if err != nil {
			t.Fatal(err)
		}
		if int(r.Docs) != len(docs)-len(left) || r.Segments == 0 || r.After >= r.Before {
			t.Errorf("removed %+v of %d", r, len(docs)-len(left))
		}
		docs = left
		checkAnswers(t, ix, c, docs)
		if r, err := ix.Remove(gone, new(Set), ignored, never); err != nil || r != (Removed{}) {
			t.Errorf("removing them again changed %+v, %v", r, err)
		}
		ix.settle()
		last := ix.Last()
		if err := ix.Close(); err != nil {
			t.Fatal(err)
		}
		ix = openIndex(t, dir, tinyOptions())
		if ix.Last() != last {
			t.Errorf("last is %d, was %d", ix.Last(), last)
		}
		checkAnswers(t, ix, c, docs)
	}
	_, gone := dropped(docs, func(document) bool { return true })
	if _, err := ix.Remove(gone, new(Set), ignored, never); err != nil {
		t.Fatal(err)
	}
	checkAnswers(t, ix, c, nil)
	next := c.document()
	addAll(t, ix, []document{next})
	checkAnswers(t, ix, c, []document{next})
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRemoveTexts(t *testing.T) {
	t.Parallel()
	ix, c, docs := builtIndex(t, 93, 400)
	blank := new(Set)
	for i, d := range docs {
		if d.id%3 == 0 {
			blank.Add(d.id)
			docs[i] = newDocument(d.id, make([]string, len(d.fields))...)
		}
	}
	for range 2 {
		if _, err := ix.Remove(new(Set), blank, ignored, never); err != nil {
			t.Fatal(err)
		}
		checkAnswers(t, ix, c, docs)
		checkContains(t, ix, docs, "")
	}
	if r, err := ix.Remove(new(Set), blank, ignored, never); err != nil || r != (Removed{}) {
		t.Errorf("removing them again changed %+v, %v", r, err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestRemovedWordsAreGoneFromTheFiles(t *testing.T) {
	t.Parallel()
	ix := openIndex(t, t.TempDir(), tinyOptions())
	addAll(t, ix, []document{newDocument(1, "alpha"), newDocument(2, "confidential"), newDocument(3, "beta")})
	gone := new(Set)
	gone.Add(2)
	if _, err := ix.Remove(gone, new(Set), ignored, never); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range filesOf(t, ix.dir) {
		if data, err := os.ReadFile(filepath.Join(ix.dir, name)); err != nil || bytes.Contains(data, []byte("fidential")) {
			t.Errorf("%s has the word: %v", name, err)
		}
	}
}

// TestInterruptedRemoval brings back files that a process lost before it removed
// them, in all combinations.
func TestInterruptedRemoval(t *testing.T) {
	t.Parallel()
	files, _, c, docs := savedIndex(t, 92, 300)
	dir := restore(t, files)
	ix := openIndex(t, dir, tinyOptions())
	ix.settle()
	before := filesOf(t, dir)
	contents := map[string][]byte{}
	for _, name := range before {
		contents[name], _ = os.ReadFile(filepath.Join(dir, name))
	}
	left, gone := dropped(docs, func(d document) bool { return d.id%7 == 0 })
	if _, err := ix.Remove(gone, new(Set), ignored, never); err != nil {
		t.Fatal(err)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range before {
		if err := os.WriteFile(filepath.Join(dir, name), contents[name], 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ix = openIndex(t, dir, tinyOptions())
	checkAnswers(t, ix, c, left)
	if names := filesOf(t, dir); slices.ContainsFunc(before, func(name string) bool { return slices.Contains(names, name) }) {
		t.Errorf("old files are left: %v", names)
	}
	if err := ix.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Remove(gone, new(Set), ignored, never); err == nil {
		t.Error("documents were removed from a closed index")
	}
}
