package reqlog

import (
	"regexp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Limits of one request for charts.
const (
	maxCharts     = 50
	minSeries     = 2
	maxSeries     = 20
	maxRatios     = 20
	maxGroups     = 100
	defaultGroups = 25
	minLevels     = 2
	maxLevels     = 5
	maxTitle      = 200
	maxLabel      = 120
	// minBin and maxBin keep the number of a histogram's bin within 64 bits.
	minBin = 1e-6
	maxBin = 1e15
)

// The chart types that have rules of their own.
const (
	chartBar       = "bar"
	chartHistogram = "histogram"
	chartHeatmap   = "heatmap"
	chartTreemap   = "treemap"
	chartSunburst  = "sunburst"
)

var (
	chartTypes    = []string{chartBar, "line", "area", "pie", "donut", chartHistogram, chartHeatmap, chartTreemap, chartSunburst}
	seriesMetrics = []string{string(MetricSum), string(MetricAvg), string(MetricMin), string(MetricMax), string(MetricPercentile)}
	chartMetrics  = append([]string{string(MetricCount), string(MetricDistinct)}, seriesMetrics...)
	timeBuckets   = map[string]*Bucket{"day": &BucketDay, "week": &BucketWeek, "month": &BucketMonth}
	chartKey      = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// ParseCharts reads the list of charts of a request. Wrong types, unknown
// choices and broken bounds are added to problems; while those hold anything
// the result is nil. Charts whose parts do not fit together are a BadRequest
// fault.
func ParseCharts(v jsontree.Value, problems *fault.Problems) ([]Chart, error) {
	specs := readCharts(v, problems)
	if problems.Any() {
		return nil, nil
	}
	charts := make([]Chart, 0, len(specs))
	seen := make(map[string]bool, len(specs))
	for _, spec := range specs {
		if seen[spec.id] {
			return nil, spec.refuse("the id is used twice")
		}
		seen[spec.id] = true
		if err := spec.check(); err != nil {
			return nil, err
		}
		charts = append(charts, spec.chart())
	}
	return charts, nil
}

// chartSpec is a chart as a client wrote it, its members well-formed.
type chartSpec struct {
	id, title, typ string
	metric         metricSpec
	multi          bool
	series         []seriesSpec
	ratios         []ChartRatio
	group          groupSpec
	secondary      groupSpec
	histogram      Field
	interval       *float64
	hierarchy      []Field
	timeSeries     bool
	bucket         *Bucket
	limit          int
}

type metricSpec struct {
	metric      Metric
	field       Field
	percentile  *float64
	distinctKey string
}

type seriesSpec struct {
	key, label string
	metricSpec
}

type groupSpec struct {
	field       Field
	metadataKey string
}

func readCharts(v jsontree.Value, problems *fault.Problems) []chartSpec {
	loc := []any{"body", "customCharts"}
	switch {
	case !v.Given():
		problems.Add(loc, "missing", "field required")
		return nil
	case v.Kind() != jsontree.Array:
		problems.Add(loc, "list_type", "must be an array, not %s", v.Kind())
		return nil
	case v.Len() == 0:
		problems.Add(loc, "too_short", "must have at least 1 element")
		return nil
	}
	var specs []chartSpec
	for _, r := range objectReaders(v, loc, maxCharts, problems) {
		specs = append(specs, readChart(r))
	}
	return specs
}

func readChart(r bodyReader) chartSpec {
	r.require("id", "chartType")
	s := chartSpec{
		id:         r.key("id"),
		typ:        r.choice("chartType", chartTypes),
		metric:     readMetric(r, chartMetrics),
		multi:      r.given("series"),
		ratios:     readRatios(r),
		group:      readGroup(r, "groupByField", "groupByMetadataKey"),
		secondary:  readGroup(r, "secondaryGroupByField", "secondaryGroupByMetadataKey"),
		histogram:  Field(r.choice("histogramField", MetricFields)),
		interval:   r.number("histogramInterval", minBin, maxBin),
		hierarchy:  readHierarchy(r),
		timeSeries: r.flag("timeSeries"),
		bucket:     timeBuckets[r.choice("timeBucket", []string{"auto", "day", "week", "month"})],
		limit:      int(r.integer("limit", 1, maxGroups, defaultGroups)),
	}
	s.title = s.id
	if r.given("title") {
		s.title = r.text("title", 0, maxTitle)
	}
	for _, series := range r.objects("series", maxSeries) {
		series.require("key", "label", "metric", "metricField")
		s.series = append(s.series, seriesSpec{
			key: series.key("key"), label: series.text("label", 1, maxLabel), metricSpec: readMetric(series, seriesMetrics),
		})
	}
	return s
}

func readMetric(r bodyReader, metrics []string) metricSpec {
	return metricSpec{
		metric:      Metric(r.choice("metric", metrics)),
		field:       Field(r.choice("metricField", MetricFields)),
		percentile:  r.number("percentile", 0, 100),
		distinctKey: r.text("distinctMetadataKey", 1, maxLabel),
	}
}

func readGroup(r bodyReader, fieldKey, metadataKey string) groupSpec {
	return groupSpec{field: Field(r.choice(fieldKey, GroupFields)), metadataKey: r.text(metadataKey, 1, maxLabel)}
}

func readRatios(r bodyReader) []ChartRatio {
	var ratios []ChartRatio
	for _, ratio := range r.objects("derivedInsights", maxRatios) {
		ratio.require("label", "numeratorSeriesKey", "denominatorSeriesKey")
		ratio.choice("type", []string{"ratio"})
		ratios = append(ratios, ChartRatio{
			Label:       ratio.text("label", 0, maxTitle),
			Numerator:   ratio.key("numeratorSeriesKey"),
			Denominator: ratio.key("denominatorSeriesKey"),
		})
	}
	return ratios
}

func readHierarchy(r bodyReader) []Field {
	list := r.member("hierarchyFields", jsontree.Array)
	if !list.Given() {
		return nil
	}
	if n := list.Len(); n < minLevels || n > maxLevels {
		r.refuse("hierarchyFields", "length", "must have %d to %d elements", minLevels, maxLevels)
		return nil
	}
	fields := make([]Field, 0, list.Len())
	for i, elem := range list.Elems() {
		field := choiceAt(elem, fault.At(r.loc, "hierarchyFields", i), GroupFields, r.problems)
		fields = append(fields, Field(field))
	}
	return fields
}

// key returns a member that is an id: a few letters, digits, _ and -.
func (r bodyReader) key(key string) string {
	v := r.member(key, jsontree.String)
	if v.Given() && !chartKey.MatchString(v.Str()) {
		r.refuse(key, "string_pattern_mismatch", "must be 1 to 64 letters, digits, _ or -")
		return ""
	}
	return v.Str()
}
