package compare_test

import (
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval/compare"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// TestPointsAreCompared has a column whose texts count as points.
func TestPointsAreCompared(t *testing.T) {
	t.Parallel()
	grades := side("*g")
	grades.Columns[0].Points = func(value jsontree.Value) (float64, bool) {
		return map[string]float64{"good": 100, "bad": 0}[value.Str()], true
	}
	c := compare.New(grades, grades)
	for _, cells := range [][2]string{{`[["bad"]]`, `[["good"]]`}, {`[["good"]]`, `[["bad"]]`}, {`[["bad"]]`, `[["good"]]`}} {
		before, after := row(t, cells[0], ""), row(t, cells[1], "")
		c.Add(before, after)
		if want := map[string]compare.Change{`[["good"]]`: compare.Improved, `[["bad"]]`: compare.Worsened}[cells[1]]; c.Changes(before, after)[0] != want {
			t.Errorf("%v is %v, want %v", cells, c.Changes(before, after), want)
		}
	}
	result := c.Result()
	check.Equal(t, "counts", []int64{result.Columns[0].Counts.Improved, result.Columns[0].Counts.Worsened}, []int64{2, 1})
	near(t, "score", result.Overall.Before, 100.0/3, 1e-9)
}

func TestChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, before, after string
		want                compare.Change
	}{
		{"true to true", `[[true]]`, `[[true]]`, compare.Same},
		{"false to true", `[[false]]`, `[[true]]`, compare.Improved},
		{"true to false", `[[true]]`, `[[false]]`, compare.Worsened},
		{"number rose", `[[1]]`, `[[1.5]]`, compare.Improved},
		{"number fell", `[[-1]]`, `[[-2]]`, compare.Worsened},
		{"number in another notation", `[[1]]`, `[[1.0]]`, compare.Same},
		{"number in a string", `[["1"]]`, `[["2"]]`, compare.Improved},
		{"more assertions hold", `[[{"a":true,"b":false}]]`, `[[{"a":true,"b":true}]]`, compare.Improved},
		{"fewer assertions hold", `[[{"a":true}]]`, `[[{"a":true,"b":false}]]`, compare.Worsened},
		{"other assertions hold", `[[{"a":true,"b":false}]]`, `[[{"a":false,"b":true}]]`, compare.Changed},
		{"no assertions", `[[{}]]`, `[[{ }]]`, compare.Same},
		{"no assertions before", `[[{}]]`, `[[{"a":true}]]`, compare.Changed},
		{"same text", `[["a"]]`, `[["\u0061"]]`, compare.Same},
		{"other text", `[["a"]]`, `[["b"]]`, compare.Changed},
		{"same list", `[[[1,2]]]`, `[[[1, 2]]]`, compare.Same},
		{"other list", `[[[1,2]]]`, `[[[2,1]]]`, compare.Changed},
		{"other kind", `[[1]]`, `[[true]]`, compare.Changed},
		{"number too large", `[[1e400]]`, `[[1e401]]`, compare.Changed},
		{"null stays", `[[null]]`, `[[null]]`, compare.Same},
		{"no longer null", `[[null]]`, `[[1]]`, compare.Changed},
		{"now null", `[[true]]`, `[[null]]`, compare.Changed},
		{"both fail", `["a"]`, `["b"]`, compare.Same},
		{"now fails", `[[1]]`, `["b"]`, compare.NowFails},
		{"no longer fails", `["a"]`, `[[1]]`, compare.NoLongerFails},
		{"queued before", `[null]`, `[[1]]`, compare.Pending},
		{"running after", `[[1]]`, `[true]`, compare.Pending},
		{"no cell", `[[1]]`, `[]`, compare.Pending},
		{"no row before", ``, `[[1]]`, compare.NotCompared},
		{"no row after", `[[1]]`, ``, compare.NotCompared},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			comparison := compare.New(side("*a"), side("*a"))
			before, after := row(t, c.before, ""), row(t, c.after, "")
			check.Equal(t, "changes", comparison.Changes(before, after), []compare.Change{c.want})
			comparison.Add(before, after)
			check.Equal(t, "counts", comparison.Result().Columns[0].Counts, only(c.want))
		})
	}
}

