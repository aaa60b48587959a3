package table

import (
	"log/slog"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
)

// TestCheckpointWaitsForTransactions writes the table to its file while a transaction
// is not yet over.
func TestCheckpointWaitsForTransactions(t *testing.T) {
	t.Parallel()
	table := New(t.TempDir(), Options{MemoryMB: 128, Threads: 1, Logger: slog.New(slog.DiscardHandler)})
	check.Must(table.Restore(t.Context(), nil))(t)
	for name, save := range map[string]func() error{
		"save":  func() error { _, err := table.Save(t.Context(), false); return err },
		"close": table.Close,
	} {
		other := check.Must(table.db.BeginTx(t.Context(), nil))(t)
		check.Must(other.Exec("UPDATE applied SET block = 1"))(t)
		ended := time.AfterFunc(50*time.Millisecond, func() { _ = other.Commit() })
		if err := save(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if ended.Stop() {
			t.Errorf("%s did not wait", name)
		}
		if table.db == nil {
			check.Must(table.Restore(t.Context(), nil))(t)
		}
	}
	check.OK(t, table.Close())
}

// TestCheckpointIsPostponed lets a transaction go on for longer than a checkpoint waits.
// One that may be postponed is made later.
func TestCheckpointIsPostponed(t *testing.T) {
	t.Parallel()
	table := New(t.TempDir(), Options{MemoryMB: 128, Threads: 1, Logger: slog.New(slog.DiscardHandler)})
	check.Must(table.Restore(t.Context(), nil))(t)
	other := check.Must(table.db.BeginTx(t.Context(), nil))(t)
	check.Must(other.Exec("UPDATE applied SET block = 1"))(t)
	check.Equal(t, "done", check.Must(table.Save(t.Context(), true))(t), false)
	if _, err := table.Save(t.Context(), false); !busy(err) {
		t.Errorf("a checkpoint that must not be postponed: %v", err)
	}
	check.OK(t, other.Commit())
	check.Equal(t, "done afterwards", check.Must(table.Save(t.Context(), true))(t), true)
	check.OK(t, table.Close())
}
