package e2e

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// registry records the versions sent to the prompt registry of a server and
// those it acknowledged, across restarts.
type registry struct {
	templates  []string
	publishers []*publisher
	// acknowledged is called after each response, by one goroutine at a time.
	acknowledged func()

	mu sync.Mutex
	// versions are the texts of versions that were acknowledged, or found after
	// a crash, by template and number.
	versions map[string]map[int64]string
	open     map[string]string // template of each text without a response
	next     int
	found    int              // number of versions stored without a response
	checked  map[string]int64 // highest number that was checked
}

func newRegistry(templates ...string) *registry {
	r := &registry{
		templates: templates, versions: map[string]map[int64]string{}, open: map[string]string{}, checked: map[string]int64{},
	}
	for _, name := range templates {
		r.versions[name] = map[int64]string{}
	}
	return r
}

func (r *registry) addPublisher(label string, random *rand.Rand) {
	r.publishers = append(r.publishers, &publisher{registry: r, label: label, random: random, at: map[string]int64{}})
}

// draw returns a unique text.
func (r *registry) draw(template string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.next++
	text := fmt.Sprintf("text %d of {name}", r.next)
	r.open[text] = template
	return text
}

// keep records an acknowledged version.
func (r *registry) keep(template, text string, version int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if other, ok := r.versions[template][version]; ok {
		return fmt.Errorf("version %d of %s was assigned twice, for %q and %q", version, template, other, text)
	}
	r.versions[template][version] = text
	delete(r.open, text)
	r.acknowledged()
	return nil
}

// some returns the number of a known version, or 0.
func (r *registry) some(template string, random *rand.Rand) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	known := slices.Sorted(maps.Keys(r.versions[template]))
	if len(known) == 0 {
		return 0
	}
	return known[random.IntN(len(known))]
}

// verify returns the first problem with the stored versions.
func (r *registry) verify(c *client) error {
	for _, name := range r.templates {
		if err := r.verifyVersions(c, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := r.verifyLabels(c, name); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	clear(r.open)
	for _, p := range r.publishers {
		p.pending = nil
	}
	return nil
}

// verifyVersions returns an error unless the numbers have no gaps and each
// version was acknowledged or its call was interrupted.
func (r *registry) verifyVersions(c *client, name string) error {
	known := r.versions[name]
	last, status, err := c.stored(name, 0)
	if err != nil || status == http.StatusNotFound && len(known) == 0 {
		return err
	}
	for number := r.checked[name] + 1; number <= last.Version; number++ {
		got, status, err := c.stored(name, number)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("version %d of %d: status %d", number, last.Version, status)
		}
		if err != nil {
			return err
		}
		if err := r.settle(name, number, got); err != nil {
			return err
		}
	}
	for number := range known {
		if number > last.Version {
			return fmt.Errorf("version %d was acknowledged, the latest is %d", number, last.Version)
		}
	}
	r.checked[name] = last.Version
	return nil
}

// settle compares a version, and records one that was stored without a
// response.
func (r *registry) settle(name string, number int64, got fetchedPrompt) error {
	text := strings.TrimSuffix(strings.TrimPrefix(got.Template.String(), "user("), ")")
	want, ok := r.versions[name][number]
	if !ok && r.open[text] == name {
		delete(r.open, text)
		r.versions[name][number], want = text, text
		r.found++
	}
	if text != want || got.Version != number {
		return fmt.Errorf("version %d is %d with the text %q, want %q", number, got.Version, text, want)
	}
	return nil
}

// stored fetches a version as stored, 0 for the latest.
func (c *client) stored(name string, number int64) (fetchedPrompt, int, error) {
	path := templatePath(name)
	if number != 0 {
		path += fmt.Sprint("?version=", number)
	}
	a, err := c.call(http.MethodGet, path, nil)
	if err != nil || a.status != http.StatusOK {
		return fetchedPrompt{}, a.status, err
	}
	got, err := decode[fetchedPrompt](a)
	return got, a.status, err
}

// verifyLabels returns an error unless each label points to the version of its
// last acknowledged or interrupted move.
func (r *registry) verifyLabels(c *client, name string) error {
	labels, err := c.labels(name)
	if err != nil {
		return err
	}
	for _, p := range r.publishers {
		got := labels[p.label].Version
		if got != p.at[name] && !p.wanted(name, got) {
			return fmt.Errorf("label %s points to version %d, want %d (or the interrupted move: %+v)", p.label, got, p.at[name], p.pending)
		}
		p.at[name] = got
	}
	return nil
}
