package clickhouse

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// column is a column of the log table that filters use.
type column struct {
	name    string
	sqlType string
	write   func(*block, *row)
}

// row is a new log with what the table keeps of it.
type row struct {
	*reqlog.Log
	// logged is the price that the log was written with.
	logged reqlog.Price
	// ofSpan says that the log was derived from a span.
	ofSpan bool
	head   []byte
	words  []string
	texts  [3]string // in lower case
}

// columns are those of the fields, of prices and of spans, by name, so that the
// order of the fields does not matter.
var columns = func() []column {
	var all []column
	for i := range query.Fields {
		if field := &query.Fields[i]; field.Column != "" {
			all = append(all, newColumn(field))
		}
	}
	all = slices.Concat(all, priceColumns, linkColumns)
	slices.SortFunc(all, func(a, b column) int { return strings.Compare(a.name, b.name) })
	return all
}()

// priceColumns are what the price of a log depends on besides the fields.
var priceColumns = []column{
	{"cache_write_tokens", "Nullable(Int64)", func(b *block, r *row) {
		if b.present(r.Usage.CacheWrite.Given) {
			b.int(r.Usage.CacheWrite.N)
		}
	}},
	{"long_cache_write_tokens", "Nullable(Int64)", func(b *block, r *row) {
		if b.present(r.Usage.CacheWriteLong.Given) {
			b.int(r.Usage.CacheWriteLong.N)
		}
	}},
	{"is_batch", "Bool", func(b *block, r *row) { b.flag(r.Usage.Batch) }},
	{"price_source", "LowCardinality(String)", func(b *block, r *row) { b.text(r.Price.Source.String()) }},
	{"repricing", "Int64", func(b *block, r *row) { b.int(r.Price.Repricing) }},
	// A re-pricing changes price, price_source and repricing only.
	{"logged_price", "Nullable(Float64)", func(b *block, r *row) {
		if b.present(r.logged.Known()) {
			b.float(r.logged.USD)
		}
	}},
	{"logged_price_source", "LowCardinality(String)", func(b *block, r *row) { b.text(r.logged.Source.String()) }},
}

// linkColumns find the logs of a span: the key is 0 for logs without one.
var linkColumns = []column{
	{"span_key", "Int64", func(b *block, r *row) { b.int(reqlog.LogKey(r.Workspace, r.SpanID)) }},
	{"of_span", "Bool", func(b *block, r *row) { b.flag(r.ofSpan) }},
}

// newColumn chooses the type by the kind of value that the field has.
func newColumn(f *query.FieldSpec) column {
	switch {
	case f.Int != nil:
		return valueColumn(f, "Int64", f.Int, (*block).int)
	case f.Float != nil:
		return valueColumn(f, "Float64", f.Float, (*block).float)
	case f.Word != nil:
		c := valueColumn(f, "String", f.Word, (*block).text)
		c.sqlType = "LowCardinality(" + c.sqlType + ")"
		return c
	case f.Time != nil:
		return column{f.Column, "Int64", func(b *block, r *row) { b.int(int64(f.Time(r.Log))) }}
	case f.Flag != nil:
		return column{f.Column, "Bool", func(b *block, r *row) { b.flag(f.Flag(r.Log)) }}
	case f.Type == query.TypeIntent:
		return column{f.Column, "Int64", func(b *block, r *row) { b.int(document.IntentMask(f, f.List(r.Log))) }}
	case f.List != nil:
		return column{f.Column, "Array(LowCardinality(String))", func(b *block, r *row) { b.texts(f.List(r.Log)) }}
	case f.Pairs != nil:
		return column{f.Column, "Array(String)", func(b *block, r *row) { b.texts(document.PairTexts(f.Pairs(r.Log))) }}
	default:
		panic("field without a value: " + string(f.Name))
	}
}

func valueColumn[T any](f *query.FieldSpec, sqlType string, read func(*reqlog.Log) (T, bool), write func(*block, T)) column {
	if !f.Optional {
		return column{f.Column, sqlType, func(b *block, r *row) {
			value, _ := read(r.Log) // every log has one
			write(b, value)
		}}
	}
	return column{f.Column, "Nullable(" + sqlType + ")", func(b *block, r *row) {
		if value, ok := read(r.Log); b.present(ok) {
			write(b, value)
		}
	}}
}

// ownColumns are those of the log table that filters do not use. The texts are in
// lower case, as they are searched. Input, output, parameters and head are read
// with a log.
var ownColumns = []column{
	{"workspace", "Int64", func(b *block, r *row) { b.int(r.Workspace) }},
	{"month", "UInt32", func(b *block, r *row) { b.short(monthOf(r.CreatedAt)) }},
	{"head", "String CODEC(ZSTD(1))", func(b *block, r *row) { b.raw(r.head) }},
	{"input", "String CODEC(ZSTD(3))", func(b *block, r *row) { b.raw(r.Input) }},
	{"output", "String CODEC(ZSTD(3))", func(b *block, r *row) { b.raw(r.Output) }},
	{"parameters", "String CODEC(ZSTD(1))", func(b *block, r *row) { b.raw(r.Parameters) }},
	{"input_text", "String CODEC(ZSTD(3))", func(b *block, r *row) { b.text(r.texts[0]) }},
	{"output_text", "String CODEC(ZSTD(3))", func(b *block, r *row) { b.text(r.texts[1]) }},
	{"thinking_text", "String CODEC(ZSTD(3))", func(b *block, r *row) { b.text(r.texts[2]) }},
	{"words", "Array(String) CODEC(ZSTD(1))", func(b *block, r *row) { b.texts(r.words) }},
}

// monthOf returns the month in which a log arrived as the number yyyymm, 0 if it
// cannot be, before there was this program for example: partitions must be few.
func monthOf(at reqlog.Micros) uint32 {
	t := at.Time()
	if t.Year() < 2025 || t.Year() > 2200 {
		return 0
	}
	return uint32(t.Year()*100 + int(t.Month()))
}

// logColumns are all columns of the log table that an insert sets.
var logColumns = slices.Concat(ownColumns, columns)

// logInsert is the statement that inserts logs.
var logInsert = insertInto("log", names(logColumns))

func names(columns []column) []string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.name
	}
	return all
}

func insertInto(table string, columns []string) string {
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") FORMAT RowBinary"
}
