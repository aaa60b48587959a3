package table

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// column is a column of the log table.
type column struct {
	name     string
	sqlType  string
	optional bool
	// write adds the value of a log.
	write func(*chunk.Appender, *reqlog.Log)
}

// columns are the columns of the log table between workspace and notes: those
// of the fields, of prices, of spans and of hashes, by name, so that the order of the
// fields does not matter.
var columns = func() []column {
	var all []column
	for i := range query.Fields {
		if field := &query.Fields[i]; field.Column != "" {
			all = append(all, newColumn(field))
		}
	}
	all = append(append(append(all, priceColumns...), spanColumn), hashColumns...)
	slices.SortFunc(all, func(a, b column) int { return strings.Compare(a.name, b.name) })
	return all
}()

// priceColumns are what the price of a log depends on besides the fields, so
// that logs can be priced again without reading the journal.
var priceColumns = []column{
	{name: "cache_write_tokens", sqlType: "BIGINT", optional: true, write: orNull((*chunk.Appender).Int, func(l *reqlog.Log) (int64, bool) {
		return l.Usage.CacheWrite.N, l.Usage.CacheWrite.Given
	})},
	{name: "long_cache_write_tokens", sqlType: "BIGINT", optional: true, write: orNull((*chunk.Appender).Int, func(l *reqlog.Log) (int64, bool) {
		return l.Usage.CacheWriteLong.N, l.Usage.CacheWriteLong.Given
	})},
	{name: "is_batch", sqlType: "BOOLEAN", write: func(a *chunk.Appender, l *reqlog.Log) { a.Bool(l.Usage.Batch) }},
	{name: "price_source", sqlType: "VARCHAR", optional: true, write: orNull((*chunk.Appender).Text, func(l *reqlog.Log) (string, bool) {
		return l.Price.Source.String(), l.Price.Known()
	})},
	// Rows are added with the price that the log was written with; a re-pricing
	// changes price and price_source only.
	{name: "logged_price", sqlType: "DOUBLE", optional: true, write: orNull((*chunk.Appender).Float, func(l *reqlog.Log) (float64, bool) {
		return l.Price.USD, l.Price.Known()
	})},
	{name: "logged_price_source", sqlType: "VARCHAR", optional: true, write: orNull((*chunk.Appender).Text, func(l *reqlog.Log) (string, bool) {
		return l.Price.Source.String(), l.Price.Known()
	})},
	{name: "repricing", sqlType: "BIGINT", optional: true, write: func(a *chunk.Appender, _ *reqlog.Log) { a.Null() }},
}

// spanColumn finds the logs of a span.
var spanColumn = column{name: "span_key", sqlType: "BIGINT", optional: true, write: orNull((*chunk.Appender).Int, func(l *reqlog.Log) (int64, bool) {
	return reqlog.LogKey(l.Workspace, l.SpanID), l.SpanID != ""
})}

// hashColumns find and count values in nested fields, such as metadata, and count their
// keys. DuckDB compares numbers several times as fast as texts, which it would have to
// unpack.
var hashColumns = func() (all []column) {
	for i := range query.Fields {
		field := &query.Fields[i]
		switch {
		case hashedValues(field):
			all = append(all, column{name: hashesOf(field), sqlType: "BIGINT[]", write: func(a *chunk.Appender, l *reqlog.Log) {
				a.Ints(document.ValueHashes(field, l))
			}})
		case field.Name == query.FieldMetadataKeys || field.Name == query.FieldOutputKeys:
			all = append(all, column{name: hashOf(field), sqlType: "BIGINT", write: func(a *chunk.Appender, l *reqlog.Log) {
				a.Int(document.TextsHash(field.List(l)))
			}})
		}
	}
	return all
}()

// hashedValues reports whether a column has the hashes of the values of a field.
func hashedValues(f *query.FieldSpec) bool { return f.Type == query.TypeNested && f.Pairs != nil }

// hashesOf is the column with a hash of each value of a field with keys, hashOf that
// with a hash of all values of a list.
func hashesOf(f *query.FieldSpec) string { return f.Column + "_hashes" }
func hashOf(f *query.FieldSpec) string   { return f.Column + "_hash" }

// newColumn chooses the SQL type by the kind of value that the field has.
func newColumn(f *query.FieldSpec) column {
	c := column{name: f.Column, optional: f.Optional}
	switch {
	case f.Int != nil:
		c.sqlType, c.write = "BIGINT", orNull((*chunk.Appender).Int, f.Int)
	case f.Float != nil:
		c.sqlType, c.write = "DOUBLE", orNull((*chunk.Appender).Float, f.Float)
	case f.Time != nil:
		c.sqlType, c.write = "BIGINT", func(a *chunk.Appender, l *reqlog.Log) { a.Int(int64(f.Time(l))) }
	case f.Flag != nil:
		c.sqlType, c.write = "BOOLEAN", func(a *chunk.Appender, l *reqlog.Log) { a.Bool(f.Flag(l)) }
	case f.Word != nil:
		c.sqlType, c.write = "VARCHAR", orNull((*chunk.Appender).Text, f.Word)
	case f.Type == query.TypeIntent:
		c.sqlType, c.write = "BIGINT", func(a *chunk.Appender, l *reqlog.Log) { a.Int(document.IntentMask(f, f.List(l))) }
	case f.List != nil:
		c.sqlType, c.write = "VARCHAR[]", func(a *chunk.Appender, l *reqlog.Log) { a.Texts(f.List(l)) }
	case f.Pairs != nil:
		c.sqlType, c.write = "VARCHAR[]", func(a *chunk.Appender, l *reqlog.Log) { a.Texts(document.PairTexts(f.Pairs(l))) }
	default:
		panic("field without a value: " + string(f.Name))
	}
	return c
}

// orNull writes a value that may be missing.
func orNull[T any](add func(*chunk.Appender, T), read func(*reqlog.Log) (T, bool)) func(*chunk.Appender, *reqlog.Log) {
	return func(a *chunk.Appender, l *reqlog.Log) {
		if value, ok := read(l); ok {
			add(a, value)
			return
		}
		a.Null()
	}
}

// writeRow writes the values of a log in the order of the columns. Only annotated
// logs have notes here; those of other logs are in the journal.
func writeRow(a *chunk.Appender, l *reqlog.Log, notes []byte) {
	a.Int(l.Workspace)
	for i := range columns {
		columns[i].write(a, l)
	}
	if notes == nil {
		a.Null()
		return
	}
	a.Text(string(notes))
}
