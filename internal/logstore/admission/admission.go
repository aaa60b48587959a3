// Package admission decides what of batches of spans a log store writes: nothing
// of closed traces, and no second log of a span.
package admission

import "github.com/promptuary/promptuary/internal/reqlog"

// Known is what is stored of the traces and logs that batches are about.
type Known struct {
	// Closed has the keys of closures.
	Closed map[int64]bool
	// LogIDs has the first logs by log key.
	LogIDs map[int64]int64
}

// Admission is what of some batches is stored.
type Admission struct {
	Spans    []*reqlog.Span
	Logs     []*reqlog.Log
	Closures []reqlog.Closure

	results []reqlog.SpanResult
	known   Known
}

// Keys returns the keys of the closures and logs that Known must have if they are
// stored.
func Keys(batches []*reqlog.SpanBatch) (closures, logs []int64) {
	for _, b := range batches {
		for _, id := range traceIDs(b) {
			closures = append(closures, (&reqlog.Closure{Workspace: b.Workspace, TraceID: id}).Key())
		}
		for _, l := range b.Logs {
			if l != nil {
				logs = append(logs, reqlog.LogKey(b.Workspace, l.SpanID))
			}
		}
	}
	return closures, logs
}

// Admit decides what to store of the batches. It adds that to known.
func Admit(batches []*reqlog.SpanBatch, known Known) *Admission {
	a := &Admission{known: known}
	for _, b := range batches {
		a.results = append(a.results, a.admit(b))
	}
	return a
}

// traceIDs returns the distinct traces of a batch, in the order of their first
// occurrence.
func traceIDs(b *reqlog.SpanBatch) []string {
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, span := range b.Spans {
		add(span.TraceID)
	}
	for _, c := range b.Close {
		add(c.TraceID)
	}
	return ids
}

// admit decides what to store of a batch.
func (a *Admission) admit(b *reqlog.SpanBatch) reqlog.SpanResult {
	result := reqlog.SpanResult{LogIDs: make([]int64, len(b.Spans))}
	closed := map[string]bool{}
	for _, id := range traceIDs(b) {
		if a.known.Closed[(&reqlog.Closure{Workspace: b.Workspace, TraceID: id}).Key()] {
			closed[id] = true
			result.Closed = append(result.Closed, id)
		}
	}
	if b.Whole && len(closed) > 0 {
		return result
	}
	for i, span := range b.Spans {
		if !closed[span.TraceID] {
			a.Spans = append(a.Spans, span)
			result.LogIDs[i] = a.admitLog(b, i)
		}
	}
	for _, c := range b.Close {
		if !closed[c.TraceID] {
			a.known.Closed[c.Key()] = true
			a.Closures = append(a.Closures, c)
			result.Closures = append(result.Closures, c)
		}
	}
	return result
}

// admitLog stores the log of a span, unless there is one already, and returns
// its id.
func (a *Admission) admitLog(b *reqlog.SpanBatch, i int) int64 {
	l := b.Logs[i]
	if l == nil {
		return 0
	}
	key := reqlog.LogKey(b.Workspace, l.SpanID)
	if id, ok := a.known.LogIDs[key]; ok {
		return id
	}
	a.known.LogIDs[key] = l.ID
	a.Logs = append(a.Logs, l)
	return l.ID
}

// Report tells the callers what became of their batches.
func (a *Admission) Report(batches []*reqlog.SpanBatch) {
	for i, b := range batches {
		b.Result = a.results[i]
	}
}

// Replace makes Report tell another id for a log.
func (a *Admission) Replace(id, other int64) {
	for _, result := range a.results {
		for i := range result.LogIDs {
			if result.LogIDs[i] == id {
				result.LogIDs[i] = other
			}
		}
	}
}
