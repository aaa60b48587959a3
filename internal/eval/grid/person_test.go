package grid_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/step"
)

// person returns a column that waits for a person.
func person(name string) [3]string { return [3]string{name, "HUMAN", `{"wait":true}`} }

// TestCellsWaitForPeople computes a row as far as possible, then continues it with
// answers.
func TestCellsWaitForPeople(t *testing.T) {
	t.Parallel()
	g := compile(t, []string{"q"},
		[3]string{"before", "COUNT", `{"source":"q","type":"chars"}`}, person("first"),
		[3]string{"needs", "COALESCE", `{"sources":["first","q"]}`}, person("second"),
		[3]string{"alone", "COUNT", `{"source":"q","type":"chars"}`}, script("all", "echo"))
	run := func(known []grid.Cell) []grid.Cell {
		t.Helper()
		cells, err := g.RunRow(t.Context(), env(), values(t, `["paris"]`), known, quiet)
		check.OK(t, err)
		return cells
	}
	// The second question waits for what is to its left, code for every answer.
	cells := run(nil)
	wantRow(t, `[[5],false,null,null,[5],null]`, cells)
	cells = run(g.Answer(cells, 1, check.JSON(`"good"`)))
	wantRow(t, `[[5],["good"],["good"],false,[5],null]`, cells)
	cells = run(g.Answer(cells, 3, check.JSON(`1`)))
	wantRow(t, `[[5],["good"],["good"],[1],[5],[{"q":"paris","before":5,"first":"good","needs":"good","second":1,"alone":5}]]`, cells)

	// The same answer changes nothing; another one is used by what depends on it.
	same := g.Answer(cells, 1, check.JSON(`"good"`))
	wantRow(t, string(grid.AppendRow(nil, cells)), same)
	changed := g.Answer(cells, 1, check.JSON(`"bad"`))
	wantRow(t, `[[5],["bad"],null,[1],[5],null]`, changed)
	wantRow(t, `[[5],["bad"],["bad"],[1],[5],[{"q":"paris","before":5,"first":"bad","needs":"bad","second":1,"alone":5}]]`, run(changed))
}

// TestQuestions finds the columns that ask.
func TestQuestions(t *testing.T) {
	t.Parallel()
	silent := compile(t, []string{"q"}, [3]string{"h", "HUMAN", `{}`})
	asking := compile(t, []string{"q"}, [3]string{"h", "HUMAN", `{}`}, person("p"))
	check.Equal(t, "columns ask", []bool{silent.Asks(), asking.Asks()}, []bool{false, true})
	check.Equal(t, "kind", asking.Question(1).Kind, step.AnswerText)
}
