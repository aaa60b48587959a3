package score

import (
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// MaxData limits the rows from which code computes a score, in bytes of JSON.
// Code gets all rows in one value, so larger runs cannot be scored by code.
// Each concurrent score computation takes this much memory.
const MaxData = 32 << 20

// Data collects the rows of a run for code: a JSON array of objects with the
// columns of the dataset and of the evaluation. It keeps nothing if the rows
// exceed MaxData in total.
type Data struct {
	dataset, computed []column
	rows              jsontree.List
	tooLarge          bool
}

// column is a member of a row, and its position among the values of the row.
type column struct {
	name string
	at   int
}

// NewData returns data for rows with these columns. It omits dataset columns
// with the name of a computed column.
func NewData(dataset []string, columns []Column) *Data {
	d := &Data{}
	taken := make(map[string]bool, len(dataset)+len(columns))
	for i := range columns {
		d.computed = addColumn(d.computed, columns[i].Name, i, taken)
	}
	for i, name := range dataset {
		d.dataset = addColumn(d.dataset, name, i, taken)
	}
	return d
}

func addColumn(list []column, name string, at int, taken map[string]bool) []column {
	if taken[name] {
		return list
	}
	taken[name] = true
	return append(list, column{name, at})
}

// Add adds a row with its values unchanged. A cell without a value is null.
func (d *Data) Add(dataset []jsontree.Value, cells []grid.Cell) {
	if d.tooLarge {
		return
	}
	d.rows.Add(func(w *jsontree.Writer) {
		w.Object(func() {
			for _, c := range d.dataset {
				w.Key(c.name).Value(datasetValue(dataset, c.at))
			}
			for _, c := range d.computed {
				w.Key(c.name).Value(computedValue(cells, c.at))
			}
		})
	})
	if d.rows.Size() > MaxData {
		d.tooLarge, d.rows = true, jsontree.List{}
	}
}

func datasetValue(values []jsontree.Value, i int) jsontree.Value {
	if i < len(values) {
		return values[i]
	}
	return jsontree.Value{}
}

func computedValue(cells []grid.Cell, i int) jsontree.Value {
	if i < len(cells) && cells[i].Status == grid.Completed {
		return cells[i].Value
	}
	return jsontree.Value{}
}

// value returns all rows.
func (d *Data) value() (jsontree.Value, error) {
	if d.tooLarge {
		return jsontree.Value{}, fault.BadRequestf("The rows are larger than %d MiB together, which is too much for code that computes a score", MaxData>>20)
	}
	value, err := jsontree.Parse(d.rows.Bytes())
	if err != nil {
		return value, fault.Wrap(fault.BadRequest, err,
			"The rows hold more than %d values together, or values nested too deeply, which is too much for code that computes a score", jsontree.MaxValues)
	}
	return value, nil
}
