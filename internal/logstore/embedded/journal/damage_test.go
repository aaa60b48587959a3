package journal

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/check"
)

// written is a closed journal and what was written to it.
type written struct {
	dir   string
	opts  Options
	files map[string][]byte
	// blocks are the records of each block, and paths and ends where they are.
	blocks []writtenBlock
}

type writtenBlock struct {
	path     string
	from, to int64
	records  []string
}

// writeJournal writes small blocks to several segments.
func writeJournal(t *testing.T) *written {
	t.Helper()
	w := &written{dir: t.TempDir(), opts: Options{SegmentBytes: 200}, files: map[string][]byte{}}
	j := open(t, w.dir, w.opts)
	for i := range 9 {
		records := numbered(3*i, 3*i+3)
		at := appendAll(t, j, records...)[0]
		path := j.path(at.segment())
		w.blocks = append(w.blocks, writtenBlock{path, at.offset(), j.End().offset(), records})
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		w.files[path] = data
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if len(w.files) < 3 {
		t.Fatalf("only %d segments", len(w.files))
	}
	return w
}

// check changes a file and expects every block but those in the changed part.
func (w *written) check(t *testing.T, path string, from, to int64, change func(data []byte)) {
	t.Helper()
	data := bytes.Clone(w.files[path])
	change(data[from:to])
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	var intact, all []string
	for _, b := range w.blocks {
		all = append(all, b.records...)
		if b.path != path || bytes.Equal(data[b.from:b.to], w.files[path][b.from:b.to]) {
			intact = append(intact, b.records...)
		}
	}
	for _, life := range []string{"first", "second"} {
		reported := 0
		opts := w.opts
		opts.OnDamage = func(Damage) { reported++ }
		j := open(t, w.dir, opts)
		got := scan(t, j, 0)
		if life == "second" {
			intact, all = append(intact, "after"), append(all, "after")
		}
		switch {
		case slices.Equal(got, all): // corrected, or what was changed did not matter
		case !slices.Equal(got, intact):
			t.Fatalf("%s life, bytes %d to %d of %s (-want +got):\n%s", life, from, to, filepath.Base(path), cmp.Diff(intact, got))
		case reported == 0 && j.Tail() == 0 && life == "first":
			t.Fatalf("bytes %d to %d of %s: not reported", from, to, filepath.Base(path))
		}
		if life == "first" {
			appendAll(t, j, "after")
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	w.restore(t)
}

// restore removes every file and writes the original ones.
func (w *written) restore(t *testing.T) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(w.dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	for path, data := range w.files {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFlippedBits flips a bit in every byte, and inverts every byte.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	w := writeJournal(t)
	random := rand.New(rand.NewPCG(1, 2))
	for path, data := range w.files {
		for at := range int64(len(data)) {
			bit := byte(1) << random.IntN(8)
			w.check(t, path, at, at+1, func(b []byte) { b[0] ^= bit })
			w.check(t, path, at, at+1, func(b []byte) { b[0] ^= 0xff })
		}
	}
}

// TestLostSectors overwrites runs of bytes with zeros and with noise.
func TestLostSectors(t *testing.T) {
	t.Parallel()
	w := writeJournal(t)
	random := rand.New(rand.NewPCG(3, 4))
	for path, data := range w.files {
		for range 60 {
			from := random.Int64N(int64(len(data)))
			to := min(from+1+random.Int64N(200), int64(len(data)))
			w.check(t, path, from, to, func(b []byte) { clear(b) })
			w.check(t, path, from, to, func(b []byte) {
				for i := range b {
					b[i] = byte(random.Uint32())
				}
			})
		}
	}
}

// TestMissingSegment expects the blocks of the other segments.
func TestMissingSegment(t *testing.T) {
	t.Parallel()
	w := writeJournal(t)
	for path := range w.files {
		if path == w.blocks[len(w.blocks)-1].path {
			continue // nothing shows that there was a further segment
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		var want []string
		for _, b := range w.blocks {
			if b.path != path {
				want = append(want, b.records...)
			}
		}
		j := open(t, w.dir, w.opts)
		if diff := cmp.Diff(want, scan(t, j, 0)); diff != "" {
			t.Error(diff)
		}
		if found := j.Damage(); len(found) != 1 || found[0].Path != path {
			t.Errorf("damage %+v", found)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		w.restore(t)
	}
}

// TestEmbeddedFrames writes texts that contain complete frames and loses the
// headers around them: none of the embedded records may appear.
func TestEmbeddedFrames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, dir, Options{})
	random := rand.New(rand.NewPCG(5, 6))
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		return b
	}
	forged, err := appendFrame(nil, []byte("\x06forged"))
	check.Must(t, err)
	for n := range 40 {
		evil := noise(n * 50)
		for range n % 4 {
			evil = append(append(evil, forged...), noise(n)...)
		}
		if _, err := j.Append([][]byte{append(evil, forged...)}); err != nil {
			t.Fatal(err)
		}
	}
	appendAll(t, j, "last")
	path := j.path(0)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got := bytes.Count(data, magicBytes); got != 41 {
		t.Errorf("the magic occurs %d times in 41 frames", got)
	}
	for at := range len(data) - headerBytes {
		if bytes.HasPrefix(data[at:], magicBytes) && at < len(data)-100 {
			clear(data[at : at+headerBytes])
		}
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"last"}, scan(t, open(t, dir, Options{}), 0)); diff != "" {
		t.Error(diff)
	}
}

// TestOpenChangesNothing expects an interrupted write to stay where it is until
// the next one, and each to be kept in a file of its own.
func TestOpenChangesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, dir, Options{})
	appendAll(t, j, "first")
	path, end := j.path(0), j.End().offset()
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	for n, torn := range []string{"one torn write", "another one"} {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		data = append(data[:end], torn...)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		j := open(t, dir, Options{})
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, data) || j.Tail() != int64(len(torn)) {
			t.Fatalf("opening changed the file: %q, tail %d, %v", got, j.Tail(), err)
		}
		appendAll(t, j, "next")
		aside, err := filepath.Glob(path + ".interrupted-at-*")
		if err != nil || len(aside) != n+1 {
			t.Fatalf("side files %q, %v", aside, err)
		}
		if got, err := os.ReadFile(aside[n]); err != nil || string(got) != torn {
			t.Errorf("side file holds %q, %v", got, err)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestKeepTail treats the end of the journal as damage, and appends after it.
func TestKeepTail(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, dir, Options{})
	appendAll(t, j, "first")
	appendAll(t, j, "acknowledged")
	path := j.path(0)
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-1] ^= 0xff
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	j = open(t, dir, Options{})
	j.KeepTail()
	appendAll(t, j, "next")
	for range 2 {
		if diff := cmp.Diff([]string{"first", "next"}, scan(t, j, 0)); diff != "" || len(j.Damage()) != 1 {
			t.Errorf("damage %+v\n%s", j.Damage(), diff)
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		j = open(t, dir, Options{})
	}
	if aside, err := filepath.Glob(path + ".*"); err != nil || len(aside) != 0 {
		t.Errorf("set aside %q, %v", aside, err)
	}
}

// TestAppendToDeletedFile expects no acknowledgement of what nobody can read.
func TestAppendToDeletedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := open(t, dir, Options{})
	appendAll(t, j, "first")
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := j.Append([][]byte{[]byte("lost")}); !errors.Is(err, ErrDeleted) {
			t.Errorf("append to a deleted file: %v", err)
		}
	}
}
