package compare

import (
	"bytes"
	"cmp"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Change classifies how a cell changed.
type Change string

// The classes of changes.
const (
	// Same means that the value did not change, or that the cell failed in both
	// runs.
	Same Change = "same"
	// Improved means that the value became true, that more of its assertions hold,
	// or that its number increased.
	Improved Change = "improved"
	// Worsened is the opposite of Improved.
	Worsened Change = "worsened"
	// Changed means that the value changed, but is neither better nor worse.
	Changed Change = "changed"
	// NowFails means that only the later run failed to compute the cell.
	NowFails Change = "now_fails"
	// NoLongerFails means that only the earlier run failed to compute the cell.
	NoLongerFails Change = "no_longer_fails"
	// Pending means that one of the runs has not computed the cell.
	Pending Change = "pending"
	// NotCompared means that one of the runs has no such row, or that the runs had
	// different dataset rows.
	NotCompared Change = "not_compared"
)

// Counts are the numbers of cells of a column by change.
type Counts struct {
	Same, Improved, Worsened, Changed int64
	NowFails, NoLongerFails           int64
	Pending, NotCompared              int64
}

func (c *Counts) add(change Change) {
	switch change {
	case Same:
		c.Same++
	case Improved:
		c.Improved++
	case Worsened:
		c.Worsened++
	case Changed:
		c.Changed++
	case NowFails:
		c.NowFails++
	case NoLongerFails:
		c.NoLongerFails++
	case Pending:
		c.Pending++
	case NotCompared:
		c.NotCompared++
	}
}

func (p *pair) changeOf(before, after grid.Cell, paired bool) Change {
	switch {
	case !paired:
		return NotCompared
	case !before.Status.Final() || !after.Status.Final():
		return Pending
	case before.Status == grid.Failed && after.Status == grid.Failed:
		return Same
	case after.Status == grid.Failed:
		return NowFails
	case before.Status == grid.Failed:
		return NoLongerFails
	}
	switch direction(p.columns[0].MarkOf(before), p.columns[1].MarkOf(after)) {
	case 1:
		return Improved
	case -1:
		return Worsened
	}
	if sameValue(before.Value, after.Value) {
		return Same
	}
	return Changed
}

// direction returns 1 if the cell improved, -1 if it worsened, and 0 if it
// stayed the same or cannot be compared.
func direction(before, after score.Mark) int {
	isScored := before.Kind == score.Boolean || before.Kind == score.Numeric
	if before.Kind != after.Kind || !isScored || before.Count == 0 || after.Count == 0 {
		return 0
	}
	return cmp.Compare(after.Sum/float64(after.Count), before.Sum/float64(before.Count))
}

// sameValue reports whether two values are equal, regardless of how strings and
// numbers are written. The order of keys in objects matters.
func sameValue(before, after jsontree.Value) bool {
	if !before.Given() || !after.Given() {
		return before.Given() == after.Given()
	}
	if bytes.Equal(before.Raw(), after.Raw()) {
		return true
	}
	if before.Kind() != after.Kind() {
		return false
	}
	switch before.Kind() {
	case jsontree.String:
		return before.Str() == after.Str()
	case jsontree.Number:
		x, xFits := before.Float()
		y, yFits := after.Float()
		return xFits && yFits && x == y
	default:
		return bytes.Equal(before.Compact(), after.Compact())
	}
}
