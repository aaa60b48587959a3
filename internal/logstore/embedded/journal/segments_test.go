package journal_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// TestCheckSegment finds the last whole block of a file that is being written to,
// and damage before it.
func TestCheckSegment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	j := check.Must(journal.Open(dir, journal.Options{BlockBytes: 1}))(t)
	at := check.Must(j.Append([][]byte{[]byte("first record"), []byte("second record"), []byte("third record")}))(t)
	end := int64(j.End())
	check.OK(t, j.Close())
	path := filepath.Join(dir, "00000000.journal")
	whole := check.Must(os.ReadFile(path))(t)

	for size := int64(0); size <= end; size++ {
		want := int64(0)
		for _, p := range append(at, journal.Position(end)) {
			if int64(p) <= size {
				want = int64(p)
			}
		}
		got, spoilt, err := journal.CheckSegment(openSegment(t, dir), 0, size, nil)
		check.OK(t, err)
		check.Equal(t, "last whole block", got, want)
		check.Equal(t, "damage", len(spoilt), 0)
	}

	whole[int64(at[1])+20] ^= 1
	check.OK(t, os.WriteFile(path, whole, 0o600))
	got, spoilt, err := journal.CheckSegment(openSegment(t, dir), 0, end, nil)
	check.OK(t, err)
	check.Equal(t, "end behind the damage", got, end)
	check.Equal(t, "damage", spoilt, []journal.Spoilt{{Offset: int64(at[1]), Bytes: int64(at[2] - at[1])}})
}

func openSegment(t *testing.T, dir string) journal.SegmentFile {
	t.Helper()
	files := check.Must(journal.OpenSegments(dir))(t)
	t.Cleanup(func() { journal.CloseSegments(files) })
	check.Equal(t, "files", len(files), 1)
	return files[0]
}
