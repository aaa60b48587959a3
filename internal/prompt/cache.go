package prompt

import (
	"sync"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	// maxCached is the maximum number of cached templates per workspace, and of
	// cached workspaces.
	maxCached = 10_000
	// maxCachedBytes limits the memory of all cached templates.
	maxCachedBytes = 128 << 20
	// maxCachedTemplate limits one template: a few huge ones would evict
	// everything else.
	maxCachedTemplate = maxCachedBytes / 16
)

// cache caches templates that are ready to be returned. It drops the templates
// of a workspace when anything in the workspace changes, according to the
// revision of the workspace: a single number that detects every change, by any
// process. It is safe for concurrent use.
type cache struct {
	mu     sync.RWMutex
	spaces map[int64]*space
	bytes  int // of all spaces
}

// space is the cached templates of one workspace at one revision.
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

// put caches a template that was read after the revision.
func (c *cache) put(workspace, revision int64, key entity.Selector, t *Template) {
	size := t.size()
	if size > maxCachedTemplate {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.spaces[workspace]
	if s != nil && s.revision > revision {
		return // a later revision is already cached
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

// size returns the approximate memory size of the template in bytes, with a kept text.
func (t *Template) size() int {
	return len(t.Version.Body) + 2*len(t.Expanded) + jsontree.TreeSize(t.Expanded) +
		len(t.Content.Metadata) + jsontree.TreeSize(t.Content.Metadata) + len(t.RunMetadata) + 4096
}
