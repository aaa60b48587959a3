package chart

import (
	"regexp"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Limits of one request for charts.
const (
	maxCharts      = 50
	maxTraceCharts = 10
	minSeries      = 2
	maxSeries      = 20
	maxRatios      = 20
	maxGroups      = 100
	defaultGroups  = 25
	minLevels      = 2
	maxLevels      = 5
	maxTitle       = 200
	maxLabel       = 120
	maxKey         = 255
	// minBin and maxBin keep the number of a histogram bin within 64 bits.
	minBin = 1e-6
	maxBin = 1e15
)

// The chart types with their own rules.
const (
	chartBar       = "bar"
	chartHistogram = "histogram"
	chartHeatmap   = "heatmap"
	chartTreemap   = "treemap"
	chartSunburst  = "sunburst"
)

var (
	// Types are the types of charts.
	Types = []string{chartBar, "line", "area", "pie", "donut", chartHistogram, chartHeatmap, chartTreemap, chartSunburst}
	// SeriesMetrics are the metrics of a chart with several series.
	SeriesMetrics = []Metric{MetricSum, MetricAvg, MetricMin, MetricMax, MetricPercentile}
	// Metrics are the metrics of a chart with one series.
	Metrics     = append([]Metric{MetricCount, MetricDistinct}, SeriesMetrics...)
	timeBuckets = map[string]*Bucket{"day": &BucketDay, "week": &BucketWeek, "month": &BucketMonth}
	chartKey    = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
)

// chartKind is what the charts of one kind of query may use.
type chartKind struct {
	metrics, groups []query.Field
	maxCharts       int
	// levels says that fields are of traces or of spans.
	levels bool
}

var (
	requestCharts = chartKind{metrics: query.MetricFields, groups: query.GroupFields, maxCharts: maxCharts}
	traceCharts   = chartKind{metrics: query.TraceMetricFields, groups: query.TraceGroupFields, maxCharts: maxTraceCharts, levels: true}
)

// Parse reads the list of charts of a request. Wrong types, unknown
// choices and values out of range are added to problems; if there are any, the
// result is nil. The fault is BadRequest for an invalid combination of members.
func Parse(v jsontree.Value, problems *fault.Problems) ([]Chart, error) {
	return requestCharts.parse(v, problems)
}

// ParseTraces is Parse for charts about traces or spans.
func ParseTraces(v jsontree.Value, problems *fault.Problems) ([]Chart, error) {
	return traceCharts.parse(v, problems)
}

func (k *chartKind) parse(v jsontree.Value, problems *fault.Problems) ([]Chart, error) {
	specs := k.readCharts(v, problems)
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
		if k.levels {
			if err := spec.setLevel(); err != nil {
				return nil, err
			}
		}
		charts = append(charts, spec.chart())
	}
	return charts, nil
}

// chartSpec is a chart from a client with well-formed members.
type chartSpec struct {
	id, title, typ string
	metric         metricSpec
	multi          bool
	series         []seriesSpec
	ratios         []Ratio
	group          groupSpec
	secondary      groupSpec
	histogram      fieldSpec
	interval       *float64
	hierarchy      []query.Field
	timeSeries     bool
	bucket         *Bucket
	limit          int
	level          query.Level
}

// fieldSpec is a field with the key of its values, "" if it has no keys.
type fieldSpec struct {
	field query.Field
	key   string
}

type metricSpec struct {
	metric Metric
	fieldSpec
	percentile  *float64
	distinctKey string
}

type seriesSpec struct {
	key, label string
	metricSpec
}

type groupSpec struct {
	fieldSpec
	metadataKey string
}

func (k *chartKind) readCharts(v jsontree.Value, problems *fault.Problems) []chartSpec {
	r := shape.New(fault.In(), problems)
	r.Enter("customCharts")
	if !r.Array(v, 1, k.maxCharts) {
		return nil
	}
	var specs []chartSpec
	for chart := range r.Objects(v) {
		specs = append(specs, k.readChart(chart))
	}
	return specs
}

func (k *chartKind) readChart(r shape.Object) chartSpec {
	r.Need("id", "chartType")
	s := chartSpec{
		id:         chartKeyOf(r, "id"),
		typ:        shape.Choice(r, "chartType", Types),
		metric:     k.readMetric(r, Metrics),
		multi:      r.Given("series"),
		ratios:     readRatios(r),
		group:      k.readGroup(r, "groupBy"),
		secondary:  k.readGroup(r, "secondaryGroupBy"),
		histogram:  readField(r, "histogram", k.metrics),
		interval:   r.Float("histogramInterval", minBin, maxBin),
		hierarchy:  k.readHierarchy(r),
		timeSeries: r.Bool("timeSeries"),
		bucket:     timeBuckets[shape.Choice(r, "timeBucket", []string{"auto", "day", "week", "month"})],
		limit:      int(r.Int("limit", 1, maxGroups, defaultGroups)),
	}
	s.title = s.id
	if r.Given("title") {
		s.title = r.Text("title", 0, maxTitle)
	}
	for series := range r.Objects("series", maxSeries) {
		series.Need("key", "label", "metric", "metricField")
		s.series = append(s.series, seriesSpec{
			key: chartKeyOf(series, "key"), label: series.Text("label", 1, maxLabel), metricSpec: k.readMetric(series, SeriesMetrics),
		})
	}
	return s
}

func (k *chartKind) readMetric(r shape.Object, metrics []Metric) metricSpec {
	return metricSpec{
		metric:      shape.Choice(r, "metric", metrics),
		fieldSpec:   readField(r, "metric", k.metrics),
		percentile:  r.Float("percentile", 0, 100),
		distinctKey: r.Text("distinctMetadataKey", 1, maxLabel),
	}
}

func (k *chartKind) readGroup(r shape.Object, member string) groupSpec {
	return groupSpec{fieldSpec: readField(r, member, k.groups), metadataKey: r.Text(member+"MetadataKey", 1, maxLabel)}
}

// readField reads the members with a field and with its key.
func readField(r shape.Object, member string, fields []query.Field) fieldSpec {
	return fieldSpec{field: shape.Choice(r, member+"Field", fields), key: r.Text(member+"NestedKey", 1, maxKey)}
}

func readRatios(r shape.Object) []Ratio {
	var ratios []Ratio
	for ratio := range r.Objects("derivedInsights", maxRatios) {
		ratio.Need("label", "numeratorSeriesKey", "denominatorSeriesKey")
		shape.Choice(ratio, "type", []string{"ratio"})
		ratios = append(ratios, Ratio{
			Label:       ratio.Text("label", 0, maxTitle),
			Numerator:   chartKeyOf(ratio, "numeratorSeriesKey"),
			Denominator: chartKeyOf(ratio, "denominatorSeriesKey"),
		})
	}
	return ratios
}

func (k *chartKind) readHierarchy(o shape.Object) []query.Field {
	v := o.Value.Get("hierarchyFields")
	if !v.Given() {
		return nil
	}
	o.Enter("hierarchyFields")
	defer o.Leave()
	if !o.Reader.Array(v, minLevels, maxLevels) {
		return nil
	}
	return shape.List(o.Reader, v, maxLevels, func(v jsontree.Value) query.Field {
		field, _ := shape.OneOf(o.Reader, v, k.groups)
		return field
	})
}

// chartKeyOf returns a member that is an id: a few letters, digits, _ and -.
func chartKeyOf(o shape.Object, key string) string {
	text := o.String(key)
	if o.Value.Get(key).Kind() == jsontree.String && !chartKey.MatchString(text) {
		o.ReportAt(key, fault.Pattern(chartKey))
		return ""
	}
	return text
}
