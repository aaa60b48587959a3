package logstoretest

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// delete deletes logs, their texts, or some of their metadata and scores, and their
// traces.
func (n *naive) delete(d reqlog.Deletion) {
	gone := slices.Clone(d.Traces)
	for _, id := range d.Logs {
		i := n.find(d.Workspace, id)
		if i < 0 {
			continue
		}
		l := n.logs[i]
		for _, span := range n.spans {
			if d.TakesTraces() && l.SpanID != "" && span.Workspace == d.Workspace && span.LogSpanID == l.SpanID {
				gone = append(gone, span.TraceID)
			}
		}
		if d.Removes() {
			n.logs[i] = annotated(l, reqlog.Annotation{RemovedPaths: d.RemovedPaths, RemovedScores: d.RemovedScores})
			continue
		}
		n.words[id] = nil
		if !d.TextsOnly {
			n.logs = slices.Delete(slices.Clone(n.logs), i, i+1)
			continue
		}
		n.logs[i] = withoutTexts(l)
	}
	n.spans = slices.DeleteFunc(n.spans, func(s *reqlog.Span) bool {
		return s.Workspace == d.Workspace && slices.Contains(gone, s.TraceID)
	})
	n.closures = slices.DeleteFunc(n.closures, func(c reqlog.Closure) bool {
		return c.Workspace == d.Workspace && slices.Contains(gone, c.TraceID)
	})
	n.findTraces()
}

// withoutTexts returns a log without what was said.
func withoutTexts(l *reqlog.Log) *reqlog.Log {
	c := copyOf(l)
	c.DropTexts()
	return c
}

// Reclaim implements reqlog.Remover.
func (n *naive) Reclaim(_ context.Context, progress reqlog.ReclaimProgress) (reqlog.Reclaimed, error) {
	if progress != nil {
		progress(1, reqlog.Reclaimed{})
	}
	return reqlog.Reclaimed{}, nil
}
