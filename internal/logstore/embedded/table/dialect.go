package table

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// language is DuckDB's SQL.
var language = logsql.New(dialect{})

// writer writes a part of the query.
func (q *sqlQuery) writer() logsql.Writer {
	return logsql.Writer{Language: language, Values: values{q}}
}

// values implements logsql.Values.
type values struct{ q *sqlQuery }

func (v values) Text(text string) string       { return v.q.bind(text) }
func (v values) Int(n int64) string            { return v.q.bind(n) }
func (v values) Float(n float64) string        { return v.q.bind(n) }
func (v values) InTexts(texts []string) string { return "(" + v.q.bindList(texts) + ")" }
func (v values) List(texts []string) string    { return "[" + v.q.bindList(texts) + "]" }
func (v values) InInts(ids []int64) string     { return v.q.list(ids) }
func (v values) InFloats(numbers []float64) string {
	marks := []string{"NULL"} // a list must not be empty
	for _, n := range numbers {
		marks = append(marks, v.q.bind(n))
	}
	return "(" + strings.Join(marks, ", ") + ")"
}

// dialect implements logsql.Dialect.
type dialect struct{}

func call(function string, args ...string) string {
	return function + "(" + strings.Join(args, ", ") + ")"
}

var tests = map[query.Op]string{query.OpContains: "contains", query.OpStartsWith: "starts_with", query.OpEndsWith: "ends_with"}

func (dialect) Lower(text string) string                    { return call("lower", text) }
func (dialect) Test(op query.Op, text, value string) string { return call(tests[op], text, value) }
func (dialect) Bits(number string, mask int64) string {
	return number + " & " + strconv.FormatInt(mask, 10)
}
func (dialect) Rounded(number string) string { return number } // as every comparison does
func (dialect) After(text, prefix string) string {
	return call("substr", text, strconv.Itoa(utf8.RuneCountInString(prefix)+1))
}

// Bucket rounds down. Remainders of times before 1970 are negative, so it counts from
// earlier on than any time, which takes half as long as a second remainder.
func (dialect) Bucket(b chart.Bucket) string {
	if b.MS == 0 {
		return "epoch_us(date_trunc('" + b.Unit + "', make_timestamp(start_time)))"
	}
	size := b.MS * 1000
	return fmt.Sprintf("start_time - (start_time + %d) %% %d", maxTime/size*size, size)
}

// maxTime is later than any time, in microseconds: that of the year 9999 has 58 bits.
const maxTime = 1 << 60

func (dialect) Length(list string) string           { return call("len", list) }
func (dialect) Has(list, element string) string     { return call("list_contains", list, element) }
func (dialect) HasAny(list, elements string) string { return call("list_has_any", list, elements) }
func (dialect) Position(list, element string) string {
	return call("list_position", list, element)
}
func (dialect) Filter(list, condition string) string {
	return call("list_filter", list, "x -> "+condition)
}
func (dialect) Map(list, expression string) string {
	return call("list_transform", list, "x -> "+expression)
}
func (d dialect) Count(list, condition string) string { return d.Length(d.Filter(list, condition)) }
func (dialect) Unnest(list string) string             { return call("unnest", list) }

func (dialect) CountIf(condition string) string          { return "count(*) FILTER (" + condition + ")" }
func (dialect) Aggregate(function, number string) string { return call(function, number) }
func (dialect) Quantile(number, level string) string     { return call("quantile_cont", number, level) }
func (dialect) Quantiles(number, levels string) string {
	return call("quantile_cont", number, "["+levels+"]")
}
func (dialect) CountDistinct(list string) string {
	return "len(list_distinct(flatten(list(" + list + "))))"
}
func (dialect) Distinct(value string) string {
	return "coalesce(list(DISTINCT " + value + " ORDER BY " + value + ") FILTER (" + value + " IS NOT NULL), [])"
}

func (dialect) First(value string, order ...string) string {
	return call("arg_min", value, call("row", order...)) + " FILTER (" + value + " IS NOT NULL)"
}
