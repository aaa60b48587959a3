package prompt

import (
	"sync"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	// maxCached bounds how many templates of one workspace are remembered,
	// and how many workspaces.
	maxCached = 10_000
	// maxCachedBytes bounds what all templates may take.
	maxCachedBytes = 128 << 20
	// maxCachedTemplate bounds what one may take: a few giants would drive out
	// everything else.
	maxCachedTemplate = maxCachedBytes / 16
)

// cache remembers templates that are ready to be answered. A workspace's
// templates are forgotten as soon as anything in the workspace changes, which
// its revision tells: one number to ask for, and no stale answer, whoever made
// the change. It is safe for concurrent use.
type cache struct {
	mu     sync.RWMutex
	spaces map[int64]*space
	bytes  int // of all spaces
}

// space is what is remembered of one workspace at one revision.
type space struct {
	revision int64
	entries  map[entity.Selector]*Template
	bytes    int
}

func newCache() *cache { return &cache{spaces: map[int64]*space{}} }

func (c *cache) get(workspace, revision int64, key entity.Selector) *Template {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if s := c.spaces[workspace]; s != nil && s.revision == revision {
		return s.entries[key]
	}
	return nil
}

// put remembers a template that was read after the revision was asked for.
func (c *cache) put(workspace, revision int64, key entity.Selector, t *Template) {
	size := t.size()
	if size > maxCachedTemplate {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.spaces[workspace]
	if s != nil && s.revision > revision {
		return // somebody else knows of a later change already
	}
	if s == nil || s.revision != revision || len(s.entries) >= maxCached {
		s = c.renew(workspace, revision)
	}
	if c.bytes+size > maxCachedBytes {
		clear(c.spaces)
		c.bytes = 0
		s = c.renew(workspace, revision)
	}
	s.entries[key] = t
	s.bytes += size
	c.bytes += size
}

// renew gives a workspace an empty space.
func (c *cache) renew(workspace, revision int64) *space {
	if old := c.spaces[workspace]; old != nil {
		c.bytes -= old.bytes
	} else if len(c.spaces) >= maxCached {
		clear(c.spaces)
		c.bytes = 0
	}
	s := &space{revision: revision, entries: map[entity.Selector]*Template{}}
	c.spaces[workspace] = s
	return s
}

// size is about how many bytes of memory the template takes.
func (t *Template) size() int {
	return len(t.Version.Body) + len(t.Expanded) + jsontree.TreeSize(t.Expanded) +
		len(t.Content.Metadata) + jsontree.TreeSize(t.Content.Metadata) + len(t.RunMetadata) + 4096
}
