package metrics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/promptuary/promptuary/internal/fair"
)

// Queue is a queue in which workspaces take turns.
type Queue struct {
	Name string
	*fair.Queue
}

// Queue exports the state of a queue.
func (m *Set) Queue(q Queue) {
	labels := prometheus.Labels{"queue": q.Name}
	gauge := func(metric, help string, value func(fair.Stats) int) {
		o := prometheus.GaugeOpts{Name: "promptuary_queue_" + metric, Help: help, ConstLabels: labels}
		m.registry.MustRegister(prometheus.NewGaugeFunc(o, func() float64 { return float64(value(q.Stats())) }))
	}
	gauge("slots", "Tasks that can run at the same time.", func(s fair.Stats) int { return s.Slots })
	gauge("running", "Tasks that are running.", func(s fair.Stats) int { return s.Running })
	gauge("waiting", "Tasks that are waiting for a slot.", func(s fair.Stats) int { return s.Waiting })
	refused := prometheus.CounterOpts{
		Name: "promptuary_queue_refused_total", Help: "Tasks refused because their workspace had too many waiting.", ConstLabels: labels,
	}
	m.registry.MustRegister(prometheus.NewCounterFunc(refused, func() float64 { return float64(q.Stats().Refused) }))
}
