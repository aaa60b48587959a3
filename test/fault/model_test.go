package fault

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
)

// model is what the clients have sent to an installation and what it has
// acknowledged. Requests without a response may or may not have been executed,
// but never in part; the check after the next start finds out.
type model struct {
	*catalog
	logs []*entry // everything sent, by number - 1
	// unchecked are the logs sent since the last check, by their tags.
	unchecked map[string][]*entry
	known     totals // of the logs that are stored
	// publishers move labels, each its own.
	publishers []*publisher
	sheets     []*sheet
	trees      []*tree
	planted    int // trees of earlier loads, which the next ones go on with
	spans      int // drawn
	figures    figures
}

// catalog is the part of a model that servers with the same catalog share.
type catalog struct {
	mu   sync.Mutex // guards the models too
	byID map[int64]*entry
	// texts are the texts of known versions by template and number, and open the
	// templates of texts that were sent without a response.
	texts   map[string]map[int64]string
	open    map[string]string
	checked map[string]int64 // highest version that was checked, by template
	drawn   int
	labels  int // labels in use
}

// templates are the names of the prompt templates.
var templates = []string{"alpha", "team/beta"}

func newModel() *model {
	c := &catalog{byID: map[int64]*entry{}, texts: map[string]map[int64]string{}, open: map[string]string{}, checked: map[string]int64{}}
	for _, name := range templates {
		c.texts[name] = map[int64]string{}
	}
	return c.newModel()
}

// newModel returns the model of a server with this catalog.
func (c *catalog) newModel() *model {
	m := &model{catalog: c, unchecked: map[string][]*entry{}, figures: figures{faults: map[string]int{}}}
	m.addPublishers()
	return m
}

// addPublishers adds the publishers of one server.
func (m *model) addPublishers() {
	for range 2 {
		m.publishers = append(m.publishers, &publisher{model: m, label: fmt.Sprint("label-", m.labels), at: map[string]int64{}})
		m.labels++
	}
}

// figures count what a campaign did.
type figures struct {
	faults                               map[string]int
	acknowledged, unanswered, found      int // logs; found: stored without a response
	versions, rows, annotations, refused int
	spans, closures                      int // acknowledged, each time that they were sent
	checks                               int
	missed                               int // stopped before the chosen point came
	kills                                int // with kill -9
}

// countKill counts a process that was killed.
func (f *figures) countKill(p *process) {
	if p.hasExited() && p.cmd.ProcessState.ExitCode() == -1 {
		f.kills++
	}
}

func (f figures) String() string {
	return fmt.Sprintf("%d kills; %d logs, %d annotations, %d spans, %d closed traces, %d versions and %d rows acknowledged; %d logs without a response, %d of them stored; "+
		"%d requests refused; %d comparisons; %d stops before the chosen point",
		f.kills, f.acknowledged, f.annotations, f.spans, f.closures, f.versions, f.rows, f.unanswered, f.found, f.refused, f.checks, f.missed)
}

// entry is a log that was sent.
type entry struct {
	number int64 // also its number of tokens, which identifies it
	tag    string
	id     int64 // 0 until it is acknowledged or found
	gone   bool  // without a response, and not stored
	// noted is the acknowledged state of the annotations. If the response to an
	// annotation is missing, the server has either noted or sending.
	noted   notes
	sending *notes
}

// notes is the state of the annotations of a log; 0 means not set.
type notes struct{ Step, Score int64 }

// word returns a word that only this log has. Words of equal length with digits
// are neither prefixes nor misspellings of each other.
func (e *entry) word() string { return fmt.Sprintf("zq%08d", e.number) }

// text returns the input: the word, and up to 6 KB that depend on the number. In
// every eighth log they cannot be compressed.
func (e *entry) text() string {
	mixed := uint64(e.number) * 0x9e3779b97f4a7c15
	noise := rand.New(rand.NewPCG(mixed, 0))
	var b strings.Builder
	fmt.Fprintf(&b, "what about %s? ", e.word())
	for range mixed >> 32 % 360 {
		fmt.Fprintf(&b, "%x ", mixed)
		if e.number%8 == 0 {
			mixed = noise.Uint64()
		}
	}
	return b.String()
}

func (e *entry) body() object {
	return object{
		"provider": "openai", "model": "gpt-4o", "input": chat("user", e.text()), "output": chat("assistant", "nothing at all"),
		"request_start_time": "2026-01-02T03:04:05Z", "request_end_time": "2026-01-02T03:04:06Z",
		"input_tokens": e.number, "tags": []string{e.tag},
	}
}

// draw returns a new log that counts as sent.
func (m *model) draw(tag string) *entry {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := &entry{number: int64(len(m.logs)) + 1, tag: tag}
	m.logs = append(m.logs, e)
	m.unchecked[tag] = append(m.unchecked[tag], e)
	return e
}

// acknowledge records the ID of a log.
func (m *model) acknowledge(e *entry, id int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.figures.acknowledged++
	return m.adopt(e, id)
}

// adopt records that a log is stored. The caller holds mu.
func (m *model) adopt(e *entry, id int64) error {
	if other := m.byID[id]; other != nil || id == 0 {
		return fmt.Errorf("ID %d was assigned to %s and to %+v", id, e.word(), other)
	}
	e.id, m.byID[id] = id, e
	m.known.Requests++
	m.known.Tokens += e.number
	return nil
}

// drawText returns a unique text for a version of a template.
func (m *model) drawText(template string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.drawn++
	text := fmt.Sprintf("text %d of {name}", m.drawn)
	m.open[text] = template
	return text
}

// keepVersion records an acknowledged version.
func (m *model) keepVersion(template, text string, version int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.figures.versions++
	return m.adoptVersion(template, text, version)
}

// adoptVersion records that a version is stored. The caller holds mu.
func (m *model) adoptVersion(template, text string, version int64) error {
	if other, ok := m.texts[template][version]; ok {
		return fmt.Errorf("version %d of %s was assigned twice, for %q and %q", version, template, other, text)
	}
	m.texts[template][version] = text
	delete(m.open, text)
	return nil
}

// foundVersion records that a version of an interrupted request is stored.
func (m *model) foundVersion(template, text string, version int64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open[text] != template {
		return nil // it is known, or compared later
	}
	return m.adoptVersion(template, text, version)
}

// publisher is one of several clients that publish versions of the same
// templates. Only the publisher moves its label.
type publisher struct {
	model *model
	label string
	at    map[string]int64 // the acknowledged version of the label, by template
	// pending is the last move of the label, if it got no response: to a version,
	// or to the one with the text.
	pending *labelMove
}

type labelMove struct {
	template string
	version  int64
	text     string
}

// mayBeAt reports whether the label may point to the version.
func (p *publisher) mayBeAt(template string, version int64) bool {
	if version == p.at[template] {
		return true
	}
	move := p.pending
	return move != nil && move.template == template && version != 0 &&
		(version == move.version || p.model.texts[template][version] == move.text)
}

// sheet is a dataset to which one client adds rows: "1", "2", and so on.
type sheet struct {
	group, draft int64
	rows         int64 // acknowledged
	pending      int64 // rows sent after them, without a response
	checked      bool
}
