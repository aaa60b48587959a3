package score

import (
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// returned is the validated result of code.
type returned struct {
	score *float64
	// matrix is a JSON array of matrices, and parts a JSON object of numbers, nil
	// if there are none.
	matrix, parts []byte
}

func readReturned(v jsontree.Value) (r returned, err error) {
	if len(v.Raw()) > MaxReturned {
		return r, fault.BadRequestf("The code returned more than %d MiB", MaxReturned>>20)
	}
	if v.Kind() != jsontree.Object {
		return r, fault.BadRequestf("The code must return an object with a numeric 'score', not %s", v.Kind())
	}
	score := v.Get("score")
	number, ok := numeric(score)
	if !ok {
		return r, fault.BadRequestf("The 'score' that the code returned must be a number, %s", insteadOfNumber(score))
	}
	number += 0 // -0 becomes 0
	r.score = &number
	if r.matrix, err = readMatrices(v.Get("score_matrix")); err != nil {
		return r, err
	}
	r.parts, err = readParts(v.Get("sub_scores"))
	return r, err
}

// insteadOf describes the actual value in an error message.
func insteadOf(v jsontree.Value) string {
	if v.Kind() == jsontree.Absent {
		return "but is missing"
	}
	return "not " + v.Kind().String()
}

// insteadOfNumber is insteadOf where a number is expected.
func insteadOfNumber(v jsontree.Value) string {
	if v.Kind() == jsontree.Number {
		return "not one that is too large"
	}
	return insteadOf(v)
}

func readParts(v jsontree.Value) ([]byte, error) {
	if !v.Given() {
		return nil, nil
	}
	if v.Kind() != jsontree.Object {
		return nil, fault.BadRequestf("The 'sub_scores' that the code returned must be an object, not %s", v.Kind())
	}
	for name, part := range v.Members() {
		if _, ok := part.Float(); !ok {
			return nil, fault.BadRequestf("The sub-score '%s' that the code returned must be a number, %s", name, insteadOfNumber(part))
		}
	}
	return v.Compact(), nil
}

// readMatrices returns an array of matrices, which are arrays of rows of cells.
// A single matrix is wrapped in an array.
func readMatrices(v jsontree.Value) ([]byte, error) {
	switch {
	case !v.Given():
		return []byte("[]"), nil
	case v.Kind() != jsontree.Array:
		return nil, fault.BadRequestf("The 'score_matrix' that the code returned must be an array, not %s", v.Kind())
	}
	c := matrixChecker{}
	if isMatrix(v) {
		c.matrix(v)
		w := jsontree.NewWriter(nil)
		w.Array(func() { w.Compact(v) })
		return w.Bytes(), c.err
	}
	for i, matrix := range v.Elems() {
		c.at[0] = i
		c.depth = 1
		c.matrix(matrix)
	}
	return v.Compact(), c.err
}

// isMatrix reports whether an array is a matrix rather than a list of matrices:
// its rows have cells, and no cell is an array.
func isMatrix(v jsontree.Value) bool {
	hasCells := false
	for _, row := range v.Elems() {
		for _, cell := range row.Elems() {
			if cell.Kind() == jsontree.Array {
				return false
			}
			hasCells = true
		}
	}
	return hasCells
}

// matrixChecker finds the first invalid value in matrices.
type matrixChecker struct {
	// at is the path of the current value; depth is its length.
	at    [3]int
	depth int
	err   error
}

// refuse records that the current value is invalid.
func (c *matrixChecker) refuse(what string, v jsontree.Value) {
	if c.err != nil {
		return
	}
	loc := []any{"", "score_matrix"}
	for _, i := range c.at[:c.depth] {
		loc = append(loc, i)
	}
	c.err = fault.BadRequestf("The code returned a %s that must be %s, %s", fault.Path(loc), what, insteadOf(v))
}

// elements visits the elements of an array with their path.
func (c *matrixChecker) elements(v jsontree.Value, what string, visit func(jsontree.Value)) {
	if v.Kind() != jsontree.Array {
		c.refuse(what, v)
		return
	}
	c.depth++
	for i, element := range v.Elems() {
		c.at[c.depth-1] = i
		visit(element)
	}
	c.depth--
}

func (c *matrixChecker) matrix(v jsontree.Value) {
	c.elements(v, "an array of rows", func(row jsontree.Value) {
		c.elements(row, "an array of cells", c.cell)
	})
}

func (c *matrixChecker) cell(v jsontree.Value) {
	if v.Kind() != jsontree.Object {
		c.scalar(v, "a string, a number, null or an object")
		return
	}
	c.scalar(v.Get("value"), "an object whose 'value' is a string, a number or null")
	if positive := v.Get("positive_metric"); positive.Given() && positive.Kind() != jsontree.Bool {
		c.refuse("an object whose 'positive_metric' is a boolean", positive)
	}
}

func (c *matrixChecker) scalar(v jsontree.Value, what string) {
	switch v.Kind() {
	case jsontree.String, jsontree.Number, jsontree.Null:
	default:
		c.refuse(what, v)
	}
}
