package compare_test

import (
	"math"
	"strconv"
	"testing"

	"github.com/promptuary/promptuary/internal/eval/compare"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// row parses stored cells, and the dataset values as an array. Without cells it
// returns nil.
func row(t testing.TB, cells, dataset string) *compare.Row {
	t.Helper()
	if cells == "" {
		return nil
	}
	list, err := grid.ParseRow([]byte(cells))
	if err != nil {
		t.Fatalf("%s: %v", cells, err)
	}
	r := &compare.Row{Cells: list}
	if dataset != "" {
		values, err := jsontree.Parse([]byte(dataset))
		if err != nil {
			t.Fatalf("%s: %v", dataset, err)
		}
		for _, v := range values.Elems() {
			r.Dataset = append(r.Dataset, v)
		}
	}
	return r
}

// side parses column names; those with a star are scored.
func side(names ...string) compare.Side {
	var s compare.Side
	for _, name := range names {
		if name[0] == '*' {
			s.Columns = append(s.Columns, score.Column{Name: name[1:], Scored: true})
		} else {
			s.Columns = append(s.Columns, score.Column{Name: name})
		}
	}
	return s
}

// number encodes a cell with a number.
func number(x float64) string { return "[" + strconv.FormatFloat(x, 'g', -1, 64) + "]" }

// boolean encodes a cell with a boolean.
func boolean(b bool) string { return "[" + strconv.FormatBool(b) + "]" }

// moments returns the mean of numbers and its standard error.
func moments(numbers []float64) (mean, standardError float64) {
	n := float64(len(numbers))
	for _, x := range numbers {
		mean += x / n
	}
	squares := 0.0
	for _, x := range numbers {
		squares += (x - mean) * (x - mean)
	}
	return mean, math.Sqrt(squares / (n - 1) / n)
}

// near checks a number with a relative tolerance.
func near(t testing.TB, what string, got *float64, want, distance float64) {
	t.Helper()
	if got == nil {
		t.Errorf("%s is missing, want %v", what, want)
	} else if !(math.Abs(*got-want) <= distance*max(1, math.Abs(want))) {
		t.Errorf("%s is %v, want %v", what, *got, want)
	}
}
