// Package metrics has the Prometheus metrics of the program, which its components add
// to.
package metrics

import (
	"net/http"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/promptuary/promptuary/internal/rest"
)

// Set holds the metrics.
type Set struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec

	mu     sync.RWMutex
	series map[outcome]series
}

// outcome is how a request of an operation ended.
type outcome struct {
	operation string
	status    int
}

// series are the metrics of an outcome. Finding them by their labels takes longer than
// counting.
type series struct {
	requests prometheus.Counter
	duration prometheus.Observer
}

// New returns the metrics of requests and of the process.
func New() *Set {
	m := &Set{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "promptuary_requests_total", Help: "Requests by operation and status.",
		}, []string{"operation", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "promptuary_request_duration_seconds", Help: "Response time by operation.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"operation"}),
		series: map[outcome]series{},
	}
	m.registry.MustRegister(m.requests, m.duration,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Gauge adds a value that can fall.
func (m *Set) Gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

// Counter adds a value that only grows.
func (m *Set) Counter(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

// CounterOf adds one of the values of a counter, which a label tells apart.
func (m *Set) CounterOf(name, help, label, of string, value func() float64) {
	o := prometheus.CounterOpts{Name: name, Help: help, ConstLabels: prometheus.Labels{label: of}}
	m.registry.MustRegister(prometheus.NewCounterFunc(o, value))
}

// Observe counts a request.
func (m *Set) Observe(seen rest.Observation) {
	s := m.seriesOf(outcome{seen.Op.ID, seen.Status})
	s.requests.Inc()
	s.duration.Observe(seen.Duration.Seconds())
}

func (m *Set) seriesOf(o outcome) series {
	m.mu.RLock()
	s, known := m.series[o]
	m.mu.RUnlock()
	if known {
		return s
	}
	s = series{m.requests.WithLabelValues(o.operation, strconv.Itoa(o.status)), m.duration.WithLabelValues(o.operation)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.series[o] = s
	return s
}

// Handler serves the metrics.
func (m *Set) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// Memory returns the resident memory of the process, or nil if it is unknown.
func (m *Set) Memory() *int64 {
	families, _ := m.registry.Gather() // partial results are good enough
	for _, family := range families {
		if family.GetName() == "process_resident_memory_bytes" && len(family.GetMetric()) == 1 {
			return new(int64(family.GetMetric()[0].GetGauge().GetValue()))
		}
	}
	return nil
}
