package table

import (
	"database/sql/driver"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// column is a column of the log table.
type column struct {
	name     string
	sqlType  string
	optional bool
	value    func(*reqlog.Log) driver.Value
}

// columns are the columns of the log table between workspace and notes: those
// of the fields, of prices and of spans, by name, so that the order of the fields does not
// matter.
var columns = func() []column {
	var all []column
	for i := range reqlog.Fields {
		if field := &reqlog.Fields[i]; field.Column != "" {
			all = append(all, newColumn(field))
		}
	}
	all = append(append(all, priceColumns...), spanColumn)
	slices.SortFunc(all, func(a, b column) int { return strings.Compare(a.name, b.name) })
	return all
}()

// priceColumns are what the price of a log depends on besides the fields, so
// that logs can be priced again without reading the journal.
var priceColumns = []column{
	{name: "cache_write_tokens", sqlType: "BIGINT", optional: true, value: orNull(func(l *reqlog.Log) (int64, bool) {
		return l.Usage.CacheWrite.N, l.Usage.CacheWrite.Given
	})},
	{name: "long_cache_write_tokens", sqlType: "BIGINT", optional: true, value: orNull(func(l *reqlog.Log) (int64, bool) {
		return l.Usage.CacheWriteLong.N, l.Usage.CacheWriteLong.Given
	})},
	{name: "is_batch", sqlType: "BOOLEAN", value: func(l *reqlog.Log) driver.Value { return l.Usage.Batch }},
	{name: "price_source", sqlType: "VARCHAR", optional: true, value: orNull(func(l *reqlog.Log) (string, bool) {
		return l.Price.Source.String(), l.Price.Known()
	})},
	// Rows are added with the price that the log was written with; a re-pricing
	// changes price and price_source only.
	{name: "logged_price", sqlType: "DOUBLE", optional: true, value: orNull(func(l *reqlog.Log) (float64, bool) {
		return l.Price.USD, l.Price.Known()
	})},
	{name: "logged_price_source", sqlType: "VARCHAR", optional: true, value: orNull(func(l *reqlog.Log) (string, bool) {
		return l.Price.Source.String(), l.Price.Known()
	})},
	{name: "repricing", sqlType: "BIGINT", optional: true, value: func(*reqlog.Log) driver.Value { return nil }},
}

// spanColumn finds the logs of a span.
var spanColumn = column{name: "span_key", sqlType: "BIGINT", optional: true, value: orNull(func(l *reqlog.Log) (int64, bool) {
	return reqlog.LogKey(l.Workspace, l.SpanID), l.SpanID != ""
})}

// newColumn chooses the SQL type by the kind of value that the field has.
func newColumn(f *reqlog.FieldSpec) column {
	c := column{name: f.Column, optional: f.Optional}
	switch {
	case f.Int != nil:
		c.sqlType, c.value = "BIGINT", orNull(f.Int)
	case f.Float != nil:
		c.sqlType, c.value = "DOUBLE", orNull(f.Float)
	case f.Time != nil:
		c.sqlType, c.value = "BIGINT", func(l *reqlog.Log) driver.Value { return int64(f.Time(l)) }
	case f.Flag != nil:
		c.sqlType, c.value = "BOOLEAN", func(l *reqlog.Log) driver.Value { return f.Flag(l) }
	case f.Word != nil:
		c.sqlType, c.value = "VARCHAR", orNull(f.Word)
	case f.Type == reqlog.TypeIntent:
		c.sqlType, c.value = "BIGINT", func(l *reqlog.Log) driver.Value { return document.IntentMask(f, f.List(l)) }
	case f.List != nil:
		c.sqlType, c.value = "VARCHAR[]", func(l *reqlog.Log) driver.Value { return nonNil(f.List(l)) }
	case f.Pairs != nil:
		c.sqlType, c.value = "VARCHAR[]", func(l *reqlog.Log) driver.Value { return document.PairTexts(f.Pairs(l)) }
	default:
		panic("field without a value: " + string(f.Name))
	}
	return c
}

func orNull[T any](read func(*reqlog.Log) (T, bool)) func(*reqlog.Log) driver.Value {
	return func(l *reqlog.Log) driver.Value {
		if value, ok := read(l); ok {
			return value
		}
		return nil
	}
}

// row returns the values of a log in the order of the columns. Only annotated
// logs have notes here; those of other logs are in the journal.
func row(l *reqlog.Log, notes []byte) []driver.Value {
	values := make([]driver.Value, 0, len(columns)+2)
	values = append(values, l.Workspace)
	for i := range columns {
		values = append(values, columns[i].value(l))
	}
	if notes == nil {
		return append(values, nil)
	}
	return append(values, string(notes))
}

func nonNil(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}
