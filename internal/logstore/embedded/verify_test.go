package embedded

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
)

func verify(t *testing.T, dir string) *Report {
	t.Helper()
	before := contents(t, dir)
	report, err := Verify(t.Context(), dir, Options{MemoryMB: 256, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	if after := contents(t, dir); !bytes.Equal(before, after) {
		t.Error("verifying changed the folder")
	}
	return report
}

// contents returns the names and contents of all files.
func contents(t *testing.T, dir string) []byte {
	t.Helper()
	var all []byte
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		all = append(append(all, path...), data...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func repair(t *testing.T, dir string) *Report {
	t.Helper()
	report, err := Repair(t.Context(), dir, Options{MemoryMB: 256, Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func TestVerifySoundFolder(t *testing.T) {
	t.Parallel()
	closed, crashed, _ := snapshots(t)
	for _, dir := range []string{closed.dir, crashed.dir} {
		if report := verify(t, dir); !report.Sound() || report.Logs == 0 || report.Blocks == 0 {
			t.Errorf("%s: %+v", dir, report)
		}
	}
	if report := verify(t, t.TempDir()); !report.Sound() {
		t.Errorf("an empty folder: %+v", report)
	}
}

// TestVerifyIgnoresForeignUndoFile verifies a damaged table beside an undo file that
// does not help.
func TestVerifyIgnoresForeignUndoFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeBlocks(t, dir)
	rewrite(t, tablePath(dir), flip(0))
	if err := os.WriteFile(tablePath(dir)+".undo", make([]byte, 20_000), 0o600); err != nil {
		t.Fatal(err)
	}
	if report := verify(t, dir); report.Sound() {
		t.Errorf("a damaged table: %+v", report)
	}
}

// TestRepairDerivedData damages what is derived from the journal.
func TestRepairDerivedData(t *testing.T) {
	t.Parallel()
	whole, other := t.TempDir(), t.TempDir()
	logs := writeBlocks(t, whole)
	s := openAt(t, other)
	for pair := range slices.Chunk(logstoretest.Corpus()[:12], 2) {
		for _, l := range pair {
			l.Workspace, l.Tags = logstoretest.Home, []string{"other"}
		}
		if err := s.Write(t.Context(), reqlog.Batch{Logs: pair}); err != nil {
			t.Fatal(err)
		}
	}
	closeStore(t, s)
	for name, damage := range map[string]func(t *testing.T, dir string){
		"table": func(t *testing.T, dir string) { rewrite(t, tablePath(dir), flip(0)) },
		"rows": func(t *testing.T, dir string) {
			// Every byte of it is intact, but it is not the table of this journal.
			rewrite(t, tablePath(dir), func([]byte) []byte { return read(t, tablePath(other)) })
		},
		"text": func(t *testing.T, dir string) { rewrite(t, only(t, filepath.Join(textPath(dir), "*.seg")), flip(0.4)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := clone(t, whole)
			damage(t, dir)
			if report := verify(t, dir); len(report.Derived) == 0 || len(report.Damage) > 0 {
				t.Fatalf("found %+v", report)
			}
			repair(t, dir)
			if report := verify(t, dir); !report.Sound() {
				t.Errorf("after the repair: %+v", report)
			}
			s := openAt(t, dir)
			defer closeStore(t, s)
			if ids, damaged := readable(t, s, logs); len(ids) != len(logs) || len(damaged) > 0 {
				t.Errorf("%v are readable, %v damaged", ids, damaged)
			}
		})
	}
}

// TestRepairJournal loses a block, and the end of the journal.
func TestRepairJournal(t *testing.T) {
	t.Parallel()
	whole := t.TempDir()
	logs := writeBlocks(t, whole)
	s := openAt(t, whole)
	hit, ok := s.index.block(logs[4].ID)
	last, alsoOK := s.index.block(logs[11].ID)
	closeStore(t, s)
	if !ok || !alsoOK {
		t.Fatal("no blocks")
	}
	for name, test := range map[string]struct {
		change  func(data []byte) []byte
		lost    []*reqlog.Log
		damages int
	}{
		"block": {func(data []byte) []byte { data[int64(hit)+40] ^= 0xff; return data }, logs[4:6], 1},
		"tail":  {func(data []byte) []byte { data[len(data)-1] ^= 0xff; return data }, logs[10:], 1},
		"end":   {func(data []byte) []byte { return data[:int64(last)] }, logs[10:], 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := clone(t, whole)
			rewrite(t, journalPath(t, dir), test.change)
			report := verify(t, dir)
			if len(report.Damage) != test.damages || len(report.Lost) != 2 || report.Lost[0].ID != test.lost[0].ID || report.Lost[1].ID != test.lost[1].ID ||
				report.Lost[0].Start != int64(test.lost[0].Start) || report.Lost[0].Workspace != logstoretest.Home {
				t.Fatalf("found %+v", report)
			}
			if repaired := repair(t, dir); len(repaired.Lost) != 2 || len(repaired.Aside) != 2+test.damages {
				t.Errorf("repaired %+v", repaired)
			}
			if again := verify(t, dir); !again.Sound() {
				t.Errorf("after the repair: %+v", again)
			}
			s := openAt(t, dir)
			defer closeStore(t, s)
			if ids, damaged := readable(t, s, logs); len(ids) != len(logs)-2 || len(damaged) > 0 || s.Stats().DamagedBlocks > 0 {
				t.Errorf("%v are readable, %v damaged", ids, damaged)
			}
			writable(t, s)
		})
	}
}
