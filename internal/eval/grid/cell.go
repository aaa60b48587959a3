package grid

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Status is the state of a cell.
type Status string

// The statuses; the last two are final.
const (
	Queued  Status = "QUEUED"
	Running Status = "RUNNING"
	// Waiting cells wait for the answer of a person.
	Waiting   Status = "WAITING"
	Completed Status = "COMPLETED"
	Failed    Status = "FAILED"
)

// Final reports whether the cell no longer changes.
func (s Status) Final() bool { return s == Completed || s == Failed }

// Cell is the value of one column in one row. The zero Cell is queued.
type Cell struct {
	Status Status
	// Value is absent unless the cell is completed.
	Value jsontree.Value
	// Reason explains the value, "" if its step gave no reason.
	Reason string
	// Error explains why the cell failed.
	Error string
}

// Final reports whether none of the cells changes any more.
func Final(cells []Cell) bool {
	for i := range cells {
		if !cells[i].Status.Final() {
			return false
		}
	}
	return true
}

// GiveUp marks all cells that are not final as failed, for a row that will not
// be continued.
func GiveUp(cells []Cell, reason string) {
	for i := range cells {
		if !cells[i].Status.Final() {
			cells[i] = Cell{Status: Failed, Error: reason}
		}
	}
}

// AppendRow appends the text of a row of cells, a JSON array with one element
// for each: null for a queued cell, true for a running one, false for a waiting
// one, an array of the value for a completed one, or an object if there is a
// reason for the value, and the error, a string, for a failed one. The bytes of
// values stay as they are.
func AppendRow(dst []byte, cells []Cell) []byte {
	w := jsontree.NewWriter(dst)
	w.Array(func() {
		for i := range cells {
			cells[i].write(&w)
		}
	})
	return w.Bytes()
}

func (c *Cell) write(w *jsontree.Writer) {
	switch c.Status {
	case Running:
		w.Bool(true)
	case Waiting:
		w.Bool(false)
	case Failed:
		w.String(c.Error)
	case Completed:
		c.writeValue(w)
	default:
		w.Null()
	}
}

func (c *Cell) writeValue(w *jsontree.Writer) {
	if c.Reason == "" {
		w.Array(func() { w.Value(c.Value) })
		return
	}
	w.Object(func() {
		w.Key("reason").String(c.Reason)
		w.Key("value").Value(c.Value)
	})
}

// errRow is the error of ParseRow.
var errRow = errors.New("invalid row of cells")

// ParseRow reads what AppendRow wrote. The cells refer to the text, which must
// not change afterwards.
//
// Each value is parsed by itself, because a row may be nested deeper and have
// more values than a single JSON text may.
func ParseRow(text []byte) ([]Cell, error) {
	if len(text) < 2 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil, errRow
	}
	r := rowReader{text: text[1 : len(text)-1]}
	cells := []Cell{}
	for len(r.text) > 0 {
		if len(cells) > 0 && !r.skip(",") {
			return nil, fmt.Errorf("%w: cell %d", errRow, len(cells))
		}
		cell, err := r.cell()
		if err != nil {
			return nil, fmt.Errorf("%w: cell %d: %w", errRow, len(cells), err)
		}
		cells = append(cells, cell)
	}
	return cells, nil
}

// rowReader reads a row from the left; text is the unread part.
type rowReader struct{ text []byte }

// skip consumes the word if it is next, and reports whether it was.
func (r *rowReader) skip(word string) bool {
	rest, found := bytes.CutPrefix(r.text, []byte(word))
	r.text = rest
	return found
}

func (r *rowReader) cell() (Cell, error) {
	switch {
	case r.skip("null"):
		return Cell{Status: Queued}, nil
	case r.skip("true"):
		return Cell{Status: Running}, nil
	case r.skip("false"):
		return Cell{Status: Waiting}, nil
	case r.skip("["):
		value, err := r.take(closing(r.text, ']'), 1)
		return Cell{Status: Completed, Value: value}, err
	case r.skip(`{"reason":`):
		return r.explained()
	case len(r.text) > 0 && r.text[0] == '"':
		value, err := r.take(stringEnd(r.text, 0), 0)
		return Cell{Status: Failed, Error: value.Str()}, err
	}
	return Cell{}, errRow
}

// explained reads a completed cell from its reason on.
func (r *rowReader) explained() (Cell, error) {
	reason, err := r.take(stringEnd(r.text, 0), 0)
	if err != nil || !r.skip(`,"value":`) {
		return Cell{}, errRow
	}
	value, err := r.take(closing(r.text, '}'), 1)
	return Cell{Status: Completed, Value: value, Reason: reason.Str()}, err
}

// take reads the value that ends at end, and skips the given number of bytes
// after it.
func (r *rowReader) take(end, skipped int) (jsontree.Value, error) {
	if end < 0 {
		return jsontree.Value{}, errRow
	}
	value, err := jsontree.Parse(r.text[:end:end])
	r.text = r.text[end+skipped:]
	return value, err
}

// closing returns the index of the given bracket if it closes the array or object
// whose rest text begins with, or -1.
func closing(text []byte, bracket byte) int {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			if depth == 0 && text[i] == bracket {
				return i
			}
			if depth == 0 {
				return -1
			}
			depth--
		case '"':
			end := stringEnd(text, i)
			if end < 0 {
				return -1
			}
			i = end - 1
		}
	}
	return -1
}

// stringEnd returns the index after the string that starts at i, or -1 if it is
// not terminated.
func stringEnd(text []byte, i int) int {
	for i++; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}
