package fault

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"

	"golang.org/x/sync/errgroup"
)

// lossy is what a check accepts to be missing, because the file that held it was
// damaged. The zero value accepts nothing.
type lossy struct {
	logs  map[int64]bool // numbers of logs
	notes bool           // annotations
	spans map[string]bool
	// traces are those whose closure may be lost.
	traces map[string]bool
}

// check compares everything sent since the last check with what the server has,
// and the totals of everything. Afterwards every log, version and row either is
// known to be stored, or is not.
func (m *model) check(c *client, lost lossy) error {
	return errors.Join(m.checkLogs(c, lost), m.checkTotals(c, lost), m.checkTraces(c, lost), m.checkVersions(c), m.checkSheets(c))
}

// checkEverything compares everything that was ever sent.
func (m *model) checkEverything(c *client, lost lossy) error {
	clear(m.checked)
	clear(m.unchecked)
	for _, e := range m.logs {
		m.unchecked[e.tag] = append(m.unchecked[e.tag], e)
	}
	for _, s := range m.sheets {
		s.checked = false
	}
	for _, t := range m.trees {
		t.checked = false
	}
	return m.check(c, lost)
}

func (m *model) checkLogs(c *client, lost lossy) error {
	for tag, sent := range m.unchecked {
		found, err := c.search(tagged(tag))
		if err != nil {
			return err
		}
		stored, err := m.identify(tag, found)
		if err != nil {
			return err
		}
		for _, e := range sent {
			if err := m.settle(e, stored, lost); err != nil {
				return err
			}
		}
		if err := m.compareContents(c, sent, lost); err != nil {
			return err
		}
		delete(m.unchecked, tag)
	}
	return nil
}

// identify returns the logs of a search by their numbers.
func (m *model) identify(tag string, found page) (map[int64]item, error) {
	if int64(len(found.Items)+len(found.Damaged)) != found.Total {
		return nil, fmt.Errorf("a search with the total %d returned %d logs and the IDs of %d damaged ones", found.Total, len(found.Items), len(found.Damaged))
	}
	stored := map[int64]item{}
	for _, i := range found.Items {
		if i.InputTokens < 1 || i.InputTokens > int64(len(m.logs)) || m.logs[i.InputTokens-1].tag != tag {
			return nil, fmt.Errorf("log %d with tag %s and %d tokens was never sent", i.ID, tag, i.InputTokens)
		}
		if other, ok := stored[i.InputTokens]; ok {
			return nil, fmt.Errorf("%s is stored twice, as %d and %d", m.logs[i.InputTokens-1].word(), other.ID, i.ID)
		}
		stored[i.InputTokens] = i
	}
	return stored, nil
}

// settle compares one log with what is stored.
func (m *model) settle(e *entry, stored map[int64]item, lost lossy) error {
	m.figures.checks++
	got, ok := stored[e.number]
	switch {
	case !ok && e.id != 0 && !lost.logs[e.number]:
		return fmt.Errorf("log %d (%s, tag %s) was acknowledged and is lost", e.id, e.word(), e.tag)
	case !ok && e.id == 0 && !e.gone:
		m.figures.unanswered++
		e.gone = true
		return nil
	case !ok:
		return nil
	case e.gone:
		return fmt.Errorf("%s has appeared as log %d, after it was not stored", e.word(), got.ID)
	case e.id == 0:
		m.figures.unanswered++
		m.figures.found++
		if err := m.adopt(e, got.ID); err != nil {
			return err
		}
	case e.id != got.ID:
		return fmt.Errorf("%s was acknowledged as log %d and is stored as %d", e.word(), e.id, got.ID)
	}
	return e.settleNotes(got, lost)
}

