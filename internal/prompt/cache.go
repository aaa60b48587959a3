package prompt

import "sync"

const (
	// maxCached bounds how many templates of one workspace are remembered,
	// and how many workspaces.
	maxCached = 10_000
	// maxCachedBytes bounds what the templates of one workspace may take.
	maxCachedBytes = 64 << 20
)

// cache remembers templates that are ready to be answered. A workspace's
// templates are forgotten as soon as anything in the workspace changes, which
// its revision tells: one number to ask for, and no stale answer, whoever made
// the change. It is safe for concurrent use.
type cache struct {
	mu     sync.RWMutex
	spaces map[int64]*space
}

// space is what is remembered of one workspace at one revision.
type space struct {
	revision int64
	entries  map[cacheKey]*Template
	bytes    int
}

type cacheKey struct {
	identifier string
	version    Version
}

func newCache() *cache { return &cache{spaces: map[int64]*space{}} }

func (c *cache) get(workspace, revision int64, key cacheKey) *Template {
	c.mu.RLock()
	defer c.mu.RUnlock()
	if s := c.spaces[workspace]; s != nil && s.revision == revision {
		return s.entries[key]
	}
	return nil
}

// put remembers a template that was read after the revision was asked for.
func (c *cache) put(workspace, revision int64, key cacheKey, t *Template) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.spaces[workspace]
	if s != nil && s.revision > revision {
		return // somebody else knows of a later change already
	}
	if s == nil || s.revision != revision || len(s.entries) >= maxCached || s.bytes > maxCachedBytes {
		if len(c.spaces) >= maxCached {
			clear(c.spaces)
		}
		s = &space{revision: revision, entries: map[cacheKey]*Template{}}
		c.spaces[workspace] = s
	}
	s.entries[key] = t
	s.bytes += t.size()
}
