package table

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/duckdb/duckdb-go/v2"
	"golang.org/x/sys/unix"
)

// TestTooManyOpenFiles is not parallel: it lowers a limit of the process.
func TestTooManyOpenFiles(t *testing.T) { // changes the process
	dir := t.TempDir()
	table := New(dir, Options{MemoryMB: 128, Threads: 1, Logger: slog.New(slog.DiscardHandler)})
	if _, err := table.Restore(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if _, err := table.Save(t.Context(), false); err != nil {
		t.Fatal(err)
	}
	var usual unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &usual); err != nil {
		t.Fatal(err)
	}
	low := usual
	low.Cur = 3
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &low); err != nil {
		t.Fatal(err)
	}
	_, failure := table.Restore(context.Background(), errors.New("a checkpoint failed"))
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &usual); err != nil {
		t.Fatal(err)
	}
	if failure == nil {
		t.Fatal("opened without a file descriptor: the test proves nothing")
	}
	if _, err := table.Restore(t.Context(), failure); err != nil {
		t.Errorf("open again: %v", err)
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
	aside, err := filepath.Glob(filepath.Join(dir, "*.damaged-*"))
	if err != nil || len(aside) > 0 {
		t.Errorf("a sound table was set aside: %q, %v (%v)", aside, err, failure)
	}
}

func TestSystemErrorsAreNotDamage(t *testing.T) {
	t.Parallel()
	for _, code := range []unix.Errno{unix.EMFILE, unix.ENOMEM, unix.EACCES, unix.ENOSPC} {
		// DuckDB repeats the original error in a fatal one.
		for _, text := range []string{"IO Error: Cannot open file \"logs.duckdb\": ", "FATAL Error: Failed: database has been invalidated: checksum: "} {
			message := []rune(code.Error())
			message[0] -= 'a' - 'A'
			err := fmt.Errorf("checkpoint: %w", &duckdb.Error{Type: duckdb.ErrorTypeIO, Msg: text + string(message)})
			if Damaged(err) || Unreadable(t.Context(), err) {
				t.Errorf("%v is taken for damage", err)
			}
		}
	}
	damage := &duckdb.Error{Type: duckdb.ErrorTypeIO, Msg: "IO Error: Corrupt database file: computed checksum 1 does not match stored checksum 2 in block 3"}
	if !Damaged(damage) || !Unreadable(t.Context(), damage) {
		t.Error("a wrong checksum is not taken for damage")
	}
}

// TestSetAsideOverwritesNothing damages the table twice within a millisecond.
func TestSetAsideOverwritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	table := New(dir, Options{MemoryMB: 128, Threads: 1, Logger: slog.New(slog.DiscardHandler)})
	for range 20 {
		if err := os.WriteFile(table.file.path, []byte("not a table"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := table.file.setAside(); err != nil {
			t.Fatal(err)
		}
	}
	if aside, err := filepath.Glob(filepath.Join(dir, "*.damaged-*")); err != nil || len(aside) != 20 {
		t.Errorf("%d files are set aside, %v", len(aside), err)
	}
}

// TestInterruptedCreation opens files that the engine had begun to create.
func TestInterruptedCreation(t *testing.T) {
	t.Parallel()
	for _, size := range []int64{0, 4096, 8192, headers - 1} {
		dir := t.TempDir()
		table := New(dir, Options{MemoryMB: 128, Threads: 1, Logger: slog.New(slog.DiscardHandler)})
		restore := func() {
			t.Helper()
			if _, err := table.Restore(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if err := table.Close(); err != nil {
				t.Fatal(err)
			}
		}
		restore()
		if err := os.Truncate(table.file.path, size); err != nil {
			t.Fatal(err)
		}
		restore()
		if aside, err := filepath.Glob(filepath.Join(dir, "*.damaged-*")); err != nil || len(aside) != 0 {
			t.Errorf("a file of %d bytes was set aside: %v, %v", size, aside, err)
		}
	}
}