func (e *entry) settleNotes(i item, lost lossy) error {
	got, err := notesOf(i)
	if err != nil {
		return err
	}
	if got != e.noted && (e.sending == nil || got != *e.sending) && !lost.notes {
		return fmt.Errorf("log %d has the annotations %+v, want %+v (or %+v)", e.id, got, e.noted, e.sending)
	}
	if !lost.notes {
		e.noted, e.sending = got, nil
	}
	return nil
}

func notesOf(i item) (n notes, err error) {
	for _, s := range i.Scores {
		n.Score = s.Score
	}
	for _, object := range i.Metadata {
		if step, ok := object["step"]; ok {
			err = json.Unmarshal(step, &n.Step)
		}
	}
	return n, err
}

// compareContents fetches each log by its ID and finds it by its word.
func (m *model) compareContents(c *client, entries []*entry, lost lossy) error {
	var group errgroup.Group
	group.SetLimit(4)
	for n, e := range entries {
		if e.id == 0 {
			continue
		}
		m.figures.checks++
		group.Go(func() error {
			err := e.compareContent(c)
			if lost.logs[e.number] && unreadable(err) {
				return nil
			}
			if err != nil || n%8 != 0 || lost.logs[e.number] {
				return err
			}
			return e.findByWord(c)
		})
	}
	return group.Wait()
}

// unreadable reports whether a log was answered to be damaged or unknown.
func unreadable(err error) bool {
	e, ok := errors.AsType[*statusError](err)
	return ok && (e.status == http.StatusNotFound || e.status == http.StatusInternalServerError && regexp.MustCompile(`"data_damaged"`).Match(e.body))
}

func (e *entry) compareContent(c *client) error {
	got, err := ask[struct {
		ID          int64  `json:"request_id"`
		InputTokens int64  `json:"input_tokens"`
		Blueprint   prompt `json:"prompt_blueprint"`
	}](c, http.MethodGet, fmt.Sprint(requestsPath, e.id), nil)
	if err != nil {
		return fmt.Errorf("get %s: %w", e.word(), err)
	}
	messages := got.Blueprint.Template.Messages
	if got.ID != e.id || got.InputTokens != e.number || len(messages) != 2 || messages[0].Content[0].Text != e.text() {
		return fmt.Errorf("log %d is %+v, want %s", e.id, got, e.text())
	}
	return nil
}

func (e *entry) findByWord(c *client) error {
	found, err := c.search(object{"q": e.word()})
	if err == nil && (found.Total != 1 || len(found.Items) != 1 || found.Items[0].ID != e.id) {
		err = fmt.Errorf("a search for %s found %d logs, want only log %d", e.word(), found.Total, e.id)
	}
	return err
}

// checkTotals compares the totals of analytics. Each log has a different number
// of tokens, so a missing log cannot compensate for one that is counted twice.
func (m *model) checkTotals(c *client, lost lossy) error {
	got, err := ask[totals](c, http.MethodPost, analyticsPath, object{})
	if err != nil {
		return err
	}
	least := m.known
	for number := range lost.logs {
		least.Requests--
		least.Tokens -= number
	}
	if got.Requests > m.known.Requests || got.Tokens > m.known.Tokens || got.Requests < least.Requests || got.Tokens < least.Tokens {
		return fmt.Errorf("analytics: %+v, want %+v", got, m.known)
	}
	return nil
}

// checkVersions returns an error unless the versions of each template have no
// gaps, each is known or its request was interrupted, and each label points to
// the version of its last move.
func (m *model) checkVersions(c *client) error {
	for _, name := range templates {
		if err := m.checkTemplate(c, name); err != nil {
			return fmt.Errorf("template %s: %w", name, err)
		}
		if err := m.checkLabels(c, name); err != nil {
			return fmt.Errorf("template %s: %w", name, err)
		}
	}
	clear(m.open)
	for _, p := range m.publishers {
		p.pending = nil
	}
	return nil
}

