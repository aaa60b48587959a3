package dataset

import (
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// partOf returns the places of the spans at and below a span, or of the whole
// trace, in the order of the trace but with the first span in front: the given
// one, or the first root.
func partOf(t *reqlog.Trace, spanID string) ([]int, error) {
	if len(t.Spans) == 0 {
		return nil, fault.New(fault.Damaged, "The trace can no longer be read, because its storage is damaged")
	}
	at := make(map[string]int, len(t.Spans))
	for i, span := range t.Spans {
		at[span.SpanID] = i
	}
	if spanID == "" {
		return inFront(t, firstRoot(t, at), func(int) bool { return true }), nil
	}
	first, ok := at[spanID]
	if !ok {
		return nil, fault.NotFoundf("Span not found")
	}
	below := descendants(t, first)
	return inFront(t, first, func(i int) bool { return below[i] }), nil
}

// firstRoot returns the first span whose parent is not in the trace, or the first
// span if all are in cycles.
func firstRoot(t *reqlog.Trace, at map[string]int) int {
	return max(0, slices.IndexFunc(t.Spans, func(span *reqlog.Span) bool {
		_, known := at[span.ParentID]
		return !known
	}))
}

// descendants returns the places of all spans below one, even if clients sent a
// cycle.
func descendants(t *reqlog.Trace, first int) map[int]bool {
	children := map[string][]int{}
	for i, span := range t.Spans {
		children[span.ParentID] = append(children[span.ParentID], i)
	}
	below, queue := map[int]bool{}, []int{first}
	for len(queue) > 0 {
		parent := queue[0]
		queue = queue[1:]
		for _, child := range children[t.Spans[parent].SpanID] {
			if !below[child] {
				below[child] = true
				queue = append(queue, child)
			}
		}
	}
	return below
}

func inFront(t *reqlog.Trace, first int, wanted func(i int) bool) []int {
	part := []int{first}
	for i := range t.Spans {
		if i != first && wanted(i) {
			part = append(part, i)
		}
	}
	return part
}
