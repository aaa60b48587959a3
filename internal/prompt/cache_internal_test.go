package prompt

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/entity"
)

func sized(text string) *Template {
	return &Template{Version: entity.Version{Body: []byte(text)}}
}

func TestCacheDropsOlderRevisions(t *testing.T) {
	t.Parallel()
	c, key := newCache(), entity.Selector{Name: "a"}
	old, fresh := sized("old"), sized("fresh")
	c.put(1, 5, key, old)
	for _, test := range []struct {
		name                string
		workspace, revision int64
		want                *Template
	}{
		{"same", 1, 5, old}, {"newer", 1, 6, nil}, {"older", 1, 4, nil}, {"other workspace", 2, 5, nil},
	} {
		if got := c.get(test.workspace, test.revision, key); got != test.want {
			t.Errorf("%s: got %v", test.name, got)
		}
	}
	c.put(1, 6, key, fresh)
	c.put(1, 5, key, old) // a slow reader with an old revision
	if c.get(1, 6, key) != fresh || c.get(1, 5, key) != nil {
		t.Error("an older revision drove out a newer one")
	}
}

func TestCacheIsBounded(t *testing.T) {
	t.Parallel()
	c := newCache()
	big := sized(strings.Repeat("x", maxCachedTemplate/2))
	for i := range 100 {
		c.put(int64(i%7), int64(i/50), entity.Selector{Name: fmt.Sprint(i)}, big)
		held := 0
		for _, s := range c.spaces {
			held += len(s.entries) * big.size()
		}
		if held != c.bytes || held > maxCachedBytes {
			t.Fatalf("after %d templates the cache holds %d bytes and counts %d", i+1, held, c.bytes)
		}
	}
	c.put(1, 9, entity.Selector{Name: "giant"}, sized(strings.Repeat("x", maxCachedTemplate)))
	if c.get(1, 9, entity.Selector{Name: "giant"}) != nil {
		t.Error("a giant is kept")
	}
	small := sized("")
	for i := range maxCached + 5 {
		c.put(int64(i), 1, entity.Selector{}, small)
		c.put(1<<40, 1, entity.Selector{Name: fmt.Sprint(i)}, small)
	}
	if len(c.spaces) > maxCached || len(c.spaces[1<<40].entries) > maxCached {
		t.Errorf("the cache has %d workspaces", len(c.spaces))
	}
}

func TestCacheCountsTrees(t *testing.T) {
	t.Parallel()
	flat := &Template{Expanded: []byte(`"` + strings.Repeat("x", 9998) + `"`)}
	values := &Template{Expanded: []byte(`[` + strings.Repeat("0,", 4999) + `0]`)}
	if flat.size()*5 > values.size() {
		t.Errorf("a text counts %d and as long a list of numbers %d", flat.size(), values.size())
	}
}

// TestKeptText expects a text to be made once for the form that was asked for last.
func TestKeptText(t *testing.T) {
	t.Parallel()
	var made []string
	template := &Template{}
	for _, form := range []string{"a", "a", "b", "b", "a"} {
		got := template.Text(form, func() []byte {
			made = append(made, form)
			return []byte("text " + form)
		})
		if string(got) != "text "+form {
			t.Errorf("form %s is %s", form, got)
		}
	}
	if strings.Join(made, "") != "aba" {
		t.Errorf("made %v", made)
	}
}
