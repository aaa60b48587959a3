// Package runtracetest stores the traces of runs in memory for tests.
package runtracetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/runtrace"
)

// Store keeps the spans that were written last. The zero value is ready.
type Store struct {
	mu    sync.Mutex
	spans map[int64]*reqlog.Span
	err   error
	calls int
}

// LogSpans implements runtrace.Store.
func (s *Store) LogSpans(ctx context.Context, workspace int64, in requests.SpanInput) (reqlog.SpanResult, error) {
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return reqlog.SpanResult{}, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	if s.err != nil {
		return reqlog.SpanResult{}, s.err
	}
	if s.spans == nil {
		s.spans = map[int64]*reqlog.Span{}
	}
	for _, span := range in.Spans {
		if span.Workspace != workspace {
			return reqlog.SpanResult{}, fmt.Errorf("a span of workspace %d is written for %d", span.Workspace, workspace)
		}
		s.spans[span.Key()] = span
	}
	return reqlog.SpanResult{}, nil
}

// Fail makes the store return an error from now on, none if it is nil.
func (s *Store) Fail(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// Calls returns how often something was written.
func (s *Store) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// Spans returns the spans of a trace: each before its children, which are
// ordered by start and name.
func (s *Store) Spans(workspace int64, trace string) []*reqlog.Span {
	var list []*reqlog.Span
	s.walk(workspace, trace, func(span *reqlog.Span, _ int) { list = append(list, span) })
	return list
}

// Tree describes a trace: a line for each span, below that of its parent, with
// its status, input and output or error.
func (s *Store) Tree(workspace int64, trace string) string {
	var text strings.Builder
	s.walk(workspace, trace, func(span *reqlog.Span, depth int) {
		text.WriteString(strings.Repeat("  ", depth) + describe(span) + "\n")
	})
	return text.String()
}

// walk visits the spans of a trace below its root.
func (s *Store) walk(workspace int64, trace string, visit func(span *reqlog.Span, depth int)) {
	below := map[string][]*reqlog.Span{}
	s.mu.Lock()
	for _, span := range s.spans {
		if span.Workspace == workspace && span.TraceID == trace {
			below[span.ParentID] = append(below[span.ParentID], span)
		}
	}
	s.mu.Unlock()
	var down func(parent string, depth int)
	down = func(parent string, depth int) {
		slices.SortFunc(below[parent], func(a, b *reqlog.Span) int {
			return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.Name, b.Name))
		})
		for _, span := range below[parent] {
			visit(span, depth)
			down(span.SpanID, depth+1)
		}
	}
	down("", 0)
}

func describe(span *reqlog.Span) string {
	attributes := check.JSON(string(span.Attributes))
	line := span.Name + " " + span.Status
	if input := attributes.Get("function_input").Str(); input != "" {
		line += " " + input
	}
	if output := attributes.Get("function_output").Str(); output != "" {
		line += " -> " + output
	}
	if span.StatusMessage != "" {
		line += " ! " + span.StatusMessage
	}
	return line
}

// Writer returns a writer to the store that is closed at the end of the test.
func (s *Store) Writer(t testing.TB) *runtrace.Writer {
	t.Helper()
	w := runtrace.NewWriter(runtrace.Options{Store: s})
	t.Cleanup(func() { check.OK(t, w.Close(context.Background())) })
	return w
}
