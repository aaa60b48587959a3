package embedded

import (
	"cmp"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// gone is everything that deletions have hidden and that may still be in files.
type gone struct {
	logs, texts textindex.Set
	// spans and closures are sorted.
	spans, closures []table.DeletedKey
	removals        removals
}

// newGone returns what is gone according to the table. Removals of metadata and scores are
// read from the journal; damaged is the size of those that cannot be.
func (c *reclaimer) newGone(d *table.Deleted) (g *gone, damaged int64, err error) {
	g = &gone{spans: d.Spans, closures: d.Closures}
	for _, id := range d.Logs {
		g.logs.Add(id)
	}
	for _, id := range d.Texts {
		g.texts.Add(id)
	}
	for _, keys := range [...][]table.DeletedKey{g.spans, g.closures} {
		slices.SortFunc(keys, func(a, b table.DeletedKey) int { return cmp.Or(cmp.Compare(a.Key, b.Key), cmp.Compare(b.At, a.At)) })
	}
	damaged, err = c.readRemovals(d.Removals, &g.removals)
	return g, damaged, err
}

// hasKey reports whether the record of a key in a block is gone. One with the same
// key that was written after the deletion stays.
func hasKey(keys []table.DeletedKey, key int64, block journal.Position) bool {
	i, found := slices.BinarySearchFunc(keys, key, func(k table.DeletedKey, key int64) int { return cmp.Compare(k.Key, key) })
	return found && block <= keys[i].At // the last deletion of a key is its first entry
}

// keep is a journal.Keep that leaves out what is gone. Records keep their slots:
// those that go are empty.
func (g *gone) keep(at journal.Position, records [][]byte) (kept [][]byte, changed bool) {
	for i, raw := range records {
		left, differs := g.left(raw, journal.Place{Block: at, Slot: int64(i)})
		if !differs {
			continue
		}
		if !changed {
			kept, changed = slices.Clone(records), true
		}
		kept[i] = left
	}
	if !changed {
		return records, false
	}
	return kept, true
}

// left returns what stays of a record. One that cannot be read stays as it is.
func (g *gone) left(r record, at journal.Place) (left []byte, changed bool) {
	if !r.valid() {
		return r, false
	}
	id := r.id()
	switch r.kind() {
	case recordLog:
		if g.logs.Has(id) {
			return nil, true
		}
		return g.ofLog(r, at)
	case recordAnnotation:
		if g.logs.Has(id) {
			return nil, true
		}
		return g.ofAnnotation(r, at)
	case recordSpan:
		if hasKey(g.spans, id, at.Block) {
			return nil, true
		}
	case recordClosure:
		if hasKey(g.closures, id, at.Block) {
			return nil, true
		}
	case recordPrices:
		return g.prices(r)
	}
	return r, false
}

// ofLog returns what stays of the record of a log: without what was said, or without
// metadata and scores.
func (g *gone) ofLog(r record, at journal.Place) ([]byte, bool) {
	texts, removed := g.texts.Has(r.id()), g.removals.of(r.id(), at)
	if !texts && len(removed) == 0 {
		return r, false
	}
	l, err := decodeWhole(r)
	if err != nil {
		return r, false
	}
	changed := texts && !l.TextsDeleted
	if changed {
		l.DropTexts()
	}
	for _, removal := range removed {
		changed = removal.RemoveFrom(l) || changed
	}
	if !changed {
		return r, false
	}
	left, err := appendLog(nil, l)
	if err != nil {
		return r, false
	}
	return left, true
}

// ofAnnotation returns what stays of an annotation: without input variables, or
// without metadata and scores.
func (g *gone) ofAnnotation(r record, at journal.Place) ([]byte, bool) {
	texts, removed := g.texts.Has(r.id()), g.removals.of(r.id(), at)
	if !texts && len(removed) == 0 {
		return r, false
	}
	a, err := document.DecodeAnnotation(r[recordHeader:])
	if err != nil {
		return r, false
	}
	changed := texts && len(a.Variables) > 0
	if changed {
		a.Variables = nil
	}
	for _, removal := range removed {
		left, differs := a.Without(removal)
		a, changed = left, changed || differs
	}
	switch {
	case !changed:
		return r, false
	case a.Empty():
		return nil, true
	}
	encoded, err := document.EncodeAnnotation(a)
	if err != nil {
		return r, false
	}
	return append(appendHeader(nil, recordAnnotation, r.id(), r.workspace()), encoded...), true
}

// prices returns a change of prices without those of deleted logs.
func (g *gone) prices(r record) ([]byte, bool) {
	c, err := decodePriceChange(r)
	if err != nil || len(c.Prices) == 0 {
		return r, false
	}
	before := len(c.Prices)
	c.Prices = slices.DeleteFunc(c.Prices, func(p reqlog.NewPrice) bool { return g.logs.Has(p.ID) })
	switch len(c.Prices) {
	case before:
		return r, false
	case 0:
		return nil, true
	}
	return appendPriceChange(nil, c), true
}
