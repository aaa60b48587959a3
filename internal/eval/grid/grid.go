// Package grid computes the columns of an evaluation for one row of a dataset
// at a time, and encodes the result as one text per row. It stores nothing:
// callers store the cells of a row and can continue from them later.
package grid

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/plan"
	"github.com/promptuary/promptuary/internal/step"
)

// Column is a computed column.
type Column struct {
	ID            int64
	Name          string
	Type          string
	Configuration jsontree.Value
}

// Grid is the compiled columns of an evaluation. It is safe for concurrent use.
type Grid struct {
	// Failed, unless nil, is called with each step that failed and its full error,
	// for the server log. Set it before the first row is computed. It must be safe
	// for concurrent use.
	Failed func(column Column, err error)
	// Env, unless nil, returns the environment for the step of a column, instead
	// of that of its row. The same rules apply as for Failed.
	Env func(column Column) step.Env
	// Began, unless nil, is called before a step that takes a while, with the context
	// of its row, and the names and values that its column refers to. It returns the
	// context of the step, and a function that is called with the computed cell. The
	// same rules apply as for Failed.
	Began func(ctx context.Context, column Column, sources []string, values step.Values) (context.Context, func(cell Cell))

	dataset []string
	columns []column
	// computed and given are the column indexes by name, of the evaluation and of
	// the dataset. The first column with a name wins.
	computed, given map[string]int
	// waits are the columns that must be computed before others.
	waits *plan.Graph
}

// column is a column with its dependencies.
type column struct {
	Column
	work step.Work
	// seesAll reports whether the step sees all columns to its left.
	seesAll bool
	// step is nil if the column cannot be run.
	step *step.Step
	// problem explains why the column is invalid, nil if it is valid.
	problem error
	// needs are the indexes of the computed columns that the step refers to.
	needs []int
}

// Compile prepares columns for rows of a dataset with these columns. The fault
// is BadRequest if a column has a duplicate name, an unknown type or an invalid
// configuration, or refers to anything but a column to its left.
//
// The grid refers to the bytes of the configurations, which must not change.
func Compile(datasetColumns []string, columns []Column) (*Grid, error) {
	g := Read(datasetColumns, columns)
	for i := range columns {
		if err := g.Problem(i); err != nil {
			return nil, err
		}
	}
	return g, nil
}

// Read is Compile for stored columns. Renaming a column, or running an
// evaluation over another dataset, can leave columns with broken references.
// The cells of those columns fail with the reason, and the others are computed.
func Read(datasetColumns []string, columns []Column) *Grid {
	g := &Grid{
		dataset: datasetColumns, columns: make([]column, len(columns)),
		computed: make(map[string]int, len(columns)), given: make(map[string]int, len(datasetColumns)),
		waits: plan.New(len(columns)),
	}
	for i, name := range datasetColumns {
		if _, taken := g.given[name]; !taken {
			g.given[name] = i
		}
	}
	for i := range columns {
		g.columns[i] = g.prepare(columns[i])
		g.wait(i)
		if _, taken := g.computed[columns[i].Name]; !taken {
			g.computed[columns[i].Name] = i
		}
	}
	return g
}

// Problem returns a BadRequest fault if a column is invalid, otherwise nil.
func (g *Grid) Problem(i int) error { return g.columns[i].problem }

// Len returns the number of computed columns.
func (g *Grid) Len() int { return len(g.columns) }

// Scale returns the scale of the judge in the column with the index, nil if it is
// none.
func (g *Grid) Scale(i int) *step.Scale {
	if g.columns[i].step == nil {
		return nil
	}
	return g.columns[i].step.Scale()
}

// Explains reports whether a column gives reasons for its values.
func (g *Grid) Explains() bool {
	return slices.ContainsFunc(g.columns, func(c column) bool { return c.step != nil && c.step.Explains() })
}

// prepare compiles a column to the right of the known ones.
func (g *Grid) prepare(given Column) column {
	c := column{Column: given}
	found, known := step.Find(given.Type)
	if !known {
		return c.refused("Invalid column type: %s", given.Type)
	}
	c.work, c.seesAll = found.Work(), found.SeesAll()
	prepared, err := found.Prepare(given.Configuration)
	if err != nil {
		return c.refused("Invalid configuration for column '%s': %s", given.Name, err.Error())
	}
	for _, name := range prepared.Sources() {
		if need, isComputed := g.computed[name]; isComputed {
			c.needs = append(c.needs, need)
		} else if _, isGiven := g.given[name]; !isGiven {
			return c.refused("Column '%s' references '%s', which is not a column to its left", given.Name, name)
		}
	}
	c.step = prepared
	if g.knows(given.Name) {
		c.problem = fault.BadRequestf("Report already has a column with that name")
	}
	return c
}

// wait records which columns a column waits for. People see all columns to the
// left when they answer.
func (g *Grid) wait(i int) {
	needs := g.columns[i].needs
	if g.columns[i].seesAll || g.Question(i) != nil {
		needs = make([]int, i)
		for left := range needs {
			needs[left] = left
		}
	}
	for _, need := range needs {
		g.waits.Need(i, need)
	}
}

// refused returns a column that cannot be run.
func (c column) refused(format string, args ...any) column {
	c.problem = fault.BadRequestf(format, args...)
	return c
}

func (g *Grid) knows(name string) bool {
	_, isComputed := g.computed[name]
	_, isGiven := g.given[name]
	return isComputed || isGiven
}
