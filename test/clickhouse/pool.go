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
	// idle are connections by the value of readonly, which cannot be changed back.
	idle map[string][]*connection
}

func newPool(engine *engine) *pool {
	return &pool{engine: engine, idle: map[string][]*connection{}}
}

// take returns a connection whose only setting is readonly.
func (p *pool) take(readonly string) (*connection, error) {
	if c := p.takeIdle(readonly); c != nil {
		return c, nil
	}
	c, err := p.engine.connect()
	if err != nil || readonly == "" {
		return c, err
	}
	return c, c.set(map[string]string{"readonly": readonly}, literal)
}

func (p *pool) takeIdle(readonly string) *connection {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.idle[readonly])
	if n == 0 {
		return nil
	}
	c := p.idle[readonly][n-1]
	p.idle[readonly] = p.idle[readonly][:n-1]
	return c
}

// with calls do with a connection that uses a database and settings.
func (p *pool) with(database string, settings map[string]string, do func(*connection) (result, error)) (result, error) {
	readonly, others := settings["readonly"], maps.Clone(settings)
	delete(others, "readonly")
	c, err := p.take(readonly)
	if err != nil {
		return result{}, err
	}
	defer p.put(c, readonly, others)
	if _, err := c.query("USE "+identifier(database), "Null", nil); err != nil {
		return result{}, err
	}
	if err := c.set(others, literal); err != nil {
		return result{}, err
	}
	return do(c)
}

// put restores the settings and keeps the connection, or closes one whose settings
// cannot be restored.
func (p *pool) put(c *connection, readonly string, settings map[string]string) {
	if c.set(settings, func(string) string { return "DEFAULT" }) != nil {
		c.close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle[readonly] = append(p.idle[readonly], c)
}

// set sets the settings.
func (c *connection) set(settings map[string]string, value func(string) string) error {
	var assignments []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		assignments = append(assignments, identifier(name)+" = "+value(settings[name]))
	}
	if len(assignments) == 0 {
		return nil
	}
	_, err := c.query("SET "+strings.Join(assignments, ", "), "Null", nil)
	return err
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "`", "\\`")

func literal(text string) string { return "'" + escapes.Replace(text) + "'" }

func identifier(name string) string { return "`" + escapes.Replace(name) + "`" }
