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
	idle map[string][]*pooled
}

// pooled is a connection with the database and settings that it has.
type pooled struct {
	*connection
	database string
	settings map[string]string
}

func newPool(engine *engine) *pool {
	return &pool{engine: engine, idle: map[string][]*pooled{}}
}

// take returns a connection, if possible one that has the database and settings
// already.
func (p *pool) take(readonly, database string, settings map[string]string) (*pooled, error) {
	if c := p.takeIdle(readonly, database, settings); c != nil {
		return c, nil
	}
	c, err := p.engine.connect()
	if err != nil || readonly == "" {
		return &pooled{connection: c}, err
	}
	return &pooled{connection: c}, c.set(map[string]string{"readonly": readonly}, literal)
}

func (p *pool) takeIdle(readonly, database string, settings map[string]string) *pooled {
	p.mu.Lock()
	defer p.mu.Unlock()
	idle := p.idle[readonly]
	if len(idle) == 0 {
		return nil
	}
	at := max(0, slices.IndexFunc(idle, func(c *pooled) bool { return c.database == database && maps.Equal(c.settings, settings) }))
	c := idle[at]
	p.idle[readonly] = slices.Delete(idle, at, at+1)
	return c
}

// with calls do with a connection that uses a database and settings. If do fails,
// the connection is not used again: a statement that was cancelled can leave the
// beginning of its result in it, which the next result would start with.
func (p *pool) with(database string, settings map[string]string, do func(*connection) (result, error)) (result, error) {
	readonly, others := settings["readonly"], maps.Clone(settings)
	delete(others, "readonly")
	c, err := p.take(readonly, database, others)
	if err != nil {
		return result{}, err
	}
	if err := c.prepare(database, others); err != nil {
		c.close()
		return result{}, err
	}
	found, err := do(c.connection)
	if err != nil {
		c.close()
		return result{}, err
	}
	p.put(c, readonly)
	return found, nil
}

func (p *pool) put(c *pooled, readonly string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.idle[readonly] = append(p.idle[readonly], c)
}

// prepare gives the connection the database and settings, and no others.
func (c *pooled) prepare(database string, settings map[string]string) error {
	if c.database != database {
		if _, err := c.query("USE "+identifier(database), "Null", nil); err != nil {
			return err
		}
	}
	old := maps.Clone(c.settings)
	maps.DeleteFunc(old, func(name, _ string) bool { _, stays := settings[name]; return stays })
	added := maps.Clone(settings)
	maps.DeleteFunc(added, func(name, value string) bool { had, ok := c.settings[name]; return ok && had == value })
	if err := c.set(old, func(string) string { return "DEFAULT" }); err != nil {
		return err
	}
	c.database, c.settings = database, settings
	return c.set(added, literal)
}

// set sets the settings.
func (c *connection) set(settings map[string]string, value func(string) string) error {
	if len(settings) == 0 {
		return nil
	}
	_, err := c.query("SET "+assignments(settings, value), "Null", nil)
	return err
}

// assignments returns settings as SQL writes them.
func assignments(settings map[string]string, value func(string) string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(settings)) {
		all = append(all, identifier(name)+" = "+value(settings[name]))
	}
	return strings.Join(all, ", ")
}

var escapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`, "`", "\\`")

func literal(text string) string { return "'" + escapes.Replace(text) + "'" }

func identifier(name string) string { return "`" + escapes.Replace(name) + "`" }
