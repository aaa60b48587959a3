package score

import (
	"math"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Kind is what a cell, or a column, counts as. It is "" for cells that count
// as nothing.
type Kind string

// The kinds of cells; only columns of the first two have a score.
const (
	Boolean Kind = "boolean"
	Numeric Kind = "numeric"
	Other   Kind = "other"
)

// Mark is what a cell adds to the score of its column.
type Mark struct {
	Kind Kind
	// Sum is how many booleans are true, or the number.
	Sum float64
	// Count is how many booleans there are, 1 for a number.
	Count int64
}

// MarkOf returns what a cell adds to a score. One that failed, is not final or
// is null is skipped; an object of booleans counts as all of them. A number may
// be written as a string; one that is not finite with 64 bits is no number.
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

// assertions counts the members of an object that has nothing but booleans. An
// empty one adds nothing, but it is no other kind of value either.
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

// maxDigits bounds the texts that are tried as numbers.
const maxDigits = 1 << 10

// numeric returns the number that a value is or says.
func numeric(v jsontree.Value) (float64, bool) {
	switch {
	case v.Kind() == jsontree.Number:
		return v.Float()
	case v.Kind() != jsontree.String || len(v.Raw()) > maxDigits:
		return 0, false
	}
	text := strings.TrimSpace(v.Str())
	if text == "" || strings.Trim(text, "0123456789+-.eE") != "" {
		return 0, false // what else is a number in Go is none in JSON: words, underscores
	}
	number, err := strconv.ParseFloat(text, 64)
	return number, err == nil
}

// mean is the mean of numbers, with the digits that a sum of many would lose.
type mean struct {
	count int64
	// total and lost are a sum and the digits it lost, both made smaller.
	total, lost float64
}

// smaller keeps sums of as many numbers as there can be within 64 bits. As a
// power of two it costs no digits, but for numbers below 1e-289.
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
