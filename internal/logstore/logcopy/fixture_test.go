package logcopy_test

import (
	"context"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/logstore/logcopy"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

const installation = "ours"

func options() logcopy.Options {
	return logcopy.Options{Installation: installation, Progress: func(string, int64, int64) {}, HeldBack: 100}
}

// closing is a store that a test closes once.
type closing[S requests.Store] struct {
	store  S
	closed bool
}

func (c *closing[S]) close(t *testing.T) {
	t.Helper()
	if !c.closed {
		c.closed = true
		check.OK(t, c.store.Close())
	}
}

func openFolder(t *testing.T, dir string, copying bool) *closing[*embedded.Store] {
	t.Helper()
	c := &closing[*embedded.Store]{store: check.Must(embedded.Open(t.Context(), dir, embedded.Options{MemoryMB: 256, MinFreeMB: -1, Copying: copying}))(t)}
	t.Cleanup(func() { c.close(t) })
	return c
}

func openDatabase(t *testing.T, address string, copying bool) *closing[*clickhouse.Store] {
	t.Helper()
	c := &closing[*clickhouse.Store]{store: check.Must(clickhouse.Open(t.Context(), address, clickhouse.Options{Installation: installation, Copying: copying}))(t)}
	t.Cleanup(func() { c.close(t) })
	return c
}

// follow copies from the journal in dir, in parts of so many records.
func follow(ctx context.Context, t *testing.T, dir string, settled bool, records int, to logcopy.Target, opts logcopy.Options) (*logcopy.Report, error) {
	t.Helper()
	follower := check.Must(embedded.Follow(dir, settled))(t)
	defer func() { check.OK(t, follower.Close()) }()
	follower.PartRecords = records
	return logcopy.Folder(ctx, follower, to, opts)
}

// copied copies from the journal in dir.
func copied(t *testing.T, dir string, settled bool, to logcopy.Target) *logcopy.Report {
	t.Helper()
	return check.Must(follow(t.Context(), t, dir, settled, 100, to, options()))(t)
}

// more writes new logs, annotations, prices, spans and ends of traces, which refer
// to older ones, too, and deletes metadata and scores.
func more(t *testing.T, store requests.Store) {
	t.Helper()
	corpus := logstoretest.Corpus()
	batch := reqlog.Batch{}
	last := store.LastID()
	for i, l := range corpus[:60] {
		own := *l
		own.ID = last + 1 + int64(i)
		batch.Logs = append(batch.Logs, &own)
	}
	for i, l := range corpus[100:160] {
		batch.Changes = append(batch.Changes,
			reqlog.Change{Workspace: l.Workspace, ID: l.ID, Annotation: reqlog.Annotation{Score: &reqlog.Score{Name: "later", Value: int64(i)}}},
			reqlog.Change{Workspace: l.Workspace, ID: l.ID, Annotation: reqlog.Annotation{Metadata: []reqlog.Member{{Key: "later", Value: []byte(`{"n": 1}`)}}}},
			reqlog.Change{Workspace: l.Workspace, ID: l.ID, Annotation: reqlog.Annotation{GroupID: 5}},
			reqlog.Change{Workspace: l.Workspace, ID: l.ID, Annotation: reqlog.Annotation{Prompt: &reqlog.PromptLink{ID: 9, Version: 2, Referenced: []string{"a"}}, Variables: []byte(`{"a":1}`)}})
	}
	check.OK(t, store.Write(t.Context(), batch))
	var prices []reqlog.NewPrice
	for _, l := range corpus[50:200] {
		if l.Workspace == logstoretest.Home {
			prices = append(prices, reqlog.NewPrice{ID: l.ID, USD: float64(l.ID) / 8})
		}
	}
	check.OK(t, store.Write(t.Context(), logstoretest.Repricing(logstoretest.Home, 50, prices...)))
	check.OK(t, store.Write(t.Context(), logstoretest.Restoring(logstoretest.Home, 50, corpus[100].ID, corpus[130].ID)))
	for _, name := range []string{"first", "second"} {
		span := &reqlog.Span{Workspace: logstoretest.Home, TraceID: "later", SpanID: "s", LogSpanID: "s", Name: name, Kind: reqlog.SpanClient, Status: reqlog.SpanOK, Start: 1_700_000_000_000_000}
		check.OK(t, store.Write(t.Context(), reqlog.Batch{Spans: []*reqlog.SpanBatch{{Workspace: logstoretest.Home, Spans: []*reqlog.Span{span}, Logs: []*reqlog.Log{nil}}}}))
	}
	check.OK(t, store.Write(t.Context(), reqlog.Batch{Spans: []*reqlog.SpanBatch{{Workspace: logstoretest.Home, Close: []reqlog.Closure{
		{Workspace: logstoretest.Home, TraceID: "later", At: 5_000_000}, {Workspace: logstoretest.Home, TraceID: "without spans", At: 6_000_000},
	}}}}))
	var some []int64
	for _, l := range corpus[90:150] {
		if l.Workspace == logstoretest.Home {
			some = append(some, l.ID)
		}
	}
	check.OK(t, store.Write(t.Context(), logstoretest.Removing(logstoretest.Home, "later.n", some[:20]...)))
	check.OK(t, store.Write(t.Context(), logstoretest.RemovingScore(logstoretest.Home, "later", some[10:]...)))
}

// complete fails the test unless the report says that so many logs are equal.
func complete(t *testing.T, report *logcopy.Report, logs int64) {
	t.Helper()
	count := map[logcopy.Kind]int64{}
	for _, day := range report.Days {
		count[day.Kind] += day.Copy.Count
	}
	if len(report.Unequal()) > 0 || !report.Complete {
		t.Fatalf("not complete: %+v", report.Unequal())
	}
	check.Equal(t, "logs", count[logcopy.Logs], logs)
	if count[logcopy.Spans] == 0 || count[logcopy.Closures] == 0 {
		t.Errorf("compared %v", count)
	}
}

// sameAnswers fails the test unless both stores give the same answers.
func sameAnswers(t *testing.T, want, got requests.Store) {
	t.Helper()
	if diff := logstoretest.Diff(logstoretest.Answers(t, want), logstoretest.Answers(t, got)); diff != "" {
		t.Errorf("answers differ (-source +copy):\n%s", diff)
	}
}

// finish finishes the copy of a folder.
func finish(t *testing.T, dir string, source requests.Store, to logcopy.Target) (*logcopy.Report, error) {
	t.Helper()
	follower := check.Must(embedded.Follow(dir, true))(t)
	defer func() { check.OK(t, follower.Close()) }()
	return logcopy.Finish(t.Context(), source, follower, to, options())
}

func finished(t *testing.T, dir string, source requests.Store, to logcopy.Target) *logcopy.Report {
	t.Helper()
	return check.Must(finish(t, dir, source, to))(t)
}

// verified compares the copy of a folder with it while it is in use.
func verified(t *testing.T, dir string, to logcopy.Target, logs int64) {
	t.Helper()
	report := check.Must(logcopy.Verify(t.Context(), func(at embedded.Mark) (*embedded.Snapshot, error) {
		return embedded.OpenSnapshot(t.Context(), dir, at, embedded.Options{MemoryMB: 256})
	}, to, options()))(t)
	count := int64(0)
	for _, day := range report.Days {
		if day.Kind == logcopy.Logs {
			count += day.Source.Count
		}
	}
	check.Equal(t, "compared logs", count, logs)
	check.Equal(t, "different days", len(report.Unequal()), 0)
}
