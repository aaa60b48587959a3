package render

import (
	"container/list"
	"errors"
	"sync"

	"github.com/promptuary/promptuary/internal/template/render/jinja"
)

// parsed is a parsed text in one of the formats.
type parsed struct {
	fields   *fields         // nil for templates
	template *jinja.Template // nil for f-strings
	names    []string
	size     int // approximate size in memory
}

// parse returns the parsed text, or nil if it has a syntax error or an unknown
// format. The error is a limit of the parser.
func parse(format Format, text string) (*parsed, error) {
	key := cacheKey{format, text}
	if p, ok := texts.get(key); ok {
		return p, nil
	}
	p, err := parseNew(format, text)
	if err == nil {
		texts.put(key, p)
	}
	return p, err
}

func parseNew(format Format, text string) (*parsed, error) {
	switch format {
	case FString:
		if f, ok := parseFields(text); ok {
			return &parsed{fields: f, names: f.names, size: len(f.pieces)*pieceBytes + len(text)}, nil
		}
	case Jinja2:
		template, err := jinja.Parse(text)
		var reached *jinja.LimitError
		if errors.As(err, &reached) {
			return nil, err
		}
		if err == nil {
			return &parsed{template: template, names: template.Variables(), size: template.Size()}, nil
		}
	}
	return nil, nil
}

type cacheKey struct {
	format Format
	text   string
}

const (
	// cacheBytes limits the size of the cache to thousands of typical texts.
	cacheBytes = 16 << 20
	// cacheableBytes is the size of the largest cached text: few are larger,
	// and one of them would evict hundreds.
	cacheableBytes = 1 << 20
	// entryBytes is the size of an entry without its text.
	entryBytes = 256
	// pieceBytes is the size of a field of an f-string, including its name.
	pieceBytes = 96
)

// texts caches parsed texts. They depend only on the text, so all requests
// share them.
var texts = newCache(cacheBytes)

// cache is an LRU cache with a size in bytes.
type cache struct {
	mu      sync.Mutex
	room    int
	entries map[cacheKey]*list.Element
	recent  *list.List // of cached, most recently used first
}

type cached struct {
	key    cacheKey
	parsed *parsed
}

// size is the size of the entry. A text with a syntax error is stored as nil.
func (c cached) size() int {
	size := entryBytes + len(c.key.text)
	if c.parsed != nil {
		size += c.parsed.size
	}
	return size
}

func newCache(room int) *cache {
	return &cache{room: room, entries: map[cacheKey]*list.Element{}, recent: list.New()}
}

func (c *cache) get(key cacheKey) (*parsed, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.entries[key]
	if !ok {
		return nil, false
	}
	c.recent.MoveToFront(element)
	return element.Value.(cached).parsed, true
}

func (c *cache) put(key cacheKey, p *parsed) {
	entry := cached{key, p}
	if entry.size() > cacheableBytes {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[key]; ok {
		return
	}
	c.entries[key] = c.recent.PushFront(entry)
	c.room -= entry.size()
	for c.room < 0 {
		last := c.recent.Remove(c.recent.Back()).(cached)
		delete(c.entries, last.key)
		c.room += last.size()
	}
}
