package clickhouse

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// TestServersAnnotateAtOnce has three stores annotate the same log at the same
// time: all annotations count, and filters see them.
func TestServersAnnotateAtOnce(t *testing.T) {
	t.Parallel()
	const rounds = 4
	address := clickhousetest.Start(t)
	stores := []*Store{openAt(t, address), openAt(t, address), openAt(t, address)}
	l := someLogs(3)[2]
	check.OK(t, stores[0].Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{l}}))
	var all sync.WaitGroup
	errs := make([]error, len(stores))
	for i, s := range stores {
		all.Go(func() {
			for round := range rounds {
				score := reqlog.Score{Name: fmt.Sprintf("server %d round %d", i, round), Value: int64(round)}
				if err := s.Write(t.Context(), logstoretest.Annotating(l.Workspace, l.ID, reqlog.Annotation{Score: &score})); err != nil {
					errs[i] = err
				}
			}
		})
	}
	all.Wait()
	for i, s := range stores {
		check.OK(t, errs[i])
		got := check.Must(s.Get(t.Context(), l.Workspace, l.ID))(t)
		check.Equal(t, "scores", len(got.Scores), len(l.Scores)+len(stores)*rounds)
		names := check.Must(s.Suggest(t.Context(), query.SuggestQuery{Query: query.Query{Workspace: l.Workspace}, Field: query.FieldScoreNames, Limit: 100}))(t)
		check.Equal(t, "suggested names", len(names), len(got.Scores))
		closeStore(t, s)
	}
}

// TestServersStartAtOnce lets several stores create the tables at the same time.
func TestServersStartAtOnce(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			s, err := Open(t.Context(), address, Options{Installation: "one"})
			if err != nil {
				t.Errorf("open: %v", err)
				return
			}
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
	all.Wait()
}

// spanWithLog is a call that sends a span with its log.
func spanWithLog(id int64, spanID string, ends ...reqlog.Closure) *reqlog.SpanBatch {
	l := *someLogs(1)[0]
	l.ID, l.SpanID = id, spanID
	return &reqlog.SpanBatch{
		Workspace: l.Workspace, Logs: []*reqlog.Log{&l}, Close: ends,
		Spans: []*reqlog.Span{{Workspace: l.Workspace, TraceID: "t", SpanID: spanID, LogSpanID: spanID, Kind: reqlog.SpanClient, Status: reqlog.SpanOK}},
	}
}

// TestServersReceiveASpanAtOnce has a server insert the log of a span after
// another one has looked for it and before that one inserts its own. The log with
// the lowest id stays, and so do logs that are not of spans.
func TestServersReceiveASpanAtOnce(t *testing.T) {
	t.Parallel()
	late, proxy := proxied(t)
	early := openAt(t, proxy.Address)
	t.Cleanup(func() { closeStore(t, early) })
	for spanID, test := range map[string]struct {
		first, second int64
		plain         bool
		ids           []int64 // that stay, the lowest of which is reported
	}{
		"the first is lower":  {first: 1001, second: 1002, ids: []int64{1001}},
		"the second is lower": {first: 2002, second: 2001, ids: []int64{2001}},
		"a plain log first":   {first: 3001, second: 3002, plain: true, ids: []int64{3001}},
		"a plain log second":  {first: 4002, second: 4001, plain: true, ids: []int64{4001, 4002}},
	} {
		other := reqlog.Batch{Spans: []*reqlog.SpanBatch{spanWithLog(test.first, spanID)}}
		if test.plain {
			other = reqlog.Batch{Logs: other.Spans[0].Logs}
		}
		proxy.Break(func(p *clickhousetest.Proxy, w http.ResponseWriter, r *http.Request) {
			check.OK(t, early.Write(t.Context(), other))
			p.Forward(w, r)
		}, 1, "INSERT INTO log")
		batch := spanWithLog(test.second, spanID)
		check.OK(t, late.Write(t.Context(), reqlog.Batch{Spans: []*reqlog.SpanBatch{batch}}))
		check.Equal(t, spanID+": reported", batch.Result.LogIDs[0], test.ids[0])
		for _, id := range []int64{test.first, test.second} {
			_, err := late.Get(t.Context(), logstoretest.Home, id)
			if stays := slices.Contains(test.ids, id); stays != (err == nil) || !stays && !fault.Is(err, fault.NotFound) {
				t.Errorf("%s: log %d: %v", spanID, id, err)
			}
		}
	}
	check.Equal(t, "logs", countLogs(t, late), int64(5))
}
