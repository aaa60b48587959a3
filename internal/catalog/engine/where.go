package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
)

// Where collects the conditions of a WHERE clause and the arguments of the
// statement.
type Where struct {
	Parts []string
	Args  []any
}

// Add appends a condition; each ? in it stands for one of the values.
func (w *Where) Add(condition string, values ...any) {
	for _, value := range values {
		condition = strings.Replace(condition, "?", w.Arg(value), 1)
	}
	w.Parts = append(w.Parts, condition)
}

// Arg adds an argument and returns its placeholder.
func (w *Where) Arg(value any) string {
	w.Args = append(w.Args, value)
	return "$" + strconv.Itoa(len(w.Args))
}

// Tuple adds arguments and returns their placeholders in parentheses.
func (w *Where) Tuple(values []any) string {
	places := make([]string, len(values))
	for i, value := range values {
		places[i] = w.Arg(value)
	}
	return "(" + strings.Join(places, ", ") + ")"
}

// SQL returns the conditions joined by AND; there must be at least one.
func (w *Where) SQL() string { return strings.Join(w.Parts, "\nAND ") }

// AddList appends "column IN (…)"; an empty list matches nothing.
func AddList[T any](w *Where, column string, values []T) {
	places := make([]string, len(values))
	for i, value := range values {
		places[i] = w.Arg(value)
	}
	if len(places) == 0 {
		places = []string{"NULL"}
	}
	w.Parts = append(w.Parts, column+" IN ("+strings.Join(places, ", ")+")")
}

// AddPage appends the arguments of a page and returns its LIMIT clause.
func (w *Where) AddPage(p entity.Page) string {
	if p.Limit <= 0 {
		return ""
	}
	return "\nLIMIT " + w.Arg(p.Limit) + " OFFSET " + w.Arg(max(p.Offset, 0))
}

// Distinct returns the ids in ascending order without duplicates.
func Distinct(ids []int64) []int64 { return slices.Compact(slices.Sorted(slices.Values(ids))) }

// DistinctInOrder returns the values in their order without duplicates.
func DistinctInOrder[T comparable](values []T) []T {
	seen := make(map[T]bool, len(values))
	return slices.DeleteFunc(slices.Clone(values), func(value T) bool {
		known := seen[value]
		seen[value] = true
		return known
	})
}

// GroupBy returns the values by their keys, in their order.
func GroupBy[K comparable, V any](values []V, key func(V) K) map[K][]V {
	groups := map[K][]V{}
	for _, value := range values {
		groups[key(value)] = append(groups[key(value)], value)
	}
	return groups
}
