package score

import (
	"math"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Kind is the type of value that a cell or a column counts as, "" for cells
// that do not count.
type Kind string

// The kinds of cells; only columns of the first two have a score.
const (
	Boolean Kind = "boolean"
	Numeric Kind = "numeric"
	Other   Kind = "other"
)

// Mark is the contribution of a cell to the score of its column.
type Mark struct {
	Kind Kind
	// Sum is the number of true booleans, or the number.
	Sum float64
	// Count is the number of booleans, 1 for a number.
	Count int64
}

// MarkOf returns the contribution of a cell. A cell that failed, is not final
// or is null is skipped; an object of booleans counts as all of them. A number
// may be written as a string; one that is not a finite 64-bit float does not
// count as a number.
func MarkOf(cell grid.Cell) Mark {
	if cell.Status != grid.Completed {
		return Mark{}
	}
	switch v := cell.Value; v.Kind() {
	case jsontree.Absent, jsontree.Null:
		return Mark{}
	case jsontree.Bool:
		return Mark{Boolean, one(v.Bool()), 1}
	case jsontree.Object:
		return assertions(v)
	default:
		if number, ok := numeric(v); ok {
			return Mark{Numeric, number, 1}
		}
		return Mark{Kind: Other}
	}
}

// MarkOf returns the contribution of a cell of the column.
func (c *Column) MarkOf(cell grid.Cell) Mark {
	mark := MarkOf(cell)
	if c.Points == nil || mark.Kind == "" || mark == (Mark{Kind: Boolean}) {
		return mark
	}
	if points, ok := c.Points(cell.Value); ok {
		return Mark{Numeric, points, 1}
	}
	return Mark{Kind: Other}
}

// assertions counts the members of an object of booleans. An empty object
// contributes nothing, but is not another kind of value.
func assertions(object jsontree.Value) Mark {
	mark := Mark{Kind: Boolean}
	for _, member := range object.Members() {
		if member.Kind() != jsontree.Bool {
			return Mark{Kind: Other}
		}
		mark.Count++
		mark.Sum += one(member.Bool())
	}
	return mark
}

func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// maxDigits limits the length of strings that are parsed as numbers.
const maxDigits = 1 << 10

// numeric returns the number in a number or a string.
func numeric(v jsontree.Value) (float64, bool) {
	switch {
	case v.Kind() == jsontree.Number:
		return v.Float()
	case v.Kind() != jsontree.String || len(v.Raw()) > maxDigits:
		return 0, false
	}
	text := strings.TrimSpace(v.Str())
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false // Go accepts words and underscores, JSON does not
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// mean computes a mean with compensated summation.
type mean struct {
	count int64
	// total and lost are the scaled sum and its lost digits.
	total, lost float64
}

// smaller scales sums so that they cannot overflow. It is a power of two, which
// is exact except for numbers below 1e-289.
const smaller = 1.0 / (1 << 60)

func (m *mean) add(x float64) {
	m.count++
	x *= smaller
	total := m.total + x
	if math.Abs(m.total) >= math.Abs(x) {
		m.lost += (m.total - total) + x
	} else {
		m.lost += (x - total) + m.total
	}
	m.total = total
}

func (m *mean) value() float64 {
	value := (m.total + m.lost) / float64(m.count) / smaller
	return min(max(value, -math.MaxFloat64), math.MaxFloat64) + 0 // rounding can exceed the largest number; -0 becomes 0
}
