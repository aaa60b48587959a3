package chart

import "github.com/promptuary/promptuary/internal/reqlog/query"

// setLevel finds the level that all fields of a chart share. A count without
// any field counts traces. The fault is BadRequest for fields of several levels,
// and for what only charts of requests have.
func (s *chartSpec) setLevel() error {
	for _, field := range s.fields() {
		level := query.TraceSpec(field).Level
		if s.level != query.LevelRequest && level != s.level {
			return s.refuse("its fields are of traces and of spans; use one of the two")
		}
		s.level = level
	}
	if s.level == query.LevelRequest {
		s.level = query.LevelTrace
	}
	rules := []chartRule{
		{s.group.metadataKey != "" || s.secondary.metadataKey != "" || s.metric.distinctKey != "", "metadata keys are only for charts of requests"},
		{s.metric.metric == MetricDistinct, "metric 'distinct_count' is only for charts of requests"},
		{s.level == query.LevelSpan && s.timeSeries, "fields of spans cannot be a time series"},
	}
	for _, r := range rules {
		if r.broken {
			return s.refuse("%s", r.text)
		}
	}
	return nil
}

// fields returns the fields that the chart uses.
func (s *chartSpec) fields() []query.Field {
	all := append([]query.Field{s.metric.field, s.group.field, s.secondary.field, s.histogram.field}, s.hierarchy...)
	for _, series := range s.series {
		all = append(all, series.field)
	}
	var given []query.Field
	for _, field := range all {
		if field != "" {
			given = append(given, field)
		}
	}
	return given
}
