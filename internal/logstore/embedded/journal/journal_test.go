package journal

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func open(t *testing.T, dir string, opts Options) *Journal {
	t.Helper()
	j, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = j.Close() })
	return j
}

func appendAll(t *testing.T, j *Journal, records ...string) []Position {
	t.Helper()
	raw := make([][]byte, len(records))
	for i, r := range records {
		raw[i] = []byte(r)
	}
	positions, err := j.Append(raw)
	if err != nil {
		t.Fatal(err)
	}
	return positions
}

func scan(t *testing.T, j *Journal, from Position) []string {
	t.Helper()
	var all []string
	for block, err := range j.Scan(from) {
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range block.Records {
			all = append(all, string(r))
		}
	}
	return all
}

func numbered(from, to int) []string {
	var out []string
	for i := from; i < to; i++ {
		out = append(out, fmt.Sprintf("record %d %s", i, bytes.Repeat([]byte("x"), i%97)))
	}
	return out
}

func TestRecordsSurviveReopening(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	opts := Options{SegmentBytes: 2000, BlockBytes: 300}
	want := numbered(0, 500)
	j := open(t, dir, opts)
	var positions []Position
	for i := 0; i < len(want); i += 7 {
		positions = append(positions, appendAll(t, j, want[i:min(i+7, len(want))]...)...)
	}
	for round := range 2 {
		if diff := cmp.Diff(want, scan(t, j, 0)); diff != "" {
			t.Fatalf("round %d: %s", round, diff)
		}
		if len(j.segments) < 3 {
			t.Fatalf("only %d segments: the test does not cross any", len(j.segments))
		}
		if got := scan(t, j, positions[300]); got[len(got)-1] != want[499] {
			t.Errorf("a scan from the middle ends with %q", got[len(got)-1])
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
		j = open(t, dir, opts)
	}
	appendAll(t, j, "one more")
	if got := scan(t, j, 0); got[500] != "one more" {
		t.Errorf("after reopening the last record is %q", got[500])
	}
}

func TestReadFindsEachRecordInItsBlock(t *testing.T) {
	t.Parallel()
	j := open(t, t.TempDir(), Options{BlockBytes: 200})
	want := numbered(0, 60)
	for i, at := range appendAll(t, j, want...) {
		block, err := j.Read(at)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, r := range block.Records {
			found = found || string(r) == want[i]
		}
		if !found {
			t.Errorf("record %d is not in the block at %d", i, at)
		}
	}
}

// TestInterruptedWrites cuts the file at random places: every block that was
// complete before the cut is kept, nothing else, and writing continues.
func TestInterruptedWrites(t *testing.T) {
	t.Parallel()
	source := t.TempDir()
	j := open(t, source, Options{})
	want := numbered(0, 40)
	ends := []Position{0}
	for _, r := range want {
		appendAll(t, j, r)
		ends = append(ends, j.End())
	}
	data, err := os.ReadFile(j.path(0))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		cut := random.IntN(len(data) + 1)
		whole := 0
		for whole+1 < len(ends) && int(ends[whole+1].offset()) <= cut {
			whole++
		}
		dir := t.TempDir()
		damaged := append([]byte(nil), data[:cut]...)
		if random.IntN(2) == 0 { // some file systems leave zeros behind
			damaged = append(damaged, make([]byte, random.IntN(100))...)
		}
		if err := os.WriteFile(filepath.Join(dir, "00000000.journal"), damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		again := open(t, dir, Options{})
		appendAll(t, again, "after")
		if diff := cmp.Diff(append(append([]string(nil), want[:whole]...), "after"), scan(t, again, 0)); diff != "" {
			t.Fatalf("cut at %d: %s", cut, diff)
		}
		_ = again.Close()
	}
}

func TestFailedWriteLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	j := open(t, t.TempDir(), Options{})
	appendAll(t, j, "first")
	file := j.segments[0].file
	readOnly, err := os.Open(j.path(0))
	if err != nil {
		t.Fatal(err)
	}
	j.active.file = readOnly
	if _, err := j.Append([][]byte{[]byte("lost")}); err == nil {
		t.Fatal("writing to a read-only file succeeded")
	}
	j.active.file = file
	_ = readOnly.Close()
	if _, err := file.WriteAt([]byte("half a block"), j.end.offset()); err != nil {
		t.Fatal(err)
	}
	appendAll(t, j, "second")
	if diff := cmp.Diff([]string{"first", "second"}, scan(t, j, 0)); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkAppend(b *testing.B) {
	j, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = j.Close() }()
	random := rand.New(rand.NewPCG(1, 2))
	batch := make([][]byte, 32)
	for i := range batch {
		for len(batch[i]) < 2600 {
			batch[i] = append(batch[i], fmt.Sprintf("word%d ", int(random.ExpFloat64()*200))...)
		}
	}
	for b.Loop() {
		if _, err := j.Append(batch); err != nil {
			b.Fatal(err)
		}
	}
}
