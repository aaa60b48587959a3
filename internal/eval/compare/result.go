package compare

import (
	"math"

	"github.com/promptuary/promptuary/internal/eval/score"
)

// Result describes what changed between two runs.
type Result struct {
	// RowsCompared is the number of rows that both runs have with the same inputs,
	// RowsDifferent of those with different dataset values.
	RowsCompared, RowsDifferent int64
	// RowsOnlyBefore and RowsOnlyAfter are the numbers of rows that only one run
	// has.
	RowsOnlyBefore, RowsOnlyAfter int64
	// Columns are those that both runs have, in the order of the earlier one;
	// OnlyBefore and OnlyAfter are the names of the others.
	Columns               []ColumnResult
	OnlyBefore, OnlyAfter []string
	// Overall is the difference of the scores over the columns that are part of
	// the score in both runs. It ignores scores computed by user code.
	Overall Difference
}

// sizes returns the number of rows of each sample.
func (r *Result) sizes() sizes {
	return sizes{
		inBoth: r.RowsCompared, inBefore: r.RowsDifferent + r.RowsOnlyBefore, inAfter: r.RowsDifferent + r.RowsOnlyAfter,
	}
}

// ColumnResult describes what changed in one column.
type ColumnResult struct {
	Name string
	// Scored reports whether the column is part of Overall.
	Scored bool
	// Kind is that of both scores, "" if one is missing or they differ.
	Kind   score.Kind
	Counts Counts
	Difference
}

// Difference is the change of a score. Unknown values are nil.
type Difference struct {
	Before, After *float64
	// Change is After minus Before.
	Change *float64
	// Low and High are the bounds of the 95 % confidence interval of Change, nil
	// if it depends on too few rows.
	Low, High *float64
}

// Result returns what changed in the rows until now.
func (c *Comparison) Result() Result {
	result := c.result
	result.Columns = make([]ColumnResult, len(c.pairs))
	before, after := c.before.Columns(), c.after.Columns()
	var scored []scoredPair
	for i := range c.pairs {
		p := &c.pairs[i]
		one := scoredPair{groups: &p.groups, before: before[p.at[0]].Kind, after: after[p.at[1]].Kind}
		result.Columns[i] = ColumnResult{Name: p.name, Scored: p.scored, Counts: p.counts}
		column := &result.Columns[i]
		column.Before, column.After = before[p.at[0]].Score, after[p.at[1]].Score
		if one.before == one.after && one.before != "" {
			column.Kind = one.before
			column.measure([]scoredPair{one}, result.sizes())
		}
		if p.scored {
			scored = append(scored, one)
		}
	}
	if len(scored) > 0 {
		result.Overall.Before, result.Overall.After = c.before.Result().Overall, c.after.Result().Overall
		result.Overall.measure(scored, result.sizes())
	}
	return result
}

// measure computes the change between two scores and its interval.
func (d *Difference) measure(pairs []scoredPair, rows sizes) {
	if d.Before == nil || d.After == nil {
		return
	}
	change := *d.After - *d.Before
	if math.IsInf(change, 0) {
		return
	}
	d.Change = &change
	low, high, ok := intervalOf(pairs, rows)
	if !ok {
		return
	}
	if areBoolean(pairs) {
		low, high = max(low, -100), min(high, 100)
	}
	d.Low, d.High = &low, &high
}