func (m *model) checkTemplate(c *client, name string) error {
	last, err := c.version(name, 0)
	if e, ok := errors.AsType[*statusError](err); ok && e.status == http.StatusNotFound && len(m.texts[name]) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for number := m.checked[name] + 1; number <= last.Version; number++ {
		got, err := c.version(name, number)
		if err != nil {
			return fmt.Errorf("version %d of %d: %w", number, last.Version, err)
		}
		m.figures.checks++
		if _, ok := m.texts[name][number]; !ok && m.open[got.text()] == name {
			m.texts[name][number] = got.text()
			delete(m.open, got.text())
		}
		if want := m.texts[name][number]; got.text() != want || got.Version != number {
			return fmt.Errorf("version %d is %d with the text %q, want %q", number, got.Version, got.text(), want)
		}
	}
	for number := range m.texts[name] {
		if number > last.Version {
			return fmt.Errorf("version %d was acknowledged, the latest is %d", number, last.Version)
		}
	}
	m.checked[name] = last.Version
	return nil
}

// version fetches a version as stored, 0 for the latest.
func (c *client) version(template string, number int64) (prompt, error) {
	path := templatePath(template)
	if number != 0 {
		path += fmt.Sprint("?version=", number)
	}
	return ask[prompt](c, http.MethodGet, path, nil)
}

func (m *model) checkLabels(c *client, name string) error {
	if len(m.texts[name]) == 0 {
		return nil
	}
	labels, err := c.labels(name)
	if err != nil {
		return err
	}
	for _, p := range m.publishers {
		got := labels[p.label].Version
		if !p.mayBeAt(name, got) {
			return fmt.Errorf("label %s points to version %d, want %d (or the interrupted move %+v)", p.label, got, p.at[name], p.pending)
		}
		p.at[name] = got
		m.figures.checks++
	}
	return nil
}

// checkSheets returns an error unless each dataset has its acknowledged rows in
// order, and either all or none of the rows of an interrupted request.
func (m *model) checkSheets(c *client) error {
	for _, s := range m.sheets {
		if s.checked {
			continue
		}
		got, err := c.rows(s.draft)
		if err != nil {
			return err
		}
		total := int64(len(got))
		if total != s.rows && total != s.rows+s.pending {
			return fmt.Errorf("dataset %d has %d rows, want %d (or %d more)", s.draft, total, s.rows, s.pending)
		}
		for i, n := range got {
			if n != int64(i)+1 {
				return fmt.Errorf("row %d of dataset %d is %d", i+1, s.draft, n)
			}
		}
		s.rows, s.pending, s.checked = total, 0, true
		m.figures.checks++
	}
	return nil
}

func (c *client) rows(dataset int64) (rows []int64, err error) {
	for number := 1; ; number++ {
		got, err := ask[struct {
			Pages int
			Rows  [][]struct{ Value int64 }
		}](c, http.MethodGet, datasetsPath+fmt.Sprintf("%d/rows?per_page=100&page=%d", dataset, number), nil)
		if err != nil {
			return nil, err
		}
		for _, row := range got.Rows {
			rows = append(rows, row[0].Value)
		}
		if number >= got.Pages {
			return rows, nil
		}
	}
}

var (
	metricsOn     = regexp.MustCompile(`Metrics are on (http://\S+)/metrics`)
	damagedBlocks = regexp.MustCompile(`(?m)^promptuary_damaged_blocks (\S+)$`)
)

// damaged returns the number of damaged blocks that the server reports.
func (p *process) damaged() (int, error) {
	address := metricsOn.FindStringSubmatch(p.stdout.String())
	if address == nil {
		return 0, errors.New("the server has not printed the address of its metrics")
	}
	a, err := (&client{address: address[1], http: p.http}).call(http.MethodGet, "/metrics", nil)
	if err != nil {
		return 0, err
	}
	match := damagedBlocks.FindSubmatch(a.body)
	if match == nil {
		return 0, errors.New("/metrics has no promptuary_damaged_blocks")
	}
	return strconv.Atoi(string(match[1]))
}
