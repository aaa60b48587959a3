package chart

import (
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// singleSeriesKey is the key of the value in rows of a chart with one metric.
const singleSeriesKey = "value"

// chartRule is a rule about the combination of members of a chart.
type chartRule struct {
	broken bool
	text   string
}

// check returns a BadRequest fault for the first broken rule.
func (s chartSpec) check() error {
	rules := slices.Concat(s.metricRules(), s.seriesRules(), s.groupRules(), s.typeRules())
	for _, r := range rules {
		if r.broken {
			return s.refuse("%s", r.text)
		}
	}
	return nil
}

// refuse returns a fault with the id of the chart.
func (s chartSpec) refuse(format string, args ...any) error {
	reason := fault.BadRequestf(format, args...)
	reason.Message = "Chart '" + s.id + "': " + reason.Message
	return reason
}

func (s chartSpec) metricRules() []chartRule {
	return append([]chartRule{
		{!s.multi && s.metric.metric == "", "needs a metric or series"},
		{s.multi && s.metric != metricSpec{}, "has both a metric and series"},
	}, s.metric.rules()...)
}

func (m metricSpec) rules() []chartRule {
	needsField := m.metric != "" && m.metric != MetricCount && m.metric != MetricDistinct
	return append(m.keyRules("metric"), []chartRule{
		{needsField && m.field == "", "metric '" + string(m.metric) + "' needs metricField"},
		{m.metric == MetricPercentile && m.percentile == nil, "metric 'percentile' needs percentile"},
		{m.metric == MetricDistinct && m.distinctKey == "", "metric 'distinct_count' needs distinctMetadataKey"},
	}...)
}

// keyRules are about the key of a field; members with them begin with a name.
func (f fieldSpec) keyRules(member string) []chartRule {
	hasKeys := f.field.Type().HasKeys()
	return []chartRule{
		{hasKeys && f.key == "", member + "Field '" + string(f.field) + "' needs " + member + "NestedKey"},
		{!hasKeys && f.key != "", member + "NestedKey needs " + member + "Field '" + string(query.FieldScores) + "'"},
	}
}

func (s chartSpec) seriesRules() []chartRule {
	rules := []chartRule{
		{s.multi && len(s.series) < minSeries, "needs at least two series"},
		{s.multi && s.timeSeries && s.group.given(), "series cannot be grouped in a time series"},
		{!s.multi && len(s.ratios) > 0, "derivedInsights need series"},
	}
	keys := make(map[string]bool, len(s.series))
	for _, series := range s.series {
		rules = append(rules,
			chartRule{keys[series.key], "series key '" + series.key + "' is used twice"},
			chartRule{slices.Contains(reservedCells, series.key), "series key '" + series.key + "' is reserved"})
		rules = append(rules, series.rules()...)
		keys[series.key] = true
	}
	for _, ratio := range s.ratios {
		rules = append(rules,
			chartRule{!keys[ratio.Numerator], "derivedInsights name the unknown series '" + ratio.Numerator + "'"},
			chartRule{!keys[ratio.Denominator], "derivedInsights name the unknown series '" + ratio.Denominator + "'"})
	}
	return rules
}

func (g groupSpec) given() bool { return g != groupSpec{} }

func (g groupSpec) both() bool { return g.field != "" && g.metadataKey != "" }

func (s chartSpec) groupRules() []chartRule {
	levels := slices.Clone(s.hierarchy)
	slices.Sort(levels)
	rules := slices.Concat(s.group.keyRules("groupBy"), s.secondary.keyRules("secondaryGroupBy"), s.histogram.keyRules("histogram"))
	return append(rules, []chartRule{
		{s.group.both(), "has both groupByField and groupByMetadataKey"},
		{s.secondary.both(), "has both secondaryGroupByField and secondaryGroupByMetadataKey"},
		{s.secondary.given() && s.secondary == s.group, "is grouped twice by the same thing"},
		{len(slices.Compact(levels)) < len(s.hierarchy), "hierarchyFields names a field twice"},
		{lists(s.hierarchy) > maxListLevels, "hierarchyFields names more than two fields that hold lists"},
		{slices.ContainsFunc(s.hierarchy, func(f query.Field) bool { return f.Type().HasKeys() }), "hierarchyFields takes no '" + string(query.FieldScores) + "'"},
	}...)
}

// maxListLevels is the maximum number of levels of a hierarchy that are lists:
// a log counts for every combination of their elements, and their number
// explodes.
const maxListLevels = 2

func lists(fields []query.Field) int {
	count := 0
	for _, field := range fields {
		if field.Type() == query.TypeArray {
			count++
		}
	}
	return count
}

func (s chartSpec) typeRules() []chartRule {
	heatmap := s.typ == chartHeatmap
	histogram := s.typ == chartHistogram
	tree := s.typ == chartTreemap || s.typ == chartSunburst
	own := histogram || tree
	return []chartRule{
		{heatmap && (!s.group.given() || !s.secondary.given()), "a heatmap needs a group and a secondary group"},
		{!heatmap && s.secondary.given(), "only a heatmap takes a secondary group"},
		{histogram && s.histogram.field == "", "a histogram needs histogramField"},
		{!histogram && (s.histogram.field != "" || s.interval != nil), "only a histogram takes histogramField and histogramInterval"},
		{tree && s.hierarchy == nil, "a " + s.typ + " needs hierarchyFields"},
		{!tree && s.hierarchy != nil, "only a treemap or sunburst takes hierarchyFields"},
		{own && s.group.given(), "a " + s.typ + " cannot be grouped"},
		{(own || heatmap) && s.timeSeries, "a " + s.typ + " cannot be a time series"},
		{!own && !s.timeSeries && !s.group.given() && s.typ != chartBar, "without groups or timeSeries chartType must be bar"},
	}
}

// chart returns the chart of a checked spec.
func (s chartSpec) chart() Chart {
	c := Chart{
		ID: s.id, Title: s.title, Type: s.typ, Multi: s.multi, Ratios: s.ratios,
		By: s.dimensions(), TimeSeries: s.timeSeries, Bucket: s.bucket, Limit: s.limit, Level: s.level,
	}
	if !s.multi {
		m := s.metric.measure()
		c.Series = []Series{{Key: singleSeriesKey, Label: m.label(s.level), Measure: m}}
	}
	for _, series := range s.series {
		c.Series = append(c.Series, Series{Key: series.key, Label: series.label, Measure: series.measure()})
	}
	return c
}

// measure returns the measure with only the members that its metric uses.
func (m metricSpec) measure() Measure {
	switch m.metric {
	case MetricCount:
		return Measure{Metric: MetricCount}
	case MetricDistinct:
		return Measure{Metric: MetricDistinct, MetadataKey: m.distinctKey}
	case MetricPercentile:
		return Measure{Metric: MetricPercentile, Field: m.field, Key: m.key, Percentile: *m.percentile}
	}
	return Measure{Metric: m.metric, Field: m.field, Key: m.key}
}

func (s chartSpec) dimensions() []Dimension {
	var by []Dimension
	for _, g := range []groupSpec{s.group, s.secondary} {
		if g.given() {
			by = append(by, Dimension{Field: g.field, Key: g.key, MetadataKey: g.metadataKey})
		}
	}
	for _, field := range s.hierarchy {
		by = append(by, Dimension{Field: field})
	}
	if s.histogram.field != "" {
		width := chartUnits[s.histogram.field.Spec().Unit].bin
		if s.interval != nil {
			width = *s.interval
		}
		by = append(by, Dimension{Field: s.histogram.field, Key: s.histogram.key, BinWidth: width})
	}
	return by
}
