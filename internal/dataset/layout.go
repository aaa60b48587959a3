package dataset

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// cell is a value, in JSON, with the name of its column.
type cell struct {
	column string
	value  []byte
}

// layout maps columns to positions in a row.
type layout struct {
	columns []string
	at      map[string]int
	// values is reused for assembling rows.
	values [][]byte
}

func newLayout(columns []string) *layout {
	l := &layout{at: make(map[string]int, len(columns))}
	for _, column := range columns {
		l.put(column)
	}
	return l
}

func (l *layout) put(column string) {
	l.at[column] = len(l.columns)
	l.columns = append(l.columns, column)
}

// add adds a column at the end unless it exists.
func (l *layout) add(column string) error {
	if _, known := l.at[column]; known {
		return nil
	}
	if len(l.columns) == MaxColumns {
		return fault.BadRequestf("A dataset can have at most %d columns", MaxColumns)
	}
	l.put(column)
	return nil
}

func (l *layout) addAll(cells []cell) error {
	for _, c := range cells {
		if err := l.add(c.column); err != nil {
			return err
		}
	}
	return nil
}

// row returns the JSON array of the cells in the order of the columns. It
// ignores cells of unknown columns; the last of several cells in a column wins.
// Missing cells at the end are not written.
func (l *layout) row(cells []cell) []byte {
	if len(l.values) < len(l.columns) {
		l.values = make([][]byte, len(l.columns))
	}
	last, size := -1, 2
	for _, c := range cells {
		if at, known := l.at[c.column]; known {
			l.values[at] = c.value
			last = max(last, at)
			size += len(c.value)
		}
	}
	w := jsontree.NewWriter(make([]byte, 0, size+len(",null")*(last+1)))
	w.Array(func() {
		for i := range last + 1 {
			w.Raw(l.values[i])
			l.values[i] = nil
		}
	})
	return w.Bytes()
}
