package clickhouse

import (
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/logsql"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// language is ClickHouse's SQL.
var language = logsql.New(dialect{})

// writer writes a part of the query.
func (q *sqlQuery) writer() logsql.Writer {
	return logsql.Writer{Language: language, Values: values{q}}
}

// values implements logsql.Values.
type values struct{ q *sqlQuery }

func (v values) Text(text string) string           { return v.q.bind(text) }
func (v values) Int(n int64) string                { return v.q.bindInt(n) }
func (v values) Float(n float64) string            { return v.q.bindFloat(n) }
func (v values) InTexts(texts []string) string     { return v.q.bindTexts(texts) }
func (v values) List(texts []string) string        { return v.q.bindTexts(texts) }
func (v values) InInts(ids []int64) string         { return v.q.bindInts(ids) }
func (v values) InFloats(numbers []float64) string { return v.q.bindFloats(numbers) }

// dialect implements logsql.Dialect.
type dialect struct{}

func call(function string, args ...string) string {
	return function + "(" + strings.Join(args, ", ") + ")"
}

// Lower replaces some letters before, which the server turns into two, or into
// others at the end of a word, and Go does not.
func (dialect) Lower(text string) string {
	return "lowerUTF8(replaceAll(replaceAll(" + text + ", 'İ', 'i'), 'Σ', 'σ'))"
}

func (dialect) Test(op query.Op, text, value string) string {
	switch op {
	case query.OpStartsWith:
		return call("startsWith", text, value)
	case query.OpEndsWith:
		return call("endsWith", text, value)
	default:
		return call("position", text, value) + " > 0"
	}
}

func (dialect) After(text, prefix string) string {
	return call("substring", text, strconv.Itoa(len(prefix)+1))
}

func (dialect) Bits(number string, mask int64) string {
	return call("bitAnd", number, strconv.FormatInt(mask, 10))
}
func (dialect) Rounded(number string) string { return call("toFloat64", number) }

// Bucket computes with numbers: the server's own dates begin in 1900.
func (dialect) Bucket(b chart.Bucket) string {
	const day = reqlog.Micros(86_400_000_000)
	switch b.Unit {
	case "week":
		return floorTo("start_time", 7*day, -3*day) // 1970 began on a Thursday
	case "month":
		return monthExpression(int64(day))
	default:
		return floorTo("start_time", reqlog.Micros(b.MS*1000), 0)
	}
}

func (dialect) Length(list string) string { return call("length", list) }

// Has does not use the function has: that of version 26.7 does not find the empty
// text in lists with a dictionary.
func (d dialect) Has(list, element string) string   { return d.HasAny(list, "["+element+"]") }
func (dialect) HasAny(list, elements string) string { return call("hasAny", list, elements) }
func (dialect) Position(list, element string) string {
	return call("indexOf", list, element)
}
func (dialect) Filter(list, condition string) string {
	return call("arrayFilter", "x -> "+condition, list)
}
func (dialect) Count(list, condition string) string {
	return call("arrayCount", "x -> "+condition, list)
}
func (dialect) Map(list, expression string) string { return call("arrayMap", "x -> "+expression, list) }
func (dialect) Unnest(list string) string          { return call("arrayJoin", list) }
func (dialect) CountIf(condition string) string    { return call("countIf", condition) }
func (dialect) Quantiles(number, levels string) string {
	return "quantilesExactInclusive(" + levels + ")(" + number + ")"
}

func (dialect) Quantile(number, level string) string {
	return "quantileExactInclusiveOrNull(" + level + ")(toFloat64(" + number + "))"
}

func (dialect) Aggregate(function, number string) string {
	return function + "OrNull(toFloat64(" + number + "))"
}

func (dialect) CountDistinct(list string) string {
	return "if(count() = 0, NULL, uniqExactArray(" + list + "))"
}

func (dialect) Distinct(value string) string { return "arraySort(groupUniqArray(" + value + "))" }

func (dialect) First(value string, order ...string) string {
	return call("argMin", value, "("+strings.Join(order, ", ")+")")
}

// floorTo writes the highest multiple of a size, moved by an offset, up to a
// value.
func floorTo(value string, size, offset reqlog.Micros) string {
	return value + " - positiveModulo(" + value + " - " + signed(int64(offset)) + ", " + signed(int64(size)) + ")"
}

// signed writes a number of the type of start_time. Arithmetic with others would
// have no sign.
func signed(n int64) string { return "toInt64(" + strconv.FormatInt(n, 10) + ")" }

// monthExpression writes the start of the month that holds start_time: the day of
// the month is computed in years that begin in March, of eras of 400 years.
func monthExpression(day int64) string {
	width := signed(day)
	days := "(intDiv(start_time - positiveModulo(start_time, " + width + "), " + width + ") + 719468)"
	inEra := "positiveModulo(" + days + ", 146097)"
	yearOfEra := "intDiv(" + inEra + " - intDiv(" + inEra + ", 1460) + intDiv(" + inEra + ", 36524) - intDiv(" + inEra + ", 146096), 365)"
	inYear := "(" + inEra + " - (365 * " + yearOfEra + " + intDiv(" + yearOfEra + ", 4) - intDiv(" + yearOfEra + ", 100)))"
	month := "intDiv(5 * " + inYear + " + 2, 153)"
	first := "intDiv(153 * " + month + " + 2, 5)"
	return "(" + days + " - 719468 - (" + inYear + " - " + first + ")) * " + width
}
