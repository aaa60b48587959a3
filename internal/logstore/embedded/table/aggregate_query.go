package table

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// maxAggregateRows bounds an answer to a query that set no limit itself.
const maxAggregateRows = 100_000

// Aggregate groups the logs of the selection, as reqlog.Store describes.
func (t *Table) Aggregate(ctx context.Context, sel *Selection, aggregate reqlog.AggregateQuery) ([]reqlog.AggregateRow, error) {
	var found []reqlog.AggregateRow
	err := t.read(ctx, func(db *sql.DB) error {
		return aggregateQuery(sel, aggregate).rows(ctx, db, func(rows *sql.Rows) error {
			row, err := scanAggregate(rows, len(aggregate.By), len(aggregate.Measures))
			found = append(found, row)
			return err
		})
	})
	if err != nil {
		return nil, fmt.Errorf("aggregate logs: %w", err)
	}
	return found, nil
}

// aggregateQuery groups by d0, d1, … and computes m0, m1, …. Lists are
// unnested one level of subquery each, because several in one level would be
// walked side by side instead of combined.
func aggregateQuery(sel *Selection, aggregate reqlog.AggregateQuery) *query {
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
		values = append(values, measureExpression(q, m)+"::DOUBLE AS m"+strconv.Itoa(i))
	}
	q.write("SELECT ", strings.Join(append(append([]string{}, keys...), values...), ", "), " FROM ")
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
		return "unnest(" + valuesExpression(q, d.MetadataKey) + ")"
	}
	column := d.Field.Spec().Column
	switch {
	case d.BinWidth > 0:
		width := strconv.FormatFloat(d.BinWidth, 'g', -1, 64)
		return "floor(" + column + " / " + width + "::DOUBLE) * " + width + "::DOUBLE"
	case d.Field.Type() == reqlog.TypeArray:
		return "unnest(" + column + ")"
	case d.Field.Type() == reqlog.TypeString, d.Field.Type() == reqlog.TypeName:
		return "nullif(" + column + ", '')"
	default:
		return column
	}
}

// onlyCondition writes the condition that a dimension has one of the chosen
// values. Fractions are compared as numbers: DuckDB writes them differently.
func onlyCondition(q *query, key string, d reqlog.Dimension) string {
	if len(d.Only) == 0 {
		return "FALSE"
	}
	if field := d.Field.Spec(); d.BinWidth == 0 && (field == nil || field.Float == nil) {
		return key + "::VARCHAR IN (" + q.bindList(d.Only) + ")"
	}
	marks := []string{"NULL"}
	for _, text := range d.Only {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			marks = append(marks, q.bind(n))
		}
	}
	return key + " IN (" + strings.Join(marks, ", ") + ")"
}

// valuesExpression writes the list of the distinct values under a metadata key.
func valuesExpression(q *query, key string) string {
	prefix := document.PairText(key, "")
	return fmt.Sprintf("list_transform(list_filter(metadata_pairs, x -> starts_with(x, %s)), x -> substr(x, %d))",
		q.bind(prefix), utf8.RuneCountInString(prefix)+1)
}

// bucketExpression writes the start of the bucket that holds start_time, in
// microseconds. Remainders of times before 1970 are negative, hence the sum.
func bucketExpression(b reqlog.Bucket) string {
	if b.MS == 0 {
		return "epoch_us(date_trunc('" + b.Unit + "', make_timestamp(start_time)))"
	}
	size := strconv.FormatInt(b.MS*1000, 10)
	return "start_time - (start_time % " + size + " + " + size + ") % " + size
}

func measureExpression(q *query, m reqlog.Measure) string {
	switch m.Metric {
	case reqlog.MetricCount:
		return "count(*)"
	case reqlog.MetricDistinct:
		return "len(list_distinct(flatten(list(" + valuesExpression(q, m.MetadataKey) + "))))"
	}
	column := m.Field.Spec().Column
	switch m.Metric {
	case reqlog.MetricPercentile:
		return "quantile_cont(" + column + ", " + strconv.FormatFloat(m.Percentile/100, 'g', -1, 64) + ")"
	case reqlog.MetricSum:
		return "coalesce(sum(" + column + "), 0)"
	default:
		return string(m.Metric) + "(" + column + ")"
	}
}

func scanAggregate(rows *sql.Rows, dimensions, measures int) (reqlog.AggregateRow, error) {
	keys := make([]any, dimensions)
	values := make([]sql.NullFloat64, measures)
	targets := make([]any, 0, dimensions+measures)
	for i := range keys {
		targets = append(targets, &keys[i])
	}
	for i := range values {
		targets = append(targets, &values[i])
	}
	if err := rows.Scan(targets...); err != nil {
		return reqlog.AggregateRow{}, err
	}
	row := reqlog.AggregateRow{Keys: make([]string, dimensions), Values: make([]*float64, measures)}
	for i, key := range keys {
		row.Keys[i] = keyText(key)
	}
	for i := range values {
		if values[i].Valid {
			row.Values[i] = &values[i].Float64
		}
	}
	return row, nil
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
