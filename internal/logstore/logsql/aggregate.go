package logsql

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// maxAggregateRows bounds an answer to a query that set no limit itself.
const maxAggregateRows = 100_000

// Aggregate writes a query that groups by d0, d1, … and computes m0, m1, … over
// the rows that source writes. Rows without a value of a dimension are in no
// group.
func (w Writer) Aggregate(aggregate chart.AggregateQuery, source func() string) string {
	var keys, values []string
	for i := range aggregate.By {
		keys = append(keys, "d"+strconv.Itoa(i))
	}
	for i, m := range aggregate.Measures {
		values = append(values, w.measure(m)+"::DOUBLE AS m"+strconv.Itoa(i))
	}
	text := "SELECT " + strings.Join(append(append([]string{}, keys...), values...), ", ") + " FROM " + w.dimensions(aggregate.By, source)
	for i, d := range aggregate.By {
		text += []string{" WHERE ", " AND "}[min(i, 1)] + keys[i] + " IS NOT NULL"
		if d.Only != nil {
			text += " AND " + w.only(keys[i], d)
		}
	}
	if len(keys) == 0 {
		return text
	}
	order := strings.Join(keys, ", ")
	if len(values) > 0 {
		order = "m0 DESC NULLS LAST, " + order
	}
	limit := aggregate.Limit
	if limit <= 0 || limit > maxAggregateRows {
		limit = maxAggregateRows
	}
	return text + " GROUP BY " + strings.Join(keys, ", ") + " ORDER BY " + order + " LIMIT " + strconv.Itoa(limit)
}

// AggregateLogs writes an aggregate over logs. Only the columns that it uses are
// read: planning a query over all of them takes longer than many queries run.
func (w Writer) AggregateLogs(aggregate chart.AggregateQuery, logs Logs) string {
	columns := strings.Join(columnsOf(aggregate), ", ")
	return w.Aggregate(aggregate, func() string { return "(SELECT " + columns + " FROM " + logs.From() + ")" })
}

// columnsOf returns the columns of logs that an aggregate uses, one at least.
func columnsOf(aggregate chart.AggregateQuery) []string {
	columns := map[string]bool{}
	add := func(field query.Field, metadataKey string) {
		switch {
		case metadataKey != "":
			columns["metadata_pairs"] = true
		case field != "":
			columns[field.Spec().Column] = true
			if keys := field.Spec().Keys; keys != "" {
				columns[keys.Spec().Column] = true
			}
		}
	}
	for _, d := range aggregate.By {
		add(d.Field, d.MetadataKey)
		if d.Bucket != nil {
			columns["start_time"] = true
		}
	}
	for _, m := range aggregate.Measures {
		add(m.Field, m.MetadataKey)
	}
	if len(columns) == 0 {
		return []string{"id"}
	}
	return slices.Sorted(maps.Keys(columns))
}

// dimensions writes the source of rows with a column per dimension. Lists are
// unnested one level of subquery each, because several in one level would be
// walked side by side instead of combined.
func (w Writer) dimensions(by []chart.Dimension, source func() string) string {
	var text strings.Builder
	for i := len(by) - 1; i >= 0; i-- {
		text.WriteString("(SELECT *, " + w.dimension(by[i]) + " AS d" + strconv.Itoa(i) + " FROM ")
	}
	return text.String() + source() + strings.Repeat(")", len(by))
}

func (w Writer) dimension(d chart.Dimension) string {
	switch {
	case d.Bucket != nil:
		return w.Bucket(*d.Bucket)
	case d.MetadataKey != "":
		return w.Unnest(w.valuesUnder(d.MetadataKey))
	}
	field := d.Field.Spec()
	switch {
	case d.BinWidth > 0:
		width := strconv.FormatFloat(d.BinWidth, 'g', -1, 64) + "::DOUBLE"
		return "floor(" + w.numberOf(field, d.Key) + " / " + width + ") * " + width
	case field.Type == query.TypeArray:
		return w.Unnest(field.Column)
	case field.Type == query.TypeScore:
		return w.numberOf(field, d.Key)
	case field.Type == query.TypeString, field.Type == query.TypeName:
		return "nullif(" + field.Column + ", '')"
	default:
		return field.Column
	}
}

// only writes the condition that a dimension has one of the chosen values.
// Fractions are compared as numbers: engines write them differently.
func (w Writer) only(key string, d chart.Dimension) string {
	if len(d.Only) == 0 {
		return "FALSE"
	}
	if field := d.Field.Spec(); d.BinWidth == 0 && (field == nil || field.Float == nil) {
		return key + "::VARCHAR IN " + w.InTexts(d.Only)
	}
	var numbers []float64
	for _, text := range d.Only {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	return key + " IN " + w.InFloats(numbers)
}

// valuesUnder writes the list of the distinct values under a metadata key.
func (w Writer) valuesUnder(key string) string {
	prefix := document.PairText(key, "")
	return w.Map(w.Filter("metadata_pairs", w.startsWith("x", prefix)), w.After("x", prefix))
}

// numberOf writes the number of a numeric field, or the score with a name, NULL
// without it. Scores and their names are at the same places of two lists. Most logs
// have no such score, which is much faster to find out first.
func (w Writer) numberOf(field *query.FieldSpec, name string) string {
	if field.Type != query.TypeScore {
		return field.Column
	}
	names := field.Keys.Spec().Column
	has := w.Has(names, w.Text(name))
	pair := field.Column + "[" + w.Position(names, w.Text(name)) + "]"
	return "CASE WHEN " + has + " THEN nullif(" + w.After(pair, document.PairText(name, "")) + ", '')::BIGINT END"
}

func (w Writer) measure(m chart.Measure) string {
	switch m.Metric {
	case chart.MetricCount:
		return "count(*)"
	case chart.MetricDistinct:
		return w.CountDistinct(w.valuesUnder(m.MetadataKey))
	case chart.MetricPercentile:
		return w.Quantile(w.numberOf(m.Field.Spec(), m.Key), strconv.FormatFloat(m.Percentile/100, 'f', -1, 64))
	case chart.MetricSum:
		return "coalesce(" + w.Dialect.Aggregate("sum", w.numberOf(m.Field.Spec(), m.Key)) + ", 0)"
	default:
		return w.Dialect.Aggregate(string(m.Metric), w.numberOf(m.Field.Spec(), m.Key))
	}
}

// ScanAggregate reads a row of Aggregate.
func ScanAggregate(scan Scan, aggregate chart.AggregateQuery) (chart.AggregateRow, error) {
	keys := make([]any, len(aggregate.By))
	row := chart.AggregateRow{Keys: make([]string, len(keys)), Values: make([]*float64, len(aggregate.Measures))}
	targets := make([]any, 0, len(keys)+len(row.Values))
	for i := range keys {
		targets = append(targets, &keys[i])
	}
	for i := range row.Values {
		targets = append(targets, &row.Values[i])
	}
	err := scan(targets...)
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
