package main

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

// dashboardCharts are the charts of a page that people keep open.
var dashboardCharts = []string{
	`"chartType":"bar","metric":"count","timeSeries":true`,
	`"chartType":"line","metric":"sum","metricField":"cost","timeSeries":true`,
	`"chartType":"line","metric":"percentile","metricField":"latency_ms","percentile":95,"timeSeries":true`,
	`"chartType":"line","metric":"avg","metricField":"output_tokens","timeSeries":true`,
	`"chartType":"bar","metric":"count","groupByField":"engine"`,
	`"chartType":"bar","metric":"sum","metricField":"cost","groupByField":"engine"`,
	`"chartType":"pie","metric":"count","groupByField":"status"`,
	`"chartType":"bar","metric":"count","groupByField":"tags"`,
}

const chartsPath = "/api/public/v2/requests/analytics/custom-analytics"

// measureDashboard compares a page of charts with the slowest of them.
func (b *bench) measureDashboard() error {
	var slowest time.Duration
	for _, chart := range dashboardCharts {
		took, err := b.timeCharts(chart)
		if err != nil {
			return err
		}
		slowest = max(slowest, took)
	}
	together, err := b.timeCharts(dashboardCharts...)
	if err != nil {
		return err
	}
	b.report.atMost(fmt.Sprintf("dashboard of %d charts, against the slowest of them", len(dashboardCharts)), milliseconds(together), milliseconds(slowest), 1.2)
	return nil
}

// timeCharts measures a request for charts.
func (b *bench) timeCharts(charts ...string) (time.Duration, error) {
	c, err := b.server.connect()
	if err != nil {
		return 0, err
	}
	defer c.close()
	specs := make([]string, len(charts))
	for i, chart := range charts {
		specs[i] = fmt.Sprintf(`{"id":"c%d",%s}`, i, chart)
	}
	body := []byte(`{"customCharts":[` + strings.Join(specs, ",") + `]}`)
	return medianOf(func() error {
		_, err := c.expect(http.StatusOK, http.MethodPost, chartsPath, body)
		return err
	})
}
