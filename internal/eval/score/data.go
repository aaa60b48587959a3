package score

import (
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// MaxData bounds the rows that code computes a score from, in bytes of JSON.
// Code sees all rows at once, so a run over more than that cannot be scored by
// code. Who computes several scores at once holds that much for each.
const MaxData = 32 << 20

// Data collects the rows of a run for code: a JSON array of objects with the
// columns of the dataset and of the evaluation. It holds nothing of rows that
// are larger together than MaxData.
type Data struct {
	// dataset and computed are the names of columns as JSON, with a colon; nil
	// for those that are left out.
	dataset, computed [][]byte
	text              []byte
	tooLarge, closed  bool
}

// NewData returns data for rows with these columns. A column of the dataset
// whose name a computed one has is left out.
func NewData(dataset []string, columns []Column) *Data {
	d := &Data{text: []byte{'['}, dataset: make([][]byte, len(dataset)), computed: make([][]byte, len(columns))}
	taken := make(map[string]bool, len(dataset)+len(columns))
	for i := range columns {
		d.computed[i] = keyOf(columns[i].Name, taken)
	}
	for i, name := range dataset {
		d.dataset[i] = keyOf(name, taken)
	}
	return d
}

// keyOf returns a key of an object with its colon, nil for one that is taken.
func keyOf(name string, taken map[string]bool) []byte {
	if taken[name] {
		return nil
	}
	taken[name] = true
	return append(jsontree.AppendQuoted(nil, name), ':')
}

// Add adds a row. The values are as they are; a cell without one is null. No
// row may be added once a score was computed.
func (d *Data) Add(dataset []jsontree.Value, cells []grid.Cell) {
	if d.tooLarge {
		return
	}
	if len(d.text) > 1 {
		d.text = append(d.text, ',')
	}
	d.text = append(d.text, '{')
	start := len(d.text)
	for i, key := range d.dataset {
		var value jsontree.Value
		if i < len(dataset) {
			value = dataset[i]
		}
		d.member(start, key, value)
	}
	for i, key := range d.computed {
		var value jsontree.Value
		if i < len(cells) && cells[i].Status == grid.Completed {
			value = cells[i].Value
		}
		d.member(start, key, value)
	}
	d.text = append(d.text, '}')
}

// member adds a member to the object whose members begin at start.
func (d *Data) member(start int, key []byte, value jsontree.Value) {
	raw := value.Raw()
	if raw == nil {
		raw = []byte("null")
	}
	if d.tooLarge || len(d.text)+len(key)+len(raw) > MaxData {
		d.tooLarge, d.text = true, nil
		return
	}
	if key == nil {
		return
	}
	if len(d.text) > start {
		d.text = append(d.text, ',')
	}
	d.text = append(append(d.text, key...), raw...)
}

// value returns all rows.
func (d *Data) value() (jsontree.Value, error) {
	if d.tooLarge {
		return jsontree.Value{}, fault.BadRequestf("The rows are larger than %d MiB together, which is too much for code that computes a score", MaxData>>20)
	}
	if !d.closed {
		d.text, d.closed = append(d.text, ']'), true
	}
	value, err := jsontree.Parse(d.text)
	if err != nil {
		return value, fault.Wrap(fault.BadRequest, err,
			"The rows hold more than %d values together, or values nested too deeply, which is too much for code that computes a score", jsontree.MaxValues)
	}
	return value, nil
}
