package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// Revision returns a number for the state of a workspace's entities with all
// that belongs to them (versions, labels, external ids, tags, AB tests), for
// caches. Who asks for it and then reads may keep what was read for as long
// as the number stays the same: once a call that changed something has
// returned, the number differs from every one returned before that call
// began, on PostgreSQL in every process. On SQLite it tells of the changes
// made through this Catalog only, as one process serves a data folder. The
// numbers grow and start again with the process on SQLite; an unknown
// workspace has 0.
//
// Within a transaction each call returns another number, one that no cache
// can have: what the transaction reads may be its own unfinished work, and
// what a cache holds lacks it.
func (c *Catalog) Revision(ctx context.Context, workspaceID int64) (int64, error) {
	if c.current(ctx) != nil {
		return -c.uncached.Add(1), nil
	}
	revision, err := c.revisions.get(ctx, c, workspaceID)
	if err != nil {
		return 0, fmt.Errorf("get revision: %w", err)
	}
	return revision, nil
}

// revisions counts the changes of each workspace.
type revisions interface {
	get(ctx context.Context, c *Catalog, workspaceID int64) (int64, error)
	// beforeCommit runs within the transaction as its last statements.
	beforeCommit(ctx context.Context, c *Catalog, workspaces []int64) error
	// afterCommit runs when a commit was tried, before the caller learns of it.
	afterCommit(workspaces []int64)
}

// change is InTx for a function that changes something of the workspace.
func change[T any](ctx context.Context, c *Catalog, workspaceID int64, fn func(ctx context.Context) (T, error)) (T, error) {
	return inTx(ctx, c, func(ctx context.Context) (T, error) {
		c.current(ctx).changes(workspaceID)
		return fn(ctx)
	})
}

// none is the result of a change that has none.
type none = struct{}

// changes remembers that the transaction changes something of the workspace.
func (t *transaction) changes(workspaceID int64) {
	if !slices.Contains(t.changed, workspaceID) {
		t.changed = append(t.changed, workspaceID)
	}
}

// unrevised are the tables whose changes no revision tells of. Every other
// table belongs to entities.
var unrevised = []string{
	"workspace", "api_key", "account", "membership", "session", "sign_in_link", "audit_entry",
	"shared_id", "request_group", "id_block", "workspace_revision", "job", "workflow_run", "workflow_run_node",
	"report_run", "report_run_column", "report_row",
	"dataset_content", "dataset_row", "dataset_prompt",
}

// checkWritten refuses a statement that would change something behind the
// back of the revisions or of the audit log, so that a method which forgets to
// call change never works, not even in its first test.
func (c *Catalog) checkWritten(ctx context.Context, query string) error {
	table := writtenTable(query)
	if table == "" {
		return nil
	}
	current := c.current(ctx)
	if !slices.Contains(unrevised, table) && (current == nil || len(current.changed) == 0) {
		return fmt.Errorf("catalog: the table %s may be written within change only", table)
	}
	if !slices.Contains(unaudited, table) && current == nil {
		return fmt.Errorf("catalog: the table %s may be written within a transaction only", table)
	}
	return nil
}

// writtenTable returns the table a statement writes to, nothing for a query.
func writtenTable(query string) string {
	start := strings.Fields(query[:min(len(query), 80)])
	if len(start) < 3 {
		return ""
	}
	switch start[0] {
	case "INSERT", "DELETE":
		return start[2]
	case "UPDATE":
		return start[1]
	}
	return ""
}

// memoryRevisions counts in memory, for an engine that one process serves. It
// counts after the commit: a reader that comes between the two finds new data
// under the old number, which goes when the number changes. The other way
// round it could keep old data under the new number for ever.
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

func (m *memoryRevisions) get(_ context.Context, _ *Catalog, workspaceID int64) (int64, error) {
	return m.counter(workspaceID).Load(), nil
}

func (m *memoryRevisions) beforeCommit(context.Context, *Catalog, []int64) error { return nil }

// afterCommit counts a commit that failed too: it may have happened.
func (m *memoryRevisions) afterCommit(workspaces []int64) {
	for _, workspaceID := range workspaces {
		m.counter(workspaceID).Add(1)
	}
}

// storedRevisions counts in a table, for an engine that many processes share.
// The count is committed with the change, so that nobody sees one without the
// other. It is the last thing a transaction does: the row's lock is held for
// the length of a commit only, and a transaction that holds it never waits for
// anything but such a row of a later workspace. So writers cannot deadlock on
// it, whatever they locked before and in whatever order.
type storedRevisions struct{}

func (storedRevisions) get(ctx context.Context, c *Catalog, workspaceID int64) (int64, error) {
	revision, err := queryOne(ctx, c, scanInt, `
SELECT revision
FROM workspace_revision
WHERE workspace_id = $1`, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	return revision, err
}

func (storedRevisions) beforeCommit(ctx context.Context, c *Catalog, workspaces []int64) error {
	for _, workspaceID := range slices.Sorted(slices.Values(workspaces)) {
		_, err := c.exec(ctx, `
INSERT INTO workspace_revision (workspace_id, revision)
SELECT id, 1
FROM workspace
WHERE id = $1
ON CONFLICT (workspace_id) DO UPDATE SET revision = workspace_revision.revision + 1`, workspaceID)
		if err != nil {
			return err
		}
	}
	return nil
}

func (storedRevisions) afterCommit([]int64) {}
