package dataset

import (
	"strconv"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// comparisons are the operators of conditions on scores.
var comparisons = map[string]query.Op{">": query.OpGt, ">=": query.OpGte, "<": query.OpLt, "<=": query.OpLte, "=": query.OpEq}

// writeScores writes the condition that a log has all scores of a list of objects
// with name, operator and value.
func writeScores(w *jsontree.Writer, v jsontree.Value) error {
	if v.Kind() != jsontree.Array {
		return fault.BadRequestf("must be a list of objects with 'name', 'operator' and 'value'")
	}
	for _, one := range v.Elems() {
		if err := writeScore(w, one); err != nil {
			return err
		}
	}
	return nil
}

func writeScore(w *jsontree.Writer, v jsontree.Value) error {
	name, value := v.Get("name"), v.Get("value")
	op := comparisons[v.Get("operator").Str()]
	_, err := strconv.ParseInt(string(value.Raw()), 10, 64)
	switch {
	case name.Kind() != jsontree.String:
		return fault.BadRequestf("'name' must be a string")
	case op == "":
		return fault.BadRequestf("'operator' must be '>', '>=', '<', '<=' or '='")
	case value.Kind() != jsontree.Number || err != nil:
		return fault.BadRequestf("'value' must be an integer")
	}
	writeFilter(w, query.FieldScores, op, name.Str(), func() { w.Value(value) })
	return nil
}