// only counts one change.
func only(change compare.Change) compare.Counts {
	return map[compare.Change]compare.Counts{
		compare.Same: {Same: 1}, compare.Improved: {Improved: 1}, compare.Worsened: {Worsened: 1}, compare.Changed: {Changed: 1},
		compare.NowFails: {NowFails: 1}, compare.NoLongerFails: {NoLongerFails: 1}, compare.Pending: {Pending: 1}, compare.NotCompared: {NotCompared: 1},
	}[change]
}

func TestColumnsAreMatchedByName(t *testing.T) {
	t.Parallel()
	comparison := compare.New(side("gone", "*a", "b"), side("*b", "*a", "new", "newer"))
	check.Equal(t, "names", comparison.Names(), []string{"a", "b"})
	comparison.Add(row(t, `[[0],[false],[1]]`, ""), row(t, `[[3],[true],["x"],["y"]]`, ""))
	result := comparison.Result()
	check.Equal(t, "only before", result.OnlyBefore, []string{"gone"})
	check.Equal(t, "only after", result.OnlyAfter, []string{"new", "newer"})
	check.Equal(t, "a", result.Columns[0].Counts, compare.Counts{Improved: 1})
	check.Equal(t, "b", result.Columns[1].Counts, compare.Counts{Improved: 1})
	if !result.Columns[0].Scored || result.Columns[1].Scored {
		t.Error("the score has other columns")
	}
	near(t, "the change of a", result.Columns[0].Change, 100, 0)
	near(t, "the change of b", result.Columns[1].Change, 2, 0)
	near(t, "the change of all", result.Overall.Change, 100, 0)
}

// TestScoresOfOtherColumns compares runs whose scores have no column in common.
func TestScoresOfOtherColumns(t *testing.T) {
	t.Parallel()
	comparison := compare.New(side("*a", "b"), side("a", "b"))
	comparison.Add(row(t, `[[1],[1]]`, ""), row(t, `[[1],[1]]`, ""))
	check.Equal(t, "difference", comparison.Result().Overall, compare.Difference{})
}

func TestDifferentKinds(t *testing.T) {
	t.Parallel()
	comparison := compare.New(side("*a"), side("*a"))
	comparison.Add(row(t, `[[true]]`, ""), row(t, `[[3]]`, ""))
	column := comparison.Result().Columns[0]
	near(t, "before", column.Before, 100, 0)
	near(t, "after", column.After, 3, 0)
	if column.Change != nil || column.Kind != "" {
		t.Errorf("the change is %v of kind %q", *column.Change, column.Kind)
	}
}

func TestDifferentDatasets(t *testing.T) {
	t.Parallel()
	with := func(s compare.Side, dataset ...string) compare.Side {
		s.Dataset = dataset
		return s
	}
	for _, c := range []struct {
		name          string
		before, after []string
		rows          [][2]string // the values of the dataset
		compared      int64
	}{
		{"same", []string{"q", "x"}, []string{"q", "x"}, [][2]string{{`["a",1]`, `["a",1]`}, {`["b"]`, `["b",null]`}}, 2},
		{"other values", []string{"q", "x"}, []string{"q", "x"}, [][2]string{{`["a",1]`, `["a",2]`}, {`["b",1]`, `["b",1.0]`}}, 1},
		{"other order", []string{"q", "x"}, []string{"x", "q"}, [][2]string{{`["a",1]`, `[1,"a"]`}}, 1},
		{"one more column", []string{"q"}, []string{"q", "x"}, [][2]string{{`["a"]`, `["a",1]`}}, 1},
		{"nothing in common", []string{"q"}, []string{"x"}, [][2]string{{`["a"]`, `["a"]`}}, 0},
		{"one without columns", nil, []string{"x"}, [][2]string{{`[]`, `["a"]`}}, 0},
		{"same dataset", nil, nil, [][2]string{{`["a"]`, `["b"]`}}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			comparison := compare.New(with(side("*a"), c.before...), with(side("*a"), c.after...))
			for _, r := range c.rows {
				comparison.Add(row(t, `[[1]]`, r[0]), row(t, `[[3]]`, r[1]))
			}
			result := comparison.Result()
			check.Equal(t, "compared", result.RowsCompared, c.compared)
			check.Equal(t, "different", result.RowsDifferent, int64(len(c.rows))-c.compared)
			check.Equal(t, "counts", result.Columns[0].Counts, compare.Counts{Improved: c.compared, NotCompared: int64(len(c.rows)) - c.compared})
			near(t, "the change of the score", result.Overall.Change, 2, 0)
		})
	}
}

