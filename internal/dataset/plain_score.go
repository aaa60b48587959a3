package dataset

import (
	"strconv"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// comparisons are the operators of conditions on scores.
var comparisons = map[string]func(score, value int64) bool{
	">":  func(score, value int64) bool { return score > value },
	">=": func(score, value int64) bool { return score >= value },
	"<":  func(score, value int64) bool { return score < value },
	"<=": func(score, value int64) bool { return score <= value },
	"=":  func(score, value int64) bool { return score == value },
}

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
	holds := comparisons[v.Get("operator").Str()]
	number, err := strconv.ParseInt(string(value.Raw()), 10, 64)
	switch {
	case name.Kind() != jsontree.String:
		return fault.BadRequestf("'name' must be a string")
	case holds == nil:
		return fault.BadRequestf("'operator' must be '>', '>=', '<', '<=' or '='")
	case value.Kind() != jsontree.Number || err != nil:
		return fault.BadRequestf("'value' must be an integer")
	}
	writeFilter(w, reqlog.FieldScores, reqlog.OpIn, name.Str(), func() { writeScoreValues(w, holds, number) })
	return nil
}

// writeScoreValues writes the list of all scores that hold, or of one that no log
// has if there are none.
func writeScoreValues(w *jsontree.Writer, holds func(score, value int64) bool, number int64) {
	w.Array(func() {
		found := false
		for score := range int64(reqlog.MaxScore + 1) {
			if holds(score, number) {
				w.Int(score)
				found = true
			}
		}
		if !found {
			w.Int(-1)
		}
	})
}
