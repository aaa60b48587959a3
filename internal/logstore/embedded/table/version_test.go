package table

import (
	"log/slog"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestOtherVersion expects a table to be emptied if its schema or the rules
// behind its values are not those of this program.
func TestOtherVersion(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		statement string
		kept      int64
	}{
		"the same version":              {"SELECT 1", 7},
		"another schema":                {"UPDATE schema_version SET version = version - (1 << 16)", 0},
		"other rules":                   {"UPDATE schema_version SET version = version - 1", 0},
		"a schema before rules counted": {"UPDATE schema_version SET version = version >> 16", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			table := New(t.TempDir(), Options{MemoryMB: 128, Threads: 1, Logger: slog.New(slog.DiscardHandler)})
			if _, err := table.Restore(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			if err := table.Apply(t.Context(), &Batch{Rows: []*reqlog.Log{{ID: 7, Workspace: 1}}, Next: journal.Place{Block: 9}}); err != nil {
				t.Fatal(err)
			}
			if err := table.exec(t.Context(), change.statement); err != nil {
				t.Fatal(err)
			}
			if err := table.Close(); err != nil {
				t.Fatal(err)
			}
			state, err := table.Restore(t.Context(), nil)
			if err != nil || state.LastID != change.kept || (state.Next.Block == 9) != (change.kept > 0) {
				t.Errorf("state %+v, %v; want last log %d", state, err, change.kept)
			}
			if err := table.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
