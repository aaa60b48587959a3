package eval

import "sync"

// cache keeps results that are expensive to compute. The zero value is ready for
// use, and it is safe for concurrent use.
type cache[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

func (c *cache[K, V]) get(key K) (V, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	known, ok := c.known[key]
	return known, ok
}

// put keeps a result. A full cache is emptied first.
func (c *cache[K, V]) put(key K, result V, most int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known == nil || len(c.known) >= most {
		c.known = map[K]V{}
	}
	c.known[key] = result
}
