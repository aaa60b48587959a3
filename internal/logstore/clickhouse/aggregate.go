package clickhouse

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// maxAggregateRows bounds an answer to a query that set no limit itself.
const maxAggregateRows = 100_000

// Aggregate implements reqlog.Store.
func (s *Store) Aggregate(ctx context.Context, aggregate reqlog.AggregateQuery) ([]reqlog.AggregateRow, error) {
	sel, err := s.selection(ctx, aggregate.Query)
	if err != nil {
		return nil, err
	}
	var found []reqlog.AggregateRow
	err = s.read(ctx, aggregateQuery(sel, aggregate), func(rows *rowReader) error {
		row, err := scanAggregate(rows, len(aggregate.By), len(aggregate.Measures))
		found = append(found, row)
		return err
	})
	if err != nil {
		return nil, s.explain(fmt.Errorf("aggregate logs: %w", err))
	}
	return found, nil
}

// aggregateQuery groups by d0, d1, … and computes m0, m1, …. Each list is
// unnested in a subquery of its own.
func aggregateQuery(sel *selection, aggregate reqlog.AggregateQuery) *query {
	q := newQuery()
	source := func() {
		q.write("(SELECT * FROM log WHERE ")
		sel.where(q)
		q.write(")")
	}
	if aggregate.Level != reqlog.LevelRequest {
		views := newTraceViews(q, aggregate.Workspace)
		text := views.selected(sel, aggregate)
		q.write(views.trees())
		source = func() { q.write(text) }
	}
	writeAggregate(q, aggregate, source)
	return q
}

// writeAggregate writes the query over the rows that source writes.
func writeAggregate(q *query, aggregate reqlog.AggregateQuery, source func()) {
	var keys, values []string
	for i := range aggregate.By {
		keys = append(keys, "d"+strconv.Itoa(i))
	}
	for i, m := range aggregate.Measures {
		values = append(values, "CAST("+measureExpression(q, m)+", 'Nullable(Float64)') AS m"+strconv.Itoa(i))
	}
	chosen := append(append([]string{}, keys...), values...)
	if len(chosen) == 0 {
		chosen = []string{"1"}
	}
	q.write("SELECT ", strings.Join(chosen, ", "), " FROM ")
	dimensions(q, aggregate.By, source)
	for i, d := range aggregate.By {
		q.write([]string{" WHERE ", " AND "}[min(i, 1)], keys[i], " IS NOT NULL")
		if d.Only != nil {
			q.write(" AND ", onlyCondition(q, keys[i], d))
		}
	}
	if len(keys) == 0 {
		return
	}
	order := strings.Join(keys, ", ")
	if len(values) > 0 {
		order = "m0 DESC NULLS LAST, " + order
	}
	limit := aggregate.Limit
	if limit <= 0 || limit > maxAggregateRows {
		limit = maxAggregateRows
	}
	q.write(" GROUP BY ", strings.Join(keys, ", "), " ORDER BY ", order, " LIMIT ", strconv.Itoa(limit))
}

// dimensions writes the source of rows with a column per dimension.
func dimensions(q *query, by []reqlog.Dimension, source func()) {
	for i := len(by) - 1; i >= 0; i-- {
		q.write("(SELECT *, ", dimensionExpression(q, by[i]), " AS d", strconv.Itoa(i), " FROM ")
	}
	source()
	for range by {
		q.write(")")
	}
}

func dimensionExpression(q *query, d reqlog.Dimension) string {
	switch {
	case d.Bucket != nil:
		return bucketExpression(*d.Bucket)
	case d.MetadataKey != "":
		return "arrayJoin(" + valuesExpression(q, d.MetadataKey) + ")"
	}
	field := d.Field.Spec()
	switch column := field.Column; {
	case d.BinWidth > 0:
		width := strconv.FormatFloat(d.BinWidth, 'g', -1, 64)
		return "floor(" + column + " / toFloat64(" + width + ")) * toFloat64(" + width + ")"
	case field.Type == reqlog.TypeArray:
		return "arrayJoin(" + column + ")"
	case field.Type == reqlog.TypeString, field.Type == reqlog.TypeName:
		return "nullIf(" + column + ", '')"
	default:
		return column
	}
}

// onlyCondition writes the condition that a dimension has one of the chosen
// values. Fractions are compared as numbers.
func onlyCondition(q *query, key string, d reqlog.Dimension) string {
	if field := d.Field.Spec(); d.BinWidth == 0 && (field == nil || field.Float == nil) {
		return "toString(" + key + ") IN " + q.bindTexts(d.Only)
	}
	var numbers []float64
	for _, text := range d.Only {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	return key + " IN " + q.bindFloats(numbers)
}

// valuesExpression writes the list of the distinct values under a metadata key.
func valuesExpression(q *query, key string) string {
	prefix := document.PairText(key, "")
	return "arrayMap(x -> substring(x, " + strconv.Itoa(len(prefix)+1) + "), arrayFilter(x -> startsWith(x, " + q.bind(prefix) + "), metadata_pairs))"
}

// bucketExpression writes the start of the bucket that holds start_time, in
// microseconds. The server's own dates begin in 1900.
func bucketExpression(b reqlog.Bucket) string {
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

func measureExpression(q *query, m reqlog.Measure) string {
	switch m.Metric {
	case reqlog.MetricCount:
		return "count()"
	case reqlog.MetricDistinct:
		return "if(count() = 0, NULL, uniqExactArray(" + valuesExpression(q, m.MetadataKey) + "))"
	}
	number := "toFloat64(" + m.Field.Spec().Column + ")"
	switch m.Metric {
	case reqlog.MetricPercentile:
		return "quantileExactInclusiveOrNull(" + strconv.FormatFloat(m.Percentile/100, 'f', -1, 64) + ")(" + number + ")"
	case reqlog.MetricSum:
		return "ifNull(sumOrNull(" + number + "), 0)"
	default:
		return string(m.Metric) + "OrNull(" + number + ")"
	}
}

func scanAggregate(rows *rowReader, dimensions, measures int) (reqlog.AggregateRow, error) {
	keys := make([]any, dimensions)
	row := reqlog.AggregateRow{Keys: make([]string, dimensions), Values: make([]*float64, measures)}
	targets := make([]any, 0, dimensions+measures)
	for i := range keys {
		targets = append(targets, &keys[i])
	}
	for i := range row.Values {
		targets = append(targets, &row.Values[i])
	}
	if len(targets) == 0 {
		targets = []any{new(any)}
	}
	err := rows.scan(targets...)
	for i, key := range keys {
		row.Keys[i] = keyText(key)
	}
	return row, err
}

// keyText renders a group's key; whole numbers come without a fraction.
func keyText(key any) string {
	switch key := key.(type) {
	case string:
		return key
	case float64:
		return strconv.FormatFloat(key, 'f', -1, 64)
	default:
		return fmt.Sprint(key)
	}
}
