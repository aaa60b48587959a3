package fault

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
)

// tracer is a client that sends the spans of traces, like an exporter: what got no
// response is sent again.
type tracer struct {
	*load
	random *rand.Rand
	tree   *tree // nil: none yet
}

// newTracer returns a tracer that continues with any trace of earlier clients.
func (l *load) newTracer(random *rand.Rand) *tracer {
	t := &tracer{load: l, random: random}
	l.model.mu.Lock()
	defer l.model.mu.Unlock()
	if trees := own(l, l.model.trees[:l.model.planted]); len(trees) > 0 {
		t.tree = trees[random.IntN(len(trees))]
	}
	return t
}

func (t *tracer) step() error {
	if t.tree != nil && t.tree.pending != nil && t.tree.pending.dropped() {
		t.tree.pending = nil
	}
	chance := t.random.IntN(20)
	switch {
	case t.tree != nil && t.tree.pending != nil:
		return t.send(t.tree.pending)
	case t.tree == nil || len(t.tree.state.spans) > 30:
		t.tree = t.model.plant()
		return t.send(t.draw())
	case t.tree.state.closed:
		return t.tryClosed()
	case chance < 3 && t.tree.last != nil:
		return t.send(t.tree.last)
	case chance < 6:
		return t.look()
	case chance == 6 && len(t.tree.state.spans) > 0:
		return t.send(&spanBatch{close: true})
	default:
		return t.send(t.draw())
	}
}

// draw returns a batch of new spans, some with a parent that never arrives, and at
// times another version of a stored one.
func (t *tracer) draw() *spanBatch {
	b := &spanBatch{otlp: t.random.IntN(3) == 0, close: t.random.IntN(8) == 0}
	known := slices.Sorted(maps.Keys(t.tree.state.spans))
	for range 1 + t.random.IntN(5) {
		s := sentSpan{id: t.model.drawSpan()}
		s.name = "step " + s.id
		switch chance := t.random.IntN(6); {
		case chance < 3 && len(known) > 0:
			s.parent = known[t.random.IntN(len(known))]
		case chance == 5:
			s.parent = t.model.drawSpan()
		}
		if !b.otlp && t.random.IntN(3) == 0 {
			s.log = t.model.draw(t.tag)
		}
		b.spans = append(b.spans, s)
		known = append(known, s.id)
	}
	if replaced := known[0]; t.random.IntN(4) == 0 && t.tree.state.spans[replaced].name != "" {
		b.spans = append(b.spans, sentSpan{id: replaced, name: "replaced by " + b.spans[0].id, parent: t.tree.state.spans[replaced].parent})
	}
	return b
}

// send sends a batch and keeps what the response says.
func (t *tracer) send(b *spanBatch) error {
	t.tree.pending, t.tree.checked = b, false
	closed, err := t.request(b)
	if err != nil {
		return t.tolerate(err)
	}
	if closed && !b.close {
		return fmt.Errorf("trace %s was open, and refuses spans", t.tree.id)
	}
	// A batch that closes its trace is refused when an earlier attempt was
	// executed.
	t.model.keep(t.tree, b)
	return nil
}

// request makes the call of a batch. It reports whether the trace was closed
// before.
func (t *tracer) request(b *spanBatch) (closed bool, err error) {
	switch {
	case len(b.spans) == 0:
		_, err = ask[any](t.client, http.MethodPost, tracesPath+t.tree.id+"/close", object{})
	case b.otlp:
		_, err = ask[any](t.client, http.MethodPost, fmt.Sprint("/v1/traces?close_after=", b.close), t.exportBody(b))
	default:
		return t.sendBulk(b)
	}
	if e, ok := errors.AsType[*statusError](err); ok && e.status == http.StatusConflict {
		return true, nil
	}
	return false, err
}

func (t *tracer) exportBody(b *spanBatch) object {
	var spans []any
	for _, s := range b.spans {
		spans = append(spans, object{
			"traceId": t.tree.id, "spanId": s.id, "parentSpanId": s.parent, "name": s.name, "kind": 1,
			"startTimeUnixNano": "1767323045000000000", "endTimeUnixNano": "1767323046000000000",
		})
	}
	return object{"resourceSpans": []any{object{"scopeSpans": []any{object{"spans": spans}}}}}
}

func (t *tracer) bulkBody(b *spanBatch) object {
	var spans []any
	for _, s := range b.spans {
		span := object{
			"name": s.name, "context": object{"trace_id": t.tree.id, "span_id": s.id}, "kind": "SpanKind.INTERNAL",
			"start_time": 1767323045000000000, "end_time": 1767323046000000000, "status": object{"status_code": "StatusCode.OK"},
			"attributes": object{}, "resource": object{"attributes": object{}},
		}
		if s.parent != "" {
			span["parent_id"] = s.parent
		}
		if s.log != nil {
			span["log_request"] = s.log.body()
		}
		spans = append(spans, span)
	}
	return object{"spans": spans, "close_after": b.close}
}

// sendBulk sends a batch in our own format. The response has the IDs of the logs,
// which are the same whenever a span is sent.
func (t *tracer) sendBulk(b *spanBatch) (closed bool, err error) {
	got, err := ask[struct {
		Spans []struct{}
		Logs  []struct {
			ID   int64  `json:"id"`
			Span string `json:"span_id"`
		} `json:"request_logs"`
		Rejected []string `json:"rejected_trace_ids"`
	}](t.client, http.MethodPost, "/spans-bulk", t.bulkBody(b))
	if err != nil || len(got.Rejected) > 0 {
		return len(got.Rejected) > 0, err
	}
	if len(got.Spans) != len(b.spans) {
		return false, fmt.Errorf("%d spans were acknowledged, want %d", len(got.Spans), len(b.spans))
	}
	ids := map[string]int64{}
	for _, l := range got.Logs {
		ids[l.Span] = l.ID
	}
	for _, s := range b.spans {
		if err := t.acknowledgeLog(s, ids[s.id]); err != nil {
			return false, err
		}
	}
	return false, nil
}

// acknowledgeLog records the ID of the log of a span, or compares it with that of
// an earlier response.
func (t *tracer) acknowledgeLog(s sentSpan, id int64) error {
	switch {
	case s.log == nil:
		return nil
	case s.log.id == 0:
		return t.model.acknowledge(s.log, id)
	case s.log.id != id:
		return fmt.Errorf("span %s was sent again: its log is %d, and was %d", s.id, id, s.log.id)
	}
	return nil
}

// look returns an error unless the trace is read as it was acknowledged.
func (t *tracer) look() error {
	got, err := t.model.readTrace(t.reader(t.random), t.tree.id)
	if err != nil {
		return t.tolerate(err)
	}
	if !got.equal(t.tree.state) {
		return fmt.Errorf("trace %s was acknowledged with %v, and has %v", t.tree.id, t.tree.state, got)
	}
	return nil
}

// tryClosed returns an error unless a closed trace refuses spans. Then the tracer
// begins another one.
func (t *tracer) tryClosed() error {
	b := &spanBatch{otlp: t.random.IntN(2) == 0, spans: []sentSpan{{id: t.model.drawSpan(), name: "too late"}}}
	closed, err := t.request(b)
	if err != nil {
		return t.tolerate(err)
	}
	if !closed {
		return fmt.Errorf("trace %s is closed, and has accepted a span", t.tree.id)
	}
	t.tree = nil
	return nil
}
