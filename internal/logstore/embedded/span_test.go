package embedded

import (
	"fmt"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// writeTrace writes a span to each of five blocks, and closes the trace in the
// last.
func writeTrace(t *testing.T, dir string) {
	t.Helper()
	s := openAt(t, dir)
	defer closeStore(t, s)
	for i := range 5 {
		batch := &reqlog.SpanBatch{Workspace: logstoretest.Home, Logs: make([]*reqlog.Log, 1), Spans: []*reqlog.Span{{
			Workspace: logstoretest.Home, TraceID: "trace", SpanID: fmt.Sprint("span ", i), LogSpanID: fmt.Sprint("span ", i),
			Name: "step", Kind: reqlog.SpanInternal, Status: reqlog.SpanOK, Start: reqlog.Micros(i), End: 9,
		}}}
		if i == 4 {
			batch.Close = []reqlog.Closure{{Workspace: logstoretest.Home, TraceID: "trace", At: 7}}
		}
		if err := s.Write(t.Context(), reqlog.Batch{Spans: []*reqlog.SpanBatch{batch}}); err != nil {
			t.Fatal(err)
		}
	}
}

// readTrace returns the ids of the spans that can be read, and of the others.
func readTrace(t *testing.T, s *Store) (ids, damaged []string, closed bool) {
	t.Helper()
	trace, err := s.Trace(t.Context(), query.TraceQuery{Workspace: logstoretest.Home, TraceID: "trace", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	for _, span := range trace.Spans {
		ids = append(ids, span.SpanID)
	}
	return ids, trace.Damaged, trace.Closure != nil
}

func TestDamagedSpans(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTrace(t, dir)
	s := openAt(t, dir)
	found, err := s.table.Trace(t.Context(), query.TraceQuery{Workspace: logstoretest.Home, TraceID: "trace", Limit: 10})
	closeStore(t, s)
	if err != nil {
		t.Fatal(err)
	}
	rewrite(t, journalPath(t, dir), func(data []byte) []byte { data[int64(found.Spans[2].Place.Block)+40] ^= 0xff; return data })

	s = openAt(t, dir)
	intact := []string{"span 0", "span 1", "span 3", "span 4"}
	if ids, damaged, closed := readTrace(t, s); !slices.Equal(ids, intact) || !slices.Equal(damaged, []string{"span 2"}) || !closed {
		t.Errorf("read %v, damaged %v, closed %v", ids, damaged, closed)
	}
	outline := check.Must(s.Outline(t.Context(), query.TraceQuery{Workspace: logstoretest.Home, TraceID: "trace", Limit: 10}))(t)
	if len(outline.Spans) != 5 || outline.Spans[2].SpanID != "span 2" {
		t.Errorf("outline %+v", outline)
	}
	_, err = s.Span(t.Context(), reqlog.SpanQuery{Workspace: logstoretest.Home, TraceID: "trace", SpanID: "span 2"})
	if !fault.Is(err, fault.Damaged) {
		t.Errorf("read a damaged span: %v", err)
	}
	if stats := s.Stats(); stats.DamagedSpans != 1 || stats.DamagedLogs != 0 {
		t.Errorf("stats %+v", stats)
	}
	closeStore(t, s)

	report := verify(t, dir)
	if report.Spans != 4 || len(report.LostSpans) != 1 || report.LostSpans[0].SpanID != "span 2" || report.LostSpans[0].Start != 2 || len(report.Derived) > 0 {
		t.Errorf("found %+v", report)
	}
	repair(t, dir)
	if report := verify(t, dir); !report.Sound() {
		t.Errorf("after the repair: %+v", report)
	}
	s = openAt(t, dir)
	defer closeStore(t, s)
	if ids, damaged, closed := readTrace(t, s); !slices.Equal(ids, intact) || len(damaged) > 0 || !closed {
		t.Errorf("after the repair: read %v, damaged %v, closed %v", ids, damaged, closed)
	}
}

// TestSpansAreChecked scrubs more spans than one step of the check takes.
func TestSpansAreChecked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeTrace(t, dir)
	s := openAt(t, dir)
	defer closeStore(t, s)
	for first, want := range map[int64]bool{0: true, 3: true, 4: false, 9: false} {
		if more, err := s.table.CheckSpans(t.Context(), first, 1); err != nil || more != want {
			t.Errorf("from %d: more is %v, want %v (%v)", first, more, want, err)
		}
	}
}