// TestRunsOfDifferentLength counts a row that one run lacks only in the score
// of the other.
func TestRunsOfDifferentLength(t *testing.T) {
	t.Parallel()
	comparison := compare.New(side("*a"), side("*a"))
	comparison.Add(row(t, `[[1]]`, ""), row(t, `[[2]]`, ""))
	comparison.Add(row(t, `[[3]]`, ""), nil)
	comparison.Add(nil, row(t, `[[6]]`, ""))
	comparison.Add(nil, row(t, `[[7]]`, ""))
	comparison.Add(nil, nil)
	result := comparison.Result()
	check.Equal(t, "rows", []int64{result.RowsCompared, result.RowsDifferent, result.RowsOnlyBefore, result.RowsOnlyAfter}, []int64{1, 0, 1, 2})
	check.Equal(t, "counts", result.Columns[0].Counts, compare.Counts{Improved: 1, NotCompared: 3})
	near(t, "before", result.Overall.Before, 2, 0)
	near(t, "after", result.Overall.After, 5, 0)
	near(t, "change", result.Overall.Change, 3, 0)
}

func TestNothingToCompare(t *testing.T) {
	t.Parallel()
	empty := compare.New(side("*a"), side("*a")).Result()
	check.Equal(t, "result", empty, compare.Result{Columns: []compare.ColumnResult{{Name: "a", Scored: true}}})
	none := compare.New(compare.Side{}, compare.Side{})
	none.Add(row(t, `[]`, ""), row(t, `[]`, ""))
	check.Equal(t, "result", none.Result(), compare.Result{RowsCompared: 1, Columns: []compare.ColumnResult{}})
	text := compare.New(side("*a"), side("*a"))
	text.Add(row(t, `[["x"]]`, ""), row(t, `[["y"]]`, ""))
	check.Equal(t, "kind", text.Result().Columns[0].Kind, score.Kind(""))
	check.Equal(t, "difference", text.Result().Overall, compare.Difference{})
}

func TestHostileCells(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 190) + strings.Repeat("]", 190)
	large := `"` + strings.Repeat("x", 4<<20) + `"`
	for _, c := range []struct {
		name, before, after string
		change, bounds      bool
	}{
		{"difference beyond 64 bits", `[[-1.7e308]]`, `[[1.7e308]]`, false, false},
		{"sum beyond 64 bits", `[[1.6e308]]`, `[[1.7e308]]`, true, false},
		{"deep", `[[` + deep + `]]`, `[[ ` + deep + `]]`, false, false},
		{"large", `[[` + large + `]]`, `[[` + large + `]]`, false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			comparison := compare.New(side("*a"), side("*a"))
			for range 3 {
				comparison.Add(row(t, c.before, ""), row(t, c.after, ""))
			}
			overall := comparison.Result().Overall
			check.Equal(t, "change", overall.Change != nil, c.change)
			check.Equal(t, "bounds", overall.Low != nil || overall.High != nil, c.bounds)
		})
	}
}
