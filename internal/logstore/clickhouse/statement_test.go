package clickhouse

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestStatements compares the statements that the store sends while logs come and go
// with testdata. Those of queries are in TestSQL, with every condition.
func TestStatements(t *testing.T) {
	t.Parallel()
	s, proxy := proxied(t)
	before := len(proxy.Statements())
	liveAndDie(t, s)
	check.Must(Verify(t.Context(), proxy.Address, ""))(t)
	sent := proxy.Statements()[before:]
	for i, statement := range sent {
		sent[i] = statement + ";"
		if strings.Contains(statement, "operand") {
			t.Errorf("a client's text is part of a statement:\n%s", statement)
		}
	}
	slices.Sort(sent)
	check.SQL(t, filepath.Join("testdata", "statements", "all.sql"), strings.Join(slices.Compact(sent), "\n"), *update)
}

// liveAndDie writes logs and spans, annotates, reads and deletes them.
func liveAndDie(t *testing.T, s *Store) {
	t.Helper()
	ctx := t.Context()
	logs := someLogs(3)
	for i, l := range logs {
		l.Workspace, l.ID, l.Index.InputText = logstoretest.Home, int64(i+1), "operand"
	}
	check.OK(t, s.Write(ctx, reqlog.Batch{Logs: logs, Spans: []*reqlog.SpanBatch{spanWithLog(9, "operand", reqlog.Closure{Workspace: logstoretest.Home, TraceID: "t", At: 5})}}))
	check.OK(t, s.Write(ctx, logstoretest.Annotating(logstoretest.Home, 1, reqlog.Annotation{
		Score: &reqlog.Score{Name: "operand", Value: 5}, Metadata: []reqlog.Member{{Key: "operand", Value: []byte(`"operand"`)}},
	})))
	check.OK(t, s.Exists(ctx, logstoretest.Home, 1))
	check.Must(s.Get(ctx, logstoretest.Home, 1))(t)
	check.Must(s.Trace(ctx, query.TraceQuery{Workspace: logstoretest.Home, TraceID: "t", Limit: 5}))(t)
	for _, d := range []reqlog.Deletion{
		{Logs: []int64{1}, RemovedPaths: []string{"operand"}, RemovedScores: []string{"operand"}}, {Logs: []int64{1}, TextsOnly: true}, {Logs: []int64{2}, Traces: []string{"t"}},
	} {
		d.Workspace = logstoretest.Home
		check.OK(t, s.Write(ctx, reqlog.Batch{Deletions: []reqlog.Deletion{d}}))
	}
	check.Must(s.Reclaim(ctx, nil))(t)
	check.OK(t, s.SaveCopyState(ctx, []byte("operand")))
	check.Must(s.CopyState(ctx))(t)
	check.Must(s.Installation(ctx))(t)
	check.OK(t, s.Bind(ctx, "one"))
}
