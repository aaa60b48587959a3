package render

import (
	"fmt"
	"strings"
	"testing"
)

func TestCacheKeepsRecentlyUsedTexts(t *testing.T) {
	t.Parallel()
	c := newCache(3 * (entryBytes + 100 + 1))
	key := func(name string) cacheKey { return cacheKey{FString, name + strings.Repeat("x", 100)} }
	a := &parsed{}
	c.put(key("a"), a)
	c.put(key("b"), &parsed{})
	c.put(key("c"), nil)
	if got, ok := c.get(key("a")); !ok || got != a {
		t.Fatal("a was evicted although it fits")
	}
	c.put(key("d"), &parsed{})
	for name, want := range map[string]bool{"a": true, "b": false, "c": true, "d": true} {
		if _, ok := c.get(key(name)); ok != want {
			t.Errorf("%s is kept: %v, want %v", name, ok, want)
		}
	}
	if _, ok := c.get(cacheKey{Jinja2, key("a").text}); ok {
		t.Error("a text of another format was found")
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	const room = 100_000
	c := newCache(room)
	for i := range 1000 {
		text := fmt.Sprintf("%d{{ a }}{{ b }}%s", i, strings.Repeat("y", i))
		p, err := parseNew(Jinja2, text)
		if err != nil {
			t.Fatal(err)
		}
		c.put(cacheKey{Jinja2, text}, p)
		c.put(cacheKey{Jinja2, text}, p)
	}
	used := 0
	for element := c.recent.Front(); element != nil; element = element.Next() {
		used += element.Value.(cached).size()
	}
	if used > room || used < room/2 || used+c.room != room || len(c.entries) != c.recent.Len() {
		t.Errorf("%d bytes used, %d left of %d, %d entries and %d in order", used, c.room, room, len(c.entries), c.recent.Len())
	}
	large := cacheKey{Jinja2, strings.Repeat("z", cacheableBytes)}
	c.put(large, nil)
	if _, ok := c.get(large); ok {
		t.Error("a text that is too large was cached")
	}
}

func TestTextsAreParsedOnce(t *testing.T) {
	t.Parallel()
	for _, format := range []Format{FString, Jinja2} {
		text := "only here: {{ " + string(format) + " }}"
		first, err := parse(format, text)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := parse(format, text); again != first {
			t.Errorf("%s was parsed twice", format)
		}
	}
}
