package table

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// interrupted is a table whose file is as a checkpoint has left it.
type interrupted struct {
	*Table
	dir    string
	blocks []int64 // of metadata
	size   int64   // of a block
}

// interruptCheckpoint returns a table that was at block 1 of the journal after a
// checkpoint, and was closed during the next one.
func interruptCheckpoint(t *testing.T) *interrupted {
	t.Helper()
	dir := t.TempDir()
	table := &interrupted{Table: New(dir, Options{MemoryMB: 128, Threads: 1, Logger: slog.New(slog.DiscardHandler)}), dir: dir}
	check.Must(table.Restore(t.Context(), nil))(t)
	check.OK(t, table.exec(t.Context(), "UPDATE applied SET block = 1"))
	check.Must(table.Save(t.Context(), false))(t)
	if _, err := os.Stat(table.file.path + undoSuffix); !os.IsNotExist(err) {
		t.Errorf("a checkpoint leaves its undo file: %v", err)
	}
	check.OK(t, table.exec(t.Context(), "UPDATE applied SET block = 2"))
	check.OK(t, table.file.keepUndo(t.Context(), table.db))
	var err error
	if table.blocks, table.size, err = table.file.metadataBlocks(t.Context(), table.db); err != nil || len(table.blocks) == 0 {
		t.Fatalf("blocks of metadata: %v, %v", table.blocks, err)
	}
	return table
}

// tear overwrites a part of each block of metadata.
func (i *interrupted) tear(t *testing.T) {
	t.Helper()
	file := check.Must(os.OpenFile(i.file.path, os.O_RDWR, 0))(t)
	for _, block := range i.blocks {
		check.Must(file.WriteAt(bytes.Repeat([]byte{0xAA}, 5000), headers+block*i.size))(t)
	}
	check.OK(t, file.Close())
}

// restored restores the table and returns the block of the journal that it is at, and
// how many files were set aside.
func (i *interrupted) restored(t *testing.T) (block, aside int) {
	t.Helper()
	check.Must(i.Restore(t.Context(), nil))(t)
	if err := i.db.QueryRowContext(t.Context(), "SELECT coalesce(max(block), 0) FROM applied").Scan(&block); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(i.file.path + undoSuffix); !os.IsNotExist(err) {
		t.Errorf("the undo file is still there: %v", err)
	}
	check.OK(t, i.Close())
	return block, len(check.Must(filepath.Glob(filepath.Join(i.dir, "*.damaged-*")))(t))
}

func TestInterruptedCheckpointIsUndone(t *testing.T) {
	t.Parallel()
	table := interruptCheckpoint(t)
	check.OK(t, table.shut())
	table.tear(t)
	if _, err := Inspect(t.Context(), table.dir, table.opts); !Unreadable(t.Context(), err) || !Interrupted(table.dir) {
		t.Errorf("inspected: %v, interrupted: %v", err, Interrupted(table.dir))
	}
	if block, aside := table.restored(t); block != 1 || aside != 0 {
		t.Errorf("the table is at block %d, %d files were set aside", block, aside)
	}
}

// TestCompletedCheckpointIsKept ends the process after the checkpoint and before the
// undo file is removed.
func TestCompletedCheckpointIsKept(t *testing.T) {
	t.Parallel()
	table := interruptCheckpoint(t)
	check.OK(t, table.checkpointNow(t.Context()))
	check.OK(t, table.shut())
	if block, aside := table.restored(t); block != 2 || aside != 0 {
		t.Errorf("the table is at block %d, %d files were set aside", block, aside)
	}
}

// TestIncompleteUndoFileIsIgnored ends the process while it writes the undo file, so
// that the checkpoint does not begin.
func TestIncompleteUndoFileIsIgnored(t *testing.T) {
	t.Parallel()
	for _, left := range []int64{0, 7, headers, headers + 100_000} {
		table := interruptCheckpoint(t)
		check.OK(t, table.shut())
		check.OK(t, os.Truncate(table.file.path+undoSuffix, left))
		if block, aside := table.restored(t); block != 1 || aside != 0 {
			t.Errorf("%d bytes: the table is at block %d, %d files were set aside", left, block, aside)
		}
	}
}

// TestUndoWithoutTable removes the table, to have it rebuilt, but not the undo file.
func TestUndoWithoutTable(t *testing.T) {
	t.Parallel()
	table := interruptCheckpoint(t)
	check.OK(t, table.shut())
	check.OK(t, os.Remove(table.file.path))
	if block, aside := table.restored(t); block != 0 || aside != 0 {
		t.Errorf("the table is at block %d, %d files were set aside", block, aside)
	}
}

// TestCheckpointOverwritesOnlyMetadata undoes checkpoints that wrote everything but
// their headers. It fails if a version of DuckDB overwrites more than is copied.
func TestCheckpointOverwritesOnlyMetadata(t *testing.T) {
	t.Parallel()
	table := interruptCheckpoint(t)
	check.Must(table.Save(t.Context(), false))(t)
	for round := range 15 {
		before, stored := check.Must(os.ReadFile(table.file.path))(t), table.stored(t)
		if round%3 == 2 { // which frees blocks
			check.OK(t, table.exec(t.Context(), "DELETE FROM block WHERE first_id % 3 = 0"))
		}
		check.OK(t, table.exec(t.Context(), "INSERT INTO block SELECT range * ?, hash(range) % 1000000000 FROM range(50000)", round))
		check.OK(t, table.exec(t.Context(), "UPDATE applied SET block = block + 1"))
		check.OK(t, table.file.keepUndo(t.Context(), table.db))
		undo := check.Must(os.ReadFile(table.file.path + undoSuffix))(t)
		check.OK(t, table.checkpointNow(t.Context()))
		after := check.Must(os.ReadFile(table.file.path))(t)

		dir := t.TempDir()
		undone := New(dir, table.opts)
		file := slices.Concat(before[:headers], after[headers:])
		if len(file) < len(before) { // the end is cut off after the header was written
			file = append(file, before[len(file):]...)
		}
		check.OK(t, os.WriteFile(undone.file.path, file, 0o600))
		check.OK(t, os.WriteFile(undone.file.path+undoSuffix, undo, 0o600))
		check.Must(undone.Restore(t.Context(), nil))(t)
		if found := undone.stored(t); found != stored {
			t.Errorf("checkpoint %d: %s after it was undone, %s before", round, found, stored)
		}
		check.OK(t, undone.Close())
	}
	check.OK(t, table.Close())
}

// stored describes what is in the table.
func (t *Table) stored(test *testing.T) (text string) {
	test.Helper()
	query := "SELECT concat_ws(' ', (SELECT block FROM applied), count(*), sum(first_id), sum(position)) FROM block"
	if err := t.db.QueryRowContext(test.Context(), query).Scan(&text); err != nil {
		test.Error(err)
	}
	return text
}
