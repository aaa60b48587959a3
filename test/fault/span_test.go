package fault

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
)

// tree is a trace of one client. Its spans come in batches, each of which is
// stored as a whole or not at all.
type tree struct {
	id    string
	state traceState // acknowledged or found
	last  *spanBatch // acknowledged
	// pending is the batch that got no response, and is sent again until it gets
	// one.
	pending *spanBatch
	checked bool
}

// traceState is the content of a trace.
type traceState struct {
	spans  map[string]spanState // by id
	closed bool
}

// spanState is the content of a span. A span that is sent again with another name
// is replaced; its log stays the first one.
type spanState struct {
	name, parent string
	log          int64 // the number of its log, 0 for none
}

func (s traceState) equal(o traceState) bool {
	return s.closed == o.closed && maps.Equal(s.spans, o.spans)
}

func (s traceState) String() string {
	var lines []string
	for id, span := range s.spans {
		lines = append(lines, fmt.Sprintf("%s %+v", id, span))
	}
	slices.Sort(lines)
	return fmt.Sprintf("%d spans %v, closed %v", len(s.spans), lines, s.closed)
}

// sentSpan is a span of a batch. Its log is nil for none.
type sentSpan struct {
	id, name, parent string
	log              *entry
}

// spanBatch is a request that stores spans, closes their trace, or both.
type spanBatch struct {
	otlp  bool // sent to the operation of OpenTelemetry, otherwise in our own format
	spans []sentSpan
	close bool
}

// applied returns the content of a trace after a batch.
func (b *spanBatch) applied(to traceState) traceState {
	after := traceState{spans: maps.Clone(to.spans), closed: to.closed || b.close}
	for _, s := range b.spans {
		span := spanState{name: s.name, parent: s.parent, log: after.spans[s.id].log}
		if s.log != nil {
			span.log = s.log.number
		}
		after.spans[s.id] = span
	}
	return after
}

// dropped reports whether a check has found that the batch is not stored.
func (b *spanBatch) dropped() bool {
	for _, s := range b.spans {
		if s.log != nil && s.log.gone {
			return true
		}
	}
	return false
}

// plant returns a new trace.
func (m *model) plant() *tree {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := &tree{id: fmt.Sprintf("ace%029x", len(m.trees)+1), state: traceState{spans: map[string]spanState{}}}
	m.trees = append(m.trees, t)
	return t
}

// drawSpan returns the id of a new span.
func (m *model) drawSpan() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spans++
	return fmt.Sprintf("5a%014x", m.spans)
}

// keep records that a batch is stored.
func (m *model) keep(t *tree, b *spanBatch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.figures.spans += len(b.spans)
	if b.close && !t.state.closed {
		m.figures.closures++
	}
	t.state, t.pending, t.last, t.checked = b.applied(t.state), nil, b, false
}

const tracesPath = "/api/public/v2/traces/"

// foundTrace is a trace as it is read.
type foundTrace struct {
	Spans   []foundSpan `json:"spans"`
	Total   int64       `json:"total"`
	Closed  *string     `json:"closed_at"`
	Damaged []string    `json:"damaged_span_ids"`
}

type foundSpan struct {
	ID     string  `json:"span_id"`
	Name   string  `json:"name"`
	Parent *string `json:"parent_id"`
	Log    *int64  `json:"request_log_id"`
}

// readTrace returns a trace. It is empty if the server does not know it.
func (m *model) readTrace(c *client, id string) (traceState, error) {
	got, err := ask[foundTrace](c, http.MethodGet, tracesPath+id, nil)
	if e, ok := errors.AsType[*statusError](err); ok && e.status == http.StatusNotFound {
		return traceState{spans: map[string]spanState{}}, nil
	}
	if err != nil {
		return traceState{}, err
	}
	if got.Total != int64(len(got.Spans)+len(got.Damaged)) {
		return traceState{}, fmt.Errorf("trace %s with the total %d has %d spans and %d damaged ones", id, got.Total, len(got.Spans), len(got.Damaged))
	}
	state := traceState{spans: map[string]spanState{}, closed: got.Closed != nil}
	for _, s := range got.Spans {
		if _, ok := state.spans[s.ID]; ok {
			return state, fmt.Errorf("span %s of trace %s is stored twice", s.ID, id)
		}
		if state.spans[s.ID], err = m.identifySpan(s); err != nil {
			return state, fmt.Errorf("span %s: %w", s.ID, err)
		}
	}
	return state, nil
}

// identifySpan returns a span with the number of its log.
func (m *model) identifySpan(s foundSpan) (spanState, error) {
	span := spanState{name: s.Name}
	if s.Parent != nil {
		span.parent = *s.Parent
	}
	if s.Log == nil {
		return span, nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.byID[*s.Log]
	if e == nil {
		return span, fmt.Errorf("its log %d is not known", *s.Log)
	}
	span.log = e.number
	return span, nil
}

// checkTraces returns an error unless each trace has its acknowledged spans with
// their logs, and either all or nothing of a batch without a response. Logs are
// checked before, so that those without a response are known.
func (m *model) checkTraces(c *client, lost lossy) error {
	for _, t := range m.trees {
		if t.checked {
			continue
		}
		got, err := m.readTrace(c, t.id)
		if err != nil {
			return err
		}
		if err := t.settle(got, lost); err != nil {
			return fmt.Errorf("trace %s: %w", t.id, err)
		}
		m.figures.checks += len(t.state.spans)
	}
	return nil
}

// settle compares a trace with what is stored.
func (t *tree) settle(got traceState, lost lossy) error {
	got = lost.without(t.id, got)
	switch {
	case got.equal(lost.without(t.id, t.state)):
	case t.pending != nil && got.equal(lost.without(t.id, t.pending.applied(t.state))):
		t.state = t.pending.applied(t.state)
	default:
		return fmt.Errorf("it was acknowledged with %v (and the interrupted batch %+v), and has %v", t.state, t.pending, got)
	}
	t.pending, t.checked = nil, true
	return nil
}

// without returns the content of a trace without what may be lost.
func (l lossy) without(id string, s traceState) traceState {
	left := traceState{spans: map[string]spanState{}, closed: s.closed && !l.traces[id]}
	for id, span := range s.spans {
		if l.logs[span.log] {
			span.log = 0
		}
		if !l.spans[id] {
			left.spans[id] = span
		}
	}
	return left
}
