package main

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// pool keeps idle connections, because opening one takes ten times as long as a
// small query.
type pool struct {
	engine *engine
	mu     sync.Mutex
	idle   []*connection
}

func (p *pool) take() (*connection, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if n := len(p.idle); n > 0 {
		c := p.idle[n-1]
		p.idle = p.idle[:n-1]
		return c, nil
	}
	return p.engine.connect()
}

func (p *pool) put(c *connection) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle = append(p.idle, c)
}

// with calls do with a connection that uses a database and settings.
func (p *pool) with(database string, settings map[string]string, do func(*connection) (result, error)) (result, error) {
	c, err := p.take()
	if err != nil {
		return result{}, err
	}
	defer p.giveBack(c, settings)
	if _, err := c.query("USE "+identifier(database), "Null", nil); err != nil {
		return result{}, err
	}
	if err := c.set(settings, literal); err != nil {
		return result{}, err
	}
	return do(c)
}

// giveBack closes a connection whose settings cannot be restored, like one that
// was made read-only.
func (p *pool) giveBack(c *connection, settings map[string]string) {
	if c.set(settings, func(string) string { return "DEFAULT" }) != nil {
		c.close()
		return
	}
	p.put(c)
}

// set sets the settings. It sets readonly last, because nothing can be set
// afterwards.
func (c *connection) set(settings map[string]string, value func(string) string) error {
	var assignments []string
	for _, name := range slices.SortedFunc(maps.Keys(settings), readonlyLast) {
		assignments = append(assignments, identifier(name)+" = "+value(settings[name]))
	}
	if len(assignments) == 0 {
		return nil
	}
	_, err := c.query("SET "+strings.Join(assignments, ", "), "Null", nil)
	return err
}

func readonlyLast(a, b string) int {
	switch {
	case a == b:
		return 0
	case a == "readonly":
		return 1
	case b == "readonly":
		return -1
	}
	return strings.Compare(a, b)
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "`", "\\`")

func literal(text string) string { return "'" + escapes.Replace(text) + "'" }

func identifier(name string) string { return "`" + escapes.Replace(name) + "`" }
