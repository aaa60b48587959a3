package pricing

import (
	"context"
	"sync"
	"time"
)

const (
	// fresh is how long a table is used without looking for changes that other
	// processes made. Changes by this process are seen at once.
	fresh = time.Second
	// maxSpaces limits the workspaces whose tables are cached.
	maxSpaces = 1000
)

// cache caches the tables of workspaces. It looks at the revision of a workspace
// about once a second, and reads its prices again when that has changed.
type cache struct {
	clock func() time.Time

	mu     sync.Mutex
	spaces map[int64]*space
	// changes counts the changes by this process.
	changes int64
}

// space is the table of a workspace at a revision.
type space struct {
	table    *Table
	revision int64
	checked  time.Time
}

func (c *cache) table(ctx context.Context, store Store, workspace int64) (*Table, error) {
	now := c.clock()
	c.mu.Lock()
	known, changes := c.spaces[workspace], c.changes
	if known != nil && now.Sub(known.checked) < fresh {
		c.mu.Unlock()
		return known.table, nil
	}
	if known != nil {
		// Others use it while this call looks for changes.
		c.spaces[workspace] = &space{known.table, known.revision, now}
	}
	c.mu.Unlock()
	loaded, err := load(ctx, store, workspace, known)
	if err != nil {
		c.forget(workspace)
		return nil, err
	}
	loaded.checked = now
	c.keep(workspace, loaded, changes)
	return loaded.table, nil
}

// load returns the current table. The revision is read first, so that a change
// in between is noticed later.
func load(ctx context.Context, store Store, workspace int64, known *space) (*space, error) {
	revision, err := store.Revision(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if known != nil && known.revision == revision {
		return &space{table: known.table, revision: revision}, nil
	}
	prices, err := store.ListPrices(ctx, workspace)
	if err != nil {
		return nil, err
	}
	return &space{table: NewTable(prices), revision: revision}, nil
}

// keep caches a table unless this process changed something since.
func (c *cache) keep(workspace int64, loaded *space, changes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changes != changes {
		return
	}
	if len(c.spaces) >= maxSpaces {
		clear(c.spaces)
	}
	c.spaces[workspace] = loaded
}

// forget drops the table of a workspace.
func (c *cache) forget(workspace int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	delete(c.spaces, workspace)
}
