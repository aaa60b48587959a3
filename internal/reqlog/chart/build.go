package chart

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// maxBins is the maximum number of bins of a histogram; the highest are kept.
const maxBins = 1_000

// Build computes the charts over the logs that q selects, and returns them
// in order. It calls aggregate for the numbers, as rarely as it can; ids without a
// name are shown as ids.
func Build(
	ctx context.Context,
	charts []Chart,
	aggregate func(context.Context, AggregateQuery) ([]AggregateRow, error),
	names Names,
	q query.Query,
	now reqlog.Micros,
) ([]Result, error) {
	rounds := &aggregateRounds{aggregate: aggregate, building: len(charts)}
	results := make([]Result, len(charts))
	group, ctx := errgroup.WithContext(ctx)
	for i, chart := range charts {
		b := chartBuilder{names: names, query: q, now: now}
		b.aggregate = func(ctx context.Context, query AggregateQuery) ([]AggregateRow, error) {
			return rounds.ask(ctx, i, query)
		}
		group.Go(guard.Task("charts", func() (err error) {
			if results[i], err = b.build(ctx, chart); err != nil {
				return fmt.Errorf("build chart %s: %w", chart.ID, err)
			}
			return rounds.pause(ctx)
		}))
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return results, nil
}

// Names looks up the names of what charts are grouped by.
type Names struct {
	Prompts func(ctx context.Context, ids []int64) (map[int64]string, error)
	// Keys returns those of all API keys.
	Keys func(ctx context.Context) (map[int64]string, error)
}

type chartBuilder struct {
	aggregate func(context.Context, AggregateQuery) ([]AggregateRow, error)
	names     Names
	query     query.Query
	now       reqlog.Micros
}

func (b chartBuilder) build(ctx context.Context, c Chart) (Result, error) {
	result := Result{ID: c.ID, Title: c.Title, Type: c.Type, Series: c.infos()}
	var totals []*float64
	var err error
	if c.isOverall() || len(c.Ratios) > 0 {
		if totals, err = b.totals(ctx, c); err != nil {
			return result, err
		}
	}
	switch {
	case c.isOverall():
		result.Data = []Row{c.row(totals, Cell{cellLabel, "Overall"})}
	case c.TimeSeries && len(c.By) > 0:
		result.Series, result.Data, err = b.groupedTimeSeries(ctx, c)
	default:
		result.Data, err = b.data(ctx, c)
	}
	if c.Multi {
		result.Ratios = c.ratios(totals)
	}
	return result, err
}

func (b chartBuilder) data(ctx context.Context, c Chart) ([]Row, error) {
	switch {
	case c.TimeSeries:
		return b.timeSeries(ctx, c)
	case c.Type == chartHistogram:
		return b.histogram(ctx, c)
	case c.Type == chartHeatmap:
		return b.heatmap(ctx, c)
	case c.Type == chartTreemap || c.Type == chartSunburst:
		return b.hierarchy(ctx, c)
	default:
		return b.groups(ctx, c)
	}
}

// totals measures the series over all logs.
func (b chartBuilder) totals(ctx context.Context, c Chart) ([]*float64, error) {
	rows, err := b.aggregate(ctx, b.aggregateQuery(c, 0))
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 {
		return nil, fmt.Errorf("totals have %d rows", len(rows))
	}
	values := c.shown(rows[0].Values)
	for i, series := range c.Series {
		if values[i] == nil && series.Measure.additive() {
			values[i] = new(float64)
		}
	}
	return values, nil
}

// rows measures the series for each combination of the dimensions. It omits
// combinations with nothing to measure.
func (b chartBuilder) rows(ctx context.Context, c Chart, limit int, by ...Dimension) ([]AggregateRow, error) {
	found, err := b.aggregate(ctx, b.aggregateQuery(c, limit, by...))
	if err != nil {
		return nil, err
	}
	rows := make([]AggregateRow, 0, len(found))
	for _, row := range found {
		values := c.shown(row.Values)
		if slices.ContainsFunc(values, func(v *float64) bool { return v != nil }) {
			rows = append(rows, AggregateRow{Keys: row.Keys, Values: values})
		}
	}
	return rows, nil
}

func (b chartBuilder) aggregateQuery(c Chart, limit int, by ...Dimension) AggregateQuery {
	measures := make([]Measure, len(c.Series))
	for i, series := range c.Series {
		measures[i] = series.Measure
	}
	return AggregateQuery{Query: b.query, Level: c.Level, By: by, Measures: measures, Limit: limit}
}

// groups returns a row per value of one dimension, highest first.
func (b chartBuilder) groups(ctx context.Context, c Chart) ([]Row, error) {
	rows, labels, err := b.ranked(ctx, c, c.By...)
	if err != nil {
		return nil, err
	}
	data := make([]Row, 0, len(rows))
	for _, row := range rows {
		cells := labels.cells(c.By[0], row.Keys[0], cellLabel, cellGroup)
		data = append(data, c.row(row.Values, cells...))
	}
	return data, nil
}

// hierarchy returns a row per leaf, highest first.
func (b chartBuilder) hierarchy(ctx context.Context, c Chart) ([]Row, error) {
	rows, labels, err := b.ranked(ctx, c, c.By...)
	if err != nil {
		return nil, err
	}
	data := make([]Row, 0, len(rows))
	for _, row := range rows {
		path := labels.path(c.By, row.Keys)
		data = append(data, c.row(row.Values, Cell{cellLabel, path[len(path)-1]}, Cell{cellPath, path}))
	}
	return data, nil
}

// heatmap returns a row per non-empty cell, highest first. Each axis is limited
// to its highest groups separately, so that the map stays a rectangle.
func (b chartBuilder) heatmap(ctx context.Context, c Chart) ([]Row, error) {
	sides := slices.Clone(c.By)
	for i := range sides {
		top, err := b.rows(ctx, c, c.Limit, sides[i])
		if err != nil || len(top) == 0 {
			return []Row{}, err
		}
		sides[i].Only = firstKeys(top)
	}
	rows, err := b.rows(ctx, c, 0, sides...)
	if err != nil {
		return nil, err
	}
	labels, err := b.rank(ctx, rows, sides)
	if err != nil {
		return nil, err
	}
	data := make([]Row, 0, len(rows))
	for _, row := range rows {
		cells := slices.Concat(
			labels.cells(sides[0], row.Keys[0], cellLabel, cellGroup),
			labels.cells(sides[1], row.Keys[1], cellSecondary, cellSecondaryKey))
		data = append(data, c.row(row.Values, cells...))
	}
	return data, nil
}

// histogram returns a row per non-empty bin, lowest first.
func (b chartBuilder) histogram(ctx context.Context, c Chart) ([]Row, error) {
	rows, err := b.rows(ctx, c, maxBins, c.By...)
	if err != nil {
		return nil, err
	}
	starts := make(map[string]float64, len(rows))
	for _, row := range rows {
		if starts[row.Keys[0]], err = strconv.ParseFloat(row.Keys[0], 64); err != nil {
			return nil, fmt.Errorf("read the bound of a bin: %w", err)
		}
	}
	slices.SortFunc(rows, func(x, y AggregateRow) int { return cmp.Compare(starts[x.Keys[0]], starts[y.Keys[0]]) })
	data := make([]Row, 0, len(rows))
	for _, row := range rows {
		start := tidy(starts[row.Keys[0]])
		end := tidy(start + c.By[0].BinWidth)
		label := decimal(start) + "–" + decimal(end)
		data = append(data, c.row(row.Values, Cell{cellLabel, label}, Cell{cellStart, start}, Cell{cellEnd, end}))
	}
	return data, nil
}

// tidy removes rounding errors of added fractions: 0.28 + 0.01 is 0.29.
func tidy(f float64) float64 {
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(f, 'g', 15, 64), 64)
	if err != nil {
		return f
	}
	return rounded
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

func firstKeys(rows []AggregateRow) []string {
	keys := make([]string, len(rows))
	for i, row := range rows {
		keys[i] = row.Keys[0]
	}
	return keys
}

func (c Chart) isOverall() bool { return len(c.By) == 0 && !c.TimeSeries }

func (c Chart) infos() []SeriesInfo {
	infos := make([]SeriesInfo, len(c.Series))
	for i, s := range c.Series {
		infos[i] = SeriesInfo{Key: s.Key, Label: s.Label, Unit: s.Measure.unit()}
	}
	return infos
}

// row appends the values of the series to the cells.
func (c Chart) row(values []*float64, cells ...Cell) Row {
	row := slices.Clone(cells)
	for i, s := range c.Series {
		row = append(row, Cell{s.Key, values[i]})
	}
	return row
}

// shown returns the displayed values: latencies in seconds, and nil for numbers
// that JSON cannot represent.
func (c Chart) shown(values []*float64) []*float64 {
	out := make([]*float64, len(c.Series))
	for i, s := range c.Series {
		if values[i] == nil || math.IsNaN(*values[i]) || math.IsInf(*values[i], 0) {
			continue
		}
		v := *values[i]
		if field := s.Measure.Field.Spec(); field != nil {
			v /= chartUnits[field.Unit].divisor
		}
		out[i] = &v
	}
	return out
}

// ratios divides the totals of the series of each ratio.
func (c Chart) ratios(totals []*float64) []RatioResult {
	total := make(map[string]*float64, len(totals))
	for i, value := range totals {
		total[c.Series[i].Key] = value
	}
	results := make([]RatioResult, 0, len(c.Ratios))
	for _, r := range c.Ratios {
		results = append(results, RatioResult{
			Type: "ratio", Label: r.Label, Numerator: r.Numerator, Denominator: r.Denominator,
			Value: quotient(total[r.Numerator], total[r.Denominator]),
		})
	}
	return results
}

func quotient(a, b *float64) *float64 {
	if a == nil || b == nil || *b == 0 || math.IsInf(*a / *b, 0) {
		return nil
	}
	q := *a / *b
	return &q
}
