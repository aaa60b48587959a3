package fault

import (
	"fmt"
	"strings"
	"sync"
)

// model is what the clients have sent to an installation and what it has
// acknowledged. Requests without a response may or may not have been executed,
// but never in part; the check after the next start finds out.
type model struct {
	mu   sync.Mutex
	logs []*entry // everything sent, by number - 1
	byID map[int64]*entry
	// unchecked are the logs sent since the last check, by their tags.
	unchecked map[string][]*entry
	known     totals // of the logs that are stored
	// texts are the texts of known versions by template and number, and open the
	// templates of texts that were sent without a response.
	texts   map[string]map[int64]string
	open    map[string]string
	checked map[string]int64 // highest version that was checked, by template
	drawn   int
	// publishers move labels, each its own.
	publishers []*publisher
	sheets     []*sheet
	figures    figures
}

// templates are the names of the prompt templates.
var templates = []string{"alpha", "team/beta"}

func newModel() *model {
	m := &model{
		byID: map[int64]*entry{}, unchecked: map[string][]*entry{}, texts: map[string]map[int64]string{}, open: map[string]string{},
		checked: map[string]int64{}, figures: figures{faults: map[string]int{}},
	}
	for _, name := range templates {
		m.texts[name] = map[int64]string{}
	}
	for n := range 2 {
		m.publishers = append(m.publishers, &publisher{model: m, label: fmt.Sprint("label-", n), at: map[string]int64{}})
	}
	return m
}

// figures count what a campaign did.
type figures struct {
	faults                               map[string]int
	acknowledged, unanswered, found      int // logs; found: stored without a response
	versions, rows, annotations, refused int
	checks                               int
	missed                               int // stopped before the chosen point came
}

func (f figures) String() string {
	return fmt.Sprintf("%d logs, %d annotations, %d versions and %d rows acknowledged; %d logs without a response, %d of them stored; "+
		"%d requests refused; %d comparisons; %d stops before the chosen point",
		f.acknowledged, f.annotations, f.versions, f.rows, f.unanswered, f.found, f.refused, f.checks, f.missed)
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

// text returns the input: the word, and up to 6 KB that depend on the number.
func (e *entry) text() string {
	mixed := uint64(e.number) * 0x9e3779b97f4a7c15
	return fmt.Sprintf("what about %s? %s", e.word(), strings.Repeat(fmt.Sprintf("%x ", mixed), int(mixed>>32%360)))
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
	if other, ok := m.texts[template][version]; ok {
		return fmt.Errorf("version %d of %s was assigned twice, for %q and %q", version, template, other, text)
	}
	m.texts[template][version] = text
	delete(m.open, text)
	m.figures.versions++
	return nil
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
