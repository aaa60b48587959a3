package render

import (
	"container/list"
	"errors"
	"sync"

	"github.com/promptuary/promptuary/internal/prompt/render/jinja"
)

// parsed is a text ready to be rendered, in one of the formats.
type parsed struct {
	fields   *fields         // nil for templates
	template *jinja.Template // nil for f-strings
	names    []string
	size     int // in memory, roughly
}

// parse returns the parsed text, nil when it does not parse or its format is
// unknown. The error is a limit of the parser.
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
	// cacheBytes bounds what is kept parsed, thousands of common texts.
	cacheBytes = 16 << 20
	// cacheableBytes is the largest text that is kept: few are larger, and one
	// of them would push out hundreds.
	cacheableBytes = 1 << 20
	// entryBytes is what an entry takes besides its text.
	entryBytes = 256
	// pieceBytes is what a field of an f-string takes, its name included.
	pieceBytes = 96
)

// texts holds what was parsed lately. Trees depend on nothing but their text,
// so all requests share them.
var texts = newCache(cacheBytes)

// cache keeps the most recently used texts up to a number of bytes.
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

// size is what the entry takes. A text that does not parse is kept as nil.
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
