package compare

import (
	"bytes"
	"cmp"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Change is what changed in a cell.
type Change string

// What can change in a cell.
const (
	// Same means that the value is the same, or that the cell failed in both
	// runs.
	Same Change = "same"
	// Improved means that it became true, more of its assertions hold, or its
	// number rose.
	Improved Change = "improved"
	// Worsened is the opposite of Improved.
	Worsened Change = "worsened"
	// Changed means that the value is another one, neither better nor worse.
	Changed Change = "changed"
	// NowFails means that only the later run failed to compute it.
	NowFails Change = "now_fails"
	// NoLongerFails means that only the earlier run failed to compute it.
	NoLongerFails Change = "no_longer_fails"
	// Pending means that one of the runs has not computed it.
	Pending Change = "pending"
	// NotCompared means that one of the runs has no such row, or had another
	// row of a dataset to work on.
	NotCompared Change = "not_compared"
)

// Counts says how many cells of a column changed in which way.
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

func changeOf(before, after grid.Cell, paired bool) Change {
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
	switch direction(score.MarkOf(before), score.MarkOf(after)) {
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

// direction returns 1 for what improved, -1 for what worsened, and 0 for what
// cannot be told or stayed.
func direction(before, after score.Mark) int {
	isScored := before.Kind == score.Boolean || before.Kind == score.Numeric
	if before.Kind != after.Kind || !isScored || before.Count == 0 || after.Count == 0 {
		return 0
	}
	return cmp.Compare(after.Sum/float64(after.Count), before.Sum/float64(before.Count))
}

// sameValue reports whether two values are the same, however strings and
// numbers are written. Objects are the same with their keys in one order.
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
