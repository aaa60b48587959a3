package table

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// TestReadsFindDamage reads a column whose block in the file was altered while the table
// was closed.
func TestReadsFindDamage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	table := New(dir, Options{MemoryMB: 128, Threads: 2, Logger: slog.New(slog.DiscardHandler)})
	check.Must(table.Restore(t.Context(), nil))(t)
	check.OK(t, table.Apply(t.Context(), &Batch{Rows: tagged(5000)}))
	check.Must(table.Save(t.Context(), false))(t)
	block := table.blockOf(t, "tags")
	check.OK(t, table.Close())
	alter(t, filepath.Join(dir, FileName), headers+block*262_144+100_000)
	check.Must(table.Restore(t.Context(), nil))(t)
	t.Cleanup(func() { check.OK(t, table.Close()) })

	err := table.readColumn(t.Context(), "tags")
	if !Damaged(err) || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("the damage is not recognised: %v", err)
	}
	check.OK(t, table.readColumn(t.Context(), "id"))
}

// tagged returns logs with a long tag each.
func tagged(count int) []*reqlog.Log {
	r := rand.New(rand.NewPCG(1, 2))
	logs := make([]*reqlog.Log, count)
	for i := range logs {
		tag := make([]byte, 200)
		for j := range tag {
			tag[j] = byte('a' + r.IntN(26))
		}
		logs[i] = &reqlog.Log{ID: int64(i + 1), Workspace: 1, Tags: []string{string(tag)}}
	}
	return logs
}

// blockOf returns a block of the file with texts of a column.
func (t *Table) blockOf(test *testing.T, column string) (block int64) {
	test.Helper()
	const query = "SELECT block_id FROM pragma_storage_info('log') WHERE column_name = ? AND segment_type = 'VARCHAR' AND block_id > 0 ORDER BY count DESC LIMIT 1"
	check.OK(test, t.read(test.Context(), func(db *sql.DB) error {
		return db.QueryRowContext(test.Context(), query, column).Scan(&block)
	}))
	return block
}

// alter changes bytes of a file.
func alter(t *testing.T, path string, at int64) {
	t.Helper()
	file := check.Must(os.OpenFile(path, os.O_RDWR, 0))(t)
	check.Must(file.WriteAt([]byte(strings.Repeat("damage", 10)), at))(t)
	check.OK(t, file.Close())
}

func (t *Table) readColumn(ctx context.Context, column string) error {
	return t.read(ctx, func(db *sql.DB) error {
		return withConn(ctx, db, func(conn driver.Conn) error {
			return chunk.Read(ctx, conn, "SELECT "+column+" FROM log", nil, func(*chunk.Chunk) error { return nil })
		})
	})
}
