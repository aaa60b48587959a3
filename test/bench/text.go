package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/demo"
)

// textCase is a free-text search. Known is the expected number of logs,
// negative if only the text index can tell.
type textCase struct {
	name  string
	q     string
	known int
	// aimless searches have no aim, because they take the text index less time
	// than an HTTP request.
	aimless bool
}

func (b *bench) textCases() []textCase {
	rare := demo.Rare.Count(b.logs)
	both := demo.CountBoth(demo.Frequent, demo.Occasional, b.logs)
	return []textCase{
		{name: "rare word", q: demo.Rare.Word, known: rare},
		{name: "identifier", q: b.gen.Identifier(b.logs / 2), known: 1, aimless: true},
		{name: "misspelt word", q: "marizpan", known: rare},
		{name: "prefix", q: "marzipa", known: rare},
		{name: "prefix of many words", q: "subscr", known: -1},
		{name: "two words", q: demo.Frequent.Word + " " + demo.Occasional.Word, known: both},
		{name: "rare and common word", q: demo.Frequent.Word + " customer", known: -1},
		{name: "common word", q: "customer", known: -1},
	}
}

func (t textCase) body(page int) []byte {
	q, err := json.Marshal(t.q)
	if err != nil {
		panic(err) // a string can always be encoded
	}
	return fmt.Appendf(nil, `{"q":%s,"page":%d,"per_page":10}`, q, page)
}

func (b *bench) textBodies() [][]byte {
	var bodies [][]byte
	for _, t := range b.textCases() {
		bodies = append(bodies, t.body(1))
	}
	return bodies
}

// measureText compares the times and totals of the free-text searches.
func (b *bench) measureText() error {
	cases := b.textCases()
	anchors := make([]time.Duration, len(cases))
	for i, t := range cases {
		var err error
		anchors[i], err = medianOf(func() error {
			return b.textAnchor(t.q)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
		if err := b.compareText(t); err != nil {
			return err
		}
	}
	ours := make([]time.Duration, len(cases))
	if !b.anchorsOnly {
		var err error
		if ours, err = b.timeSearches(b.textBodies()); err != nil {
			return err
		}
		b.text = ours
	}
	for i, t := range cases {
		if t.aimless {
			b.report.compare("text: "+t.name, b.ours(milliseconds(ours[i])), milliseconds(anchors[i]), "", nil)
			continue
		}
		b.report.atMost("text: "+t.name, b.ours(milliseconds(ours[i])), milliseconds(anchors[i]), b.textAim())
	}
	return nil
}

// textAim is how much longer than on the plain engine a free-text search may take.
func (b *bench) textAim() float64 {
	if b.house != nil {
		return 2
	}
	return 1.5
}

// textAnchor runs a free-text search on the plain engine.
func (b *bench) textAnchor(q string) error {
	if b.house != nil {
		return b.house.text(b.fts.words(q))
	}
	_, _, err := b.fts.search(q)
	return err
}

// compareText compares the totals with each other and with those of the
// generator, and checks some of the logs.
func (b *bench) compareText(t textCase) error {
	total, _, err := b.fts.search(t.q)
	if err != nil {
		return err
	}
	b.progress("%q: %d logs", t.q, total)
	if t.known >= 0 {
		b.report.same("FTS5's total of text: "+t.name, total, int64(t.known))
	}
	if b.anchorsOnly {
		return nil
	}
	c, err := b.server.connect()
	if err != nil {
		return err
	}
	defer c.close()
	pages := max(1, int(total+9)/10)
	for _, page := range slices.Compact([]int{1, (pages + 1) / 2, pages}) {
		found, err := searchProgram(c, t.body(page))
		if err != nil {
			return err
		}
		right, err := b.fts.holds(t.q, found.ids())
		if err != nil {
			return err
		}
		if page == 1 {
			b.report.same("total of text: "+t.name, found.Total, total)
		}
		b.report.same(fmt.Sprintf("logs on page %d that match text: %s", page, t.name), right, len(found.Items))
	}
	return nil
}

// ours returns the quantity, or none if only the plain engines run.
func (b *bench) ours(q quantity) quantity {
	if b.anchorsOnly {
		return quantity{}
	}
	return q
}
