// Package compare computes what changed between two runs of one evaluation: for
// each cell, for each column, and for the score.
//
// Columns are matched by name; columns that one run lacks are listed. Rows are
// matched by position. Runs may have different datasets: if the columns that
// both datasets have differ in a row, the runs had different inputs, and the
// cells of the row are not compared. They still count in the scores, which are
// those of the runs.
//
// More is better: a cell improved if it became true or its number increased.
//
// The confidence interval of the difference of two scores is computed with the
// jackknife: the difference is computed again without each row in turn, and the
// variation of the results shows how much depends on single rows. For means of
// numbers this is the interval of the paired t-test. Unlike the t-test, it also
// works for other scores: columns with cells that failed in one run only,
// objects with different numbers of assertions, and means of several columns,
// which are correlated. Unlike a bootstrap, it needs no random numbers and a
// single pass. Rows beyond the first 256 share 256 groups that are left out as
// a whole, so memory does not grow with the number of rows.
//
// Rows that are not compared are independent. Those of either run are a
// separate sample, whose rows are left out separately: if no rows are compared,
// the interval is that of Welch's t-test.
//
// For a few booleans that all stayed the same, or all changed in the same way,
// no method that looks only at their differences can estimate the uncertainty.
// Therefore two rows are added before the interval of booleans is computed, one
// that improved and one that worsened, following Bonett and Price (2012) for
// paired proportions. If no rows are compared, each run gets one true and one
// false row, following Agresti and Caffo (2000) for independent proportions.
package compare

import (
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Side describes the columns of one of the runs.
type Side struct {
	// Dataset are the names of the dataset columns, nil on both sides if they have
	// the same dataset.
	Dataset []string
	Columns []score.Column
}

// Row is one row of a run.
type Row struct {
	// Dataset are the values of the dataset columns.
	Dataset []jsontree.Value
	Cells   []grid.Cell
}

// Comparison compares two runs row by row.
type Comparison struct {
	pairs []pair
	// inputs are the indexes of the dataset columns that both sides have.
	inputs [][2]int
	// foreign reports whether the datasets have no column in common.
	foreign bool

	before, after *score.Tally
	result        Result
}

// pair is a column that both runs have.
type pair struct {
	name string
	// at are its indexes on both sides.
	at [2]int
	// scored reports whether it is part of the score on both sides.
	scored bool
	// columns are the column on both sides.
	columns [2]score.Column
	counts  Counts
	groups  groups
}

// New returns a comparison of a run with a later one.
func New(before, after Side) *Comparison {
	c := &Comparison{foreign: len(before.Dataset)+len(after.Dataset) > 0}
	places := make(map[string]int, len(after.Dataset))
	for i, name := range after.Dataset {
		places[name] = i
	}
	for i, name := range before.Dataset {
		if j, both := places[name]; both {
			c.inputs = append(c.inputs, [2]int{i, j})
			c.foreign = false
		}
	}
	c.match(before.Columns, after.Columns)
	c.before, c.after = c.tally(before.Columns, 0), c.tally(after.Columns, 1)
	return c
}

// match finds the columns that both runs have.
func (c *Comparison) match(before, after []score.Column) {
	places := make(map[string]int, len(after))
	for i := range after {
		places[after[i].Name] = i
	}
	isScored := [2]func(int) bool{scoredOf(before), scoredOf(after)}
	for i := range before {
		j, both := places[before[i].Name]
		if !both {
			c.result.OnlyBefore = append(c.result.OnlyBefore, before[i].Name)
			continue
		}
		delete(places, before[i].Name)
		c.pairs = append(c.pairs, pair{name: before[i].Name, at: [2]int{i, j}, scored: isScored[0](i) && isScored[1](j), columns: [2]score.Column{before[i], after[j]}})
	}
	for i := range after {
		if _, left := places[after[i].Name]; left {
			c.result.OnlyAfter = append(c.result.OnlyAfter, after[i].Name)
		}
	}
}

// scoredOf returns which columns are part of the score: the chosen ones, or the
// last.
func scoredOf(columns []score.Column) func(int) bool {
	for i := range columns {
		if columns[i].Scored {
			return func(i int) bool { return columns[i].Scored }
		}
	}
	return func(i int) bool { return i == len(columns)-1 }
}

// tally returns the tally of one side, with only the columns that are part of
// the score on both sides.
func (c *Comparison) tally(columns []score.Column, side int) *score.Tally {
	own := make([]score.Column, len(columns))
	for i := range columns {
		own[i].Name, own[i].Points = columns[i].Name, columns[i].Points
	}
	for i := range c.pairs {
		own[c.pairs[i].at[side]].Scored = c.pairs[i].scored
	}
	return score.NewTally(own)
}

// Names returns the names of the columns that both runs have, in the order of
// the earlier run, which is also the order of Changes.
func (c *Comparison) Names() []string {
	names := make([]string, len(c.pairs))
	for i := range c.pairs {
		names[i] = c.pairs[i].name
	}
	return names
}

// Add adds the next row of both runs, nil for a run that has no such row.
// Changes classifies the cells.
func (c *Comparison) Add(before, after *Row) {
	paired, rows := c.arePaired(before, after), c.result.sizes()
	switch {
	case before == nil && after == nil:
		return
	case before == nil:
		c.result.RowsOnlyAfter++
	case after == nil:
		c.result.RowsOnlyBefore++
	case paired:
		c.result.RowsCompared++
	default:
		c.result.RowsDifferent++
	}
	if before != nil {
		c.before.Add(before.Cells)
	}
	if after != nil {
		c.after.Add(after.Cells)
	}
	for i := range c.pairs {
		p := &c.pairs[i]
		one, other := cellAt(before, p.at[0]), cellAt(after, p.at[1])
		p.counts.add(p.changeOf(one, other, paired))
		p.groups.add(rows, paired, p.columns[0].MarkOf(one), p.columns[1].MarkOf(other))
	}
}

// Changes returns the change in each of the columns that both runs have.
func (c *Comparison) Changes(before, after *Row) []Change {
	changes := make([]Change, len(c.pairs))
	paired := c.arePaired(before, after)
	for i := range c.pairs {
		p := &c.pairs[i]
		changes[i] = p.changeOf(cellAt(before, p.at[0]), cellAt(after, p.at[1]), paired)
	}
	return changes
}

func cellAt(row *Row, i int) grid.Cell {
	if row == nil || i >= len(row.Cells) {
		return grid.Cell{}
	}
	return row.Cells[i]
}

// arePaired reports whether both runs have the row with the same inputs.
func (c *Comparison) arePaired(before, after *Row) bool {
	return before != nil && after != nil && c.sameInput(before, after)
}

func (c *Comparison) sameInput(before, after *Row) bool {
	if c.foreign {
		return false
	}
	for _, at := range c.inputs {
		if !sameValue(valueAt(before.Dataset, at[0]), valueAt(after.Dataset, at[1])) {
			return false
		}
	}
	return true
}

func valueAt(values []jsontree.Value, i int) jsontree.Value {
	if i < len(values) {
		return values[i]
	}
	return jsontree.Value{}
}
