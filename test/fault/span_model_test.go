package fault

import (
	"maps"
	"testing"
)

// TestModelOfTraces checks what the driver accepts after a fault: what was
// acknowledged, with all or nothing of the interrupted batch.
func TestModelOfTraces(t *testing.T) {
	t.Parallel()
	acknowledged := traceState{spans: map[string]spanState{"a": {name: "a", log: 1}, "b": {name: "b", parent: "a"}}}
	pending := &spanBatch{close: true, spans: []sentSpan{{id: "b", name: "new", parent: "a"}, {id: "c", name: "c", log: &entry{number: 2}}}}
	change := func(to traceState, change func(*traceState)) traceState {
		to.spans = maps.Clone(to.spans)
		change(&to)
		return to
	}
	whole := pending.applied(acknowledged)
	for name, tc := range map[string]struct {
		got  traceState
		lost lossy
		want bool
	}{
		"nothing of the batch":        {got: acknowledged, want: true},
		"all of the batch":            {got: whole, want: true},
		"a lost span":                 {got: change(acknowledged, func(s *traceState) { delete(s.spans, "b") })},
		"a damaged span":              {got: change(acknowledged, func(s *traceState) { delete(s.spans, "b") }), lost: lossy{spans: map[string]bool{"b": true}}, want: true},
		"a span that was never sent":  {got: change(acknowledged, func(s *traceState) { s.spans["x"] = spanState{} })},
		"half of the batch":           {got: change(whole, func(s *traceState) { delete(s.spans, "c") })},
		"a batch without its closure": {got: change(whole, func(s *traceState) { s.closed = false })},
		"another log":                 {got: change(acknowledged, func(s *traceState) { s.spans["a"] = spanState{name: "a", log: 3} })},
		"a lost log":                  {got: change(whole, func(s *traceState) { s.spans["c"] = spanState{name: "c"} })},
		"a damaged log":               {got: change(whole, func(s *traceState) { s.spans["c"] = spanState{name: "c"} }), lost: lossy{logs: map[int64]bool{2: true}}, want: true},
	} {
		one := &tree{state: acknowledged, pending: pending}
		if err := one.settle(tc.got, tc.lost); (err == nil) != tc.want {
			t.Errorf("%s: %v", name, err)
		}
		if tc.want && (one.pending != nil || !one.checked) {
			t.Errorf("%s: the trace is not settled", name)
		}
	}
	closed := &tree{state: whole}
	if err := closed.settle(change(whole, func(s *traceState) { s.closed = false }), lossy{}); err == nil {
		t.Error("a closed trace was opened, and the driver accepted it")
	}
}
