package e2e

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
)

// publisher is one of many clients that concurrently publish versions of the
// same templates. Only the publisher moves its label.
type publisher struct {
	registry *registry
	label    string
	random   *rand.Rand
	at       map[string]int64 // the acknowledged version of the label, by template
	pending  *labelMove       // the last request, if it got no response
}

// labelMove moves the label to a version: a known one, or the one with the
// text.
type labelMove struct {
	template string
	version  int64
	text     string
}

// wanted reports whether a call without a response may have moved the label to
// the version.
func (p *publisher) wanted(template string, version int64) bool {
	if p.pending == nil || p.pending.template != template || version == 0 {
		return false
	}
	return version == p.pending.version || p.registry.versions[template][version] == p.pending.text
}

// run works until a call gets no response, because the server was killed, or
// until stop is closed. It returns the first problem.
func (p *publisher) run(c *client, stop <-chan struct{}) error {
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		err := p.step(c)
		if errors.Is(err, errNoAnswer) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (p *publisher) step(c *client) error {
	template := p.registry.templates[p.random.IntN(len(p.registry.templates))]
	switch chance := p.random.IntN(10); {
	case chance < 4 && p.at[template] != 0:
		return p.lookAround(c, template)
	case chance < 6:
		return p.publish(c, template)
	default:
		return p.publish(c, template, p.label)
	}
}

func (p *publisher) publish(c *client, template string, labels ...string) error {
	text := p.registry.draw(template)
	if labels != nil {
		p.pending = &labelMove{template: template, text: text}
	}
	a, err := c.call(http.MethodPost, publishPath, publication(template, text, labels...))
	if err != nil {
		return err
	}
	got, err := decode[publishedPrompt](a)
	if err != nil || a.status != http.StatusCreated {
		return fmt.Errorf("publish %s: status %d: %s", template, a.status, clip(a.body))
	}
	if labels != nil {
		p.at[template], p.pending = got.Version, nil
	}
	return p.registry.keep(template, text, got.Version)
}

// lookAround moves the label and fetches before and after: the cached result of
// the first fetch must not be returned by the second.
func (p *publisher) lookAround(c *client, template string) error {
	if err := p.look(c, template); err != nil {
		return err
	}
	if err := p.moveLabel(c, template); err != nil {
		return err
	}
	return p.look(c, template)
}

// moveLabel moves the label to any known version.
func (p *publisher) moveLabel(c *client, template string) error {
	labels, err := c.labels(template)
	if err != nil {
		return err
	}
	move := labelMove{template: template, version: p.registry.some(template, p.random)}
	p.pending = &move
	path := fmt.Sprint("/prompt-labels/", labels[p.label].ID)
	a, err := c.call(http.MethodPatch, path, object{"prompt_version_number": move.version})
	if err != nil {
		return err
	}
	if a.status != http.StatusOK {
		return fmt.Errorf("move label %s of %s: status %d: %s", p.label, template, a.status, clip(a.body))
	}
	p.at[template], p.pending = move.version, nil
	return nil
}

// look returns an error unless the label points to the version of its last
// move.
func (p *publisher) look(c *client, template string) error {
	a, err := c.call(http.MethodPost, templatePath(template), object{"label": p.label})
	if err != nil {
		return err
	}
	got, err := decode[fetchedPrompt](a)
	if err != nil || a.status != http.StatusOK || got.Version != p.at[template] {
		return fmt.Errorf("label %s of %s: status %d, version %d, want %d", p.label, template, a.status, got.Version, p.at[template])
	}
	return nil
}
