// Package logsql writes the queries over request logs, spans and traces that the
// engines of the log store share: what a field is in SQL, how operators treat
// missing values, which columns a trace has, how groups are sorted. An engine adds
// its dialect, and how it reads its tables.
//
// Everything that a client sent is bound: a function that writes SQL returns text
// in which placeholders stand for values.
package logsql

import (
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Values binds the values of one query. Each method returns what stands for them
// in the text.
type Values interface {
	Text(text string) string
	Int(n int64) string
	Float(n float64) string
	// The following write the right side of IN.
	InTexts(texts []string) string
	InInts(ids []int64) string
	InFloats(numbers []float64) string
	// List writes a list.
	List(texts []string) string
}

// Dialect has the functions whose names or arguments differ between engines. They
// take and return SQL.
type Dialect interface {
	Scalars
	Lists
	Aggregates
}

// Scalars are functions of texts, numbers and times.
type Scalars interface {
	Lower(text string) string
	// Test compares a text with a value: contains, starts with, ends with.
	Test(op query.Op, text, value string) string
	// After writes what follows a prefix of a text.
	After(text, prefix string) string
	// Bits writes the bits of a number that a mask has.
	Bits(number string, mask int64) string
	// Rounded writes a number as it is compared with fractions.
	Rounded(number string) string
	// Bucket writes the start of the bucket that holds start_time, in microseconds.
	Bucket(b chart.Bucket) string
}

// Lists are functions of lists.
type Lists interface {
	Length(list string) string
	Has(list, element string) string
	HasAny(list, elements string) string
	// Position writes the place of an element in a list, from 1 on, null or 0 if it
	// is not there.
	Position(list, element string) string
	// Filter writes the elements x of a list that meet a condition, Count their
	// number, and Map what becomes of them.
	Filter(list, condition string) string
	Count(list, condition string) string
	Map(list, expression string) string
	// Unnest writes a row per element.
	Unnest(list string) string
}

// Aggregates are functions of all rows of a group.
type Aggregates interface {
	CountIf(condition string) string
	// Aggregate computes avg, max, min or sum as a fraction, null without values.
	Aggregate(function, number string) string
	Quantile(number, level string) string
	// Quantiles writes the list of several quantiles.
	Quantiles(number, levels string) string
	// CountDistinct writes the number of different elements in all lists.
	CountDistinct(list string) string
	// Distinct writes the sorted list of the different values that are not null.
	Distinct(value string) string
	// First writes the value that is not null of the row that is first in an order.
	First(value string, order ...string) string
}

// Language is a dialect with what is written in it once.
type Language struct {
	Dialect
	spans, traces map[query.Field]viewColumn
}

// New returns the language of a dialect.
func New(d Dialect) *Language {
	return &Language{Dialect: d, spans: spanColumns(d), traces: traceColumns(d)}
}

// Writer writes one query.
type Writer struct {
	*Language
	Values
}

// Logs is how an engine reads the logs that a query selects.
type Logs interface {
	// From writes what follows FROM: the table, WHERE and a condition.
	From() string
	// Traced writes the condition that a log belongs to a trace.
	Traced() string
}

// Scan reads the values of a row. A missing value needs a pointer to a pointer, or
// to an any.
type Scan = func(targets ...any) error

// textOf returns a text, "" for a missing one.
func textOf(value any) string {
	text, _ := value.(string)
	return text
}

// listOf returns the elements of a list.
func listOf[T any](value any) []T {
	all, _ := value.([]any)
	list := make([]T, 0, len(all))
	for _, v := range all {
		element, _ := v.(T)
		list = append(list, element)
	}
	return list
}
