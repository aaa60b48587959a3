package clickhouse

import (
	"fmt"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
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
		names := check.Must(s.Suggest(t.Context(), reqlog.SuggestQuery{Query: reqlog.Query{Workspace: l.Workspace}, Field: reqlog.FieldScoreNames, Limit: 100}))(t)
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
