package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// everyChart returns charts of all types and metrics over a field.
func everyChart(field string) string {
	var charts []string
	add := func(format string, args ...any) {
		charts = append(charts, fmt.Sprintf(`{"id":"c%d",`, len(charts))+fmt.Sprintf(format, args...)+"}")
	}
	for _, metric := range []string{"sum", "avg", "min", "max", "percentile"} {
		measure := fmt.Sprintf(`"metric":%q,"metricField":%q,"percentile":50`, metric, field)
		add(`"chartType":"bar",%s`, measure)
		add(`"chartType":"pie",%s,"groupByField":"engine"`, measure)
		for _, bucket := range []string{"auto", "day", "week", "month"} {
			add(`"chartType":"line",%s,"timeSeries":true,"timeBucket":%q`, measure, bucket)
		}
		add(`"chartType":"line",%s,"timeSeries":true,"groupByField":"status"`, measure)
	}
	add(`"chartType":"histogram","metric":"count","histogramField":%q`, field)
	add(`"chartType":"histogram","metric":"count","histogramField":%q,"histogramInterval":0.000001`, field)
	add(`"chartType":"histogram","metric":"count","histogramField":%q,"histogramInterval":1e15`, field)
	add(`"chartType":"bar","series":[{"key":"a","label":"A","metric":"sum","metricField":%q},{"key":"b","label":"B","metric":"max","metricField":%q}],
		"derivedInsights":[{"label":"r","numeratorSeriesKey":"a","denominatorSeriesKey":"b"}]`, field, field)
	return `{"customCharts":[` + strings.Join(charts, ",") + `]}`
}

// readable runs all queries over all logs.
func (w *world) readable(t *testing.T, what string) {
	t.Helper()
	bodies := map[string][]string{analyticsPath: {`{}`}}
	for _, field := range []string{"cost", "input_tokens", "output_tokens", "latency_ms"} {
		bodies[chartsPath] = append(bodies[chartsPath], everyChart(field))
		for _, number := range []string{"0", "-1", "1e308", "9007199254740993", "0.1"} {
			bodies[searchPath] = append(bodies[searchPath], filtered(leaf(field, "gte", number, "")))
		}
	}
	for _, sort := range []string{"request_start_time", "cost", "latency_ms", "input_tokens"} {
		bodies[searchPath] = append(bodies[searchPath], `{"sort_by":"`+sort+`"}`)
	}
	for path, list := range bodies {
		for _, body := range list {
			got, err := w.send("home", http.MethodPost, path, []byte(body))
			check.OK(t, err)
			if got.status != http.StatusOK {
				t.Errorf("with %s, %s %s answers %d", what, path, clip(body), got.status)
			}
		}
	}
}

// TestNumbersThatOverflowTotals covers numbers of which a few exceed what an
// engine can sum up.
func TestNumbersThatOverflowTotals(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for _, member := range []string{`"price":1.7976931348623157e308`, `"price":1.1e15`, `"input_tokens":9007199254740991`, `"output_tokens":9223372036854775807`} {
		w.post(t, http.StatusUnprocessableEntity, "/log-request", with(member))
	}
}

// TestExtremeNumbers stores logs with the largest accepted numbers: no log
// may make the others unreadable.
func TestExtremeNumbers(t *testing.T) {
	t.Parallel()
	batch := func(member string, count int) string {
		return `{"requests":[` + strings.Repeat(with(member)+",", count-1) + with(member) + `]}`
	}
	tests := []struct {
		name    string
		member  string
		batches int
		size    int
	}{
		{"the largest prices", `"price":1e15`, 1, 3},
		{"tiny prices", `"price":5e-324`, 1, 3},
		{"the largest counts of tokens", `"input_tokens":1000000000000,"output_tokens":1000000000000`, 2, 1000},
		{"the first instant", `"request_start_time":"0001-01-01","request_end_time":"9999-12-31T23:59:59.999999Z"`, 1, 2},
		{"the last instant", `"request_start_time":"9999-12-31T23:59:59.999999Z"`, 1, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			for range tt.batches {
				got, err := w.send("home", http.MethodPost, "/log-requests", []byte(batch(tt.member, tt.size)))
				check.OK(t, err)
				if got.status != http.StatusCreated {
					t.Fatalf("%s are answered with %d", tt.name, got.status)
				}
			}
			w.readable(t, tt.name)
		})
	}
}
