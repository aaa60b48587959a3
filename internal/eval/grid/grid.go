// Package grid computes the columns of an evaluation for one row of a dataset
// at a time, and writes what came out as one text per row. It keeps nothing:
// who runs a row stores its cells, and goes on from them later.
package grid

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Column is a column that is computed.
type Column struct {
	ID            int64
	Name          string
	Type          string
	Configuration jsontree.Value
}

// Grid is the columns of an evaluation, made ready for rows of a dataset. Many
// goroutines may run rows of it at once.
type Grid struct {
	// Failed, unless nil, is told of each step that failed, with why, for the
	// server's log. It is set before the first row is run, and is called by
	// many goroutines at once.
	Failed func(column Column, err error)
	// Env, unless nil, returns what the step of a column works with, in place
	// of what its row is run with. The same holds for it as for Failed.
	Env func(column Column) step.Env

	dataset []string
	columns []column
	// computed and given are the places of the columns by name, of the
	// evaluation and of the dataset. Of two with one name the first counts.
	computed, given map[string]int
}

// column is one column with what it waits for.
type column struct {
	Column
	work step.Work
	// step is nil when the column cannot be run.
	step *step.Step
	// problem says why the column should not have been stored, nil if it is as
	// it should be.
	problem error
	// needs are the columns of the evaluation that the step refers to.
	needs []int
}

// Compile makes columns ready for rows of a dataset with these columns. The
// fault is BadRequest when a column has a name that is taken, an unknown type
// or a wrong configuration, or refers to what is not a column to its left.
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

// Read is Compile for columns as they are. Renaming a column, or running an
// evaluation over another dataset, can leave columns that refer to nothing:
// the cells of a column that cannot be run fail and say why, and those of the
// others are computed.
func Read(datasetColumns []string, columns []Column) *Grid {
	g := &Grid{
		dataset: datasetColumns, columns: make([]column, len(columns)),
		computed: make(map[string]int, len(columns)), given: make(map[string]int, len(datasetColumns)),
	}
	for i, name := range datasetColumns {
		if _, taken := g.given[name]; !taken {
			g.given[name] = i
		}
	}
	for i := range columns {
		g.columns[i] = g.prepare(columns[i])
		if _, taken := g.computed[columns[i].Name]; !taken {
			g.computed[columns[i].Name] = i
		}
	}
	return g
}

// Problem returns what is wrong with a column, as a BadRequest fault, nil when
// it is as it should be.
func (g *Grid) Problem(i int) error { return g.columns[i].problem }

// Len returns how many columns are computed.
func (g *Grid) Len() int { return len(g.columns) }

// prepare makes a column ready that stands to the right of those that are
// known.
func (g *Grid) prepare(given Column) column {
	c := column{Column: given}
	found, known := step.Find(given.Type)
	if !known {
		return c.refused("Invalid column type: %s", given.Type)
	}
	c.work = found.Work()
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
