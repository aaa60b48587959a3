// Package revised caches what is computed from a few rows of the catalog and needed
// for every request log, such as the prices of a workspace.
package revised

import (
	"context"
	"sync"
	"time"
)

const (
	// fresh is how long a value is used without looking for changes that other
	// processes made. Changes by this process are seen at once.
	fresh = time.Second
	// maxWorkspaces limits the workspaces whose values are cached.
	maxWorkspaces = 1000
)

// Source is where the values come from.
type Source[T any] struct {
	// Revision returns a number that is different after the rows of a workspace
	// have changed.
	Revision func(ctx context.Context, workspace int64) (int64, error)
	// Load computes the value of a workspace.
	Load func(ctx context.Context, workspace int64) (T, error)
}

// Cache caches a value for each workspace. It looks at the revision of a workspace
// about once a second, and loads its value again when that has changed. It is safe
// for concurrent use.
type Cache[T any] struct {
	source Source[T]
	clock  func() time.Time

	mu     sync.Mutex
	values map[int64]value[T]
	// changes counts the changes by this process.
	changes int64
}

// value is that of a workspace at a revision.
type value[T any] struct {
	content  T
	revision int64
	checked  time.Time
}

// New returns an empty cache. The clock is time.Now if nil.
func New[T any](source Source[T], clock func() time.Time) *Cache[T] {
	if clock == nil {
		clock = time.Now
	}
	return &Cache[T]{source: source, clock: clock, values: map[int64]value[T]{}}
}

// Get returns the value of a workspace.
func (c *Cache[T]) Get(ctx context.Context, workspace int64) (T, error) {
	now := c.clock()
	c.mu.Lock()
	known, cached := c.values[workspace]
	changes := c.changes
	if cached && now.Sub(known.checked) < fresh {
		c.mu.Unlock()
		return known.content, nil
	}
	if cached {
		// Others use it while this call looks for changes.
		c.values[workspace] = value[T]{known.content, known.revision, now}
	}
	c.mu.Unlock()
	current, err := c.load(ctx, workspace, known, cached)
	if err != nil {
		c.Forget(workspace)
		return current.content, err
	}
	current.checked = now
	c.keep(workspace, current, changes)
	return current.content, nil
}

// load returns the current value. The revision is read first, so that a change in
// between is noticed later.
func (c *Cache[T]) load(ctx context.Context, workspace int64, known value[T], cached bool) (value[T], error) {
	revision, err := c.source.Revision(ctx, workspace)
	if err != nil {
		return value[T]{}, err
	}
	if cached && known.revision == revision {
		return known, nil
	}
	content, err := c.source.Load(ctx, workspace)
	return value[T]{content: content, revision: revision}, err
}

// keep caches a value unless this process changed something since.
func (c *Cache[T]) keep(workspace int64, current value[T], changes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.changes != changes {
		return
	}
	if len(c.values) >= maxWorkspaces {
		clear(c.values)
	}
	c.values[workspace] = current
}

// Forget drops the value of a workspace. It is called after a change.
func (c *Cache[T]) Forget(workspace int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	delete(c.values, workspace)
}
