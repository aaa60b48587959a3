package engine

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/catalog/table"
)

// Revision returns the revision of a workspace as entity.Store promises.
func (db *DB) Revision(ctx context.Context, workspaceID int64) (int64, error) {
	if db.current(ctx) != nil {
		return -db.uncached.Add(1), nil
	}
	revision, err := db.revisions.get(ctx, db, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("get revision: %w", err)
	}
	return revision, nil
}

// revisions counts the changes to each workspace.
type revisions interface {
	get(ctx context.Context, db *DB, workspaceID int64) (int64, error)
	// beforeCommit runs at the end of the transaction.
	beforeCommit(ctx context.Context, db *DB, workspaces []int64) error
	// afterCommit runs after the attempt to commit, before InTx returns.
	afterCommit(workspaces []int64)
}

// Change is Transact for a function that changes entities of the workspace, or
// anything attached to them, and so its revision.
func Change[T any](ctx context.Context, db *DB, workspaceID int64, fn func(ctx context.Context) (T, error)) (T, error) {
	return Transact(ctx, db, func(ctx context.Context) (T, error) {
		db.current(ctx).changes(workspaceID)
		return fn(ctx)
	})
}

// Change is the function Change for an fn without a result.
func (db *DB) Change(ctx context.Context, workspaceID int64, fn func(ctx context.Context) error) error {
	return db.InTx(ctx, func(ctx context.Context) error {
		db.current(ctx).changes(workspaceID)
		return fn(ctx)
	})
}

// changes records that the transaction changes the revision of the workspace.
func (t *transaction) changes(workspaceID int64) {
	if !slices.Contains(t.changed, workspaceID) {
		t.changed = append(t.changed, workspaceID)
	}
}

// checkWrite rejects a write that would bypass the revisions or the audit log,
// so that a method that forgets to call Change fails in its first test.
func (db *DB) checkWrite(ctx context.Context, to table.Table) error {
	current := db.current(ctx)
	if to.Revised && (current == nil || len(current.changed) == 0) {
		return fmt.Errorf("catalog: the table %s may be written within Change only", to.Name)
	}
	if to.Audited && current == nil {
		return fmt.Errorf("catalog: the table %s may be written within a transaction only", to.Name)
	}
	return nil
}

// memoryRevisions counts in memory, for an engine that serves one process. It
// counts after the commit: a reader in between caches new data under the old
// number, which is discarded when the number changes. The other way round it
// could keep old data under the new number forever.
type memoryRevisions struct {
	counters sync.Map // of *atomic.Int64 by workspace
}

func (m *memoryRevisions) counter(workspaceID int64) *atomic.Int64 {
	counter, known := m.counters.Load(workspaceID)
	if !known {
		counter, _ = m.counters.LoadOrStore(workspaceID, new(atomic.Int64))
	}
	return counter.(*atomic.Int64)
}

func (m *memoryRevisions) get(_ context.Context, _ *DB, workspaceID int64) (int64, error) {
	return m.counter(workspaceID).Load(), nil
}

func (m *memoryRevisions) beforeCommit(context.Context, *DB, []int64) error { return nil }

// afterCommit counts failed commits too, because they may have taken effect.
func (m *memoryRevisions) afterCommit(workspaces []int64) {
	for _, workspaceID := range workspaces {
		m.counter(workspaceID).Add(1)
	}
}

// storedRevisions counts in a table, for an engine that many processes share.
// The count is committed with the change, so that both become visible together.
// It is the last statement of a transaction: its row lock is held only during
// the commit, and a transaction that holds it waits for nothing but the same row
// of a workspace with a higher id. So writers cannot deadlock on it, whatever
// they locked before.
type storedRevisions struct{}

func (storedRevisions) get(ctx context.Context, db *DB, workspaceID int64) (int64, error) {
	revision, err := QueryOne(ctx, db, ScanInt, `
SELECT revision
FROM workspace_revision
WHERE workspace_id = $1`, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return revision, err
}

func (storedRevisions) beforeCommit(ctx context.Context, db *DB, workspaces []int64) error {
	for _, workspaceID := range slices.Sorted(slices.Values(workspaces)) {
		_, err := Exec(ctx, db, table.WorkspaceRevision.Insert(`
(workspace_id, revision)
SELECT id, 1
FROM workspace
WHERE id = $1
ON CONFLICT (workspace_id) DO UPDATE SET revision = workspace_revision.revision + 1`), workspaceID)
		if err != nil {
			return err
		}
	}
	return nil
}

func (storedRevisions) afterCommit([]int64) {}
