package embedded

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestAnswersDuringCheckpoints asks the same question again and again while
// rows are replaced and the table is written to its file, where rows change
// places.
func TestAnswersDuringCheckpoints(t *testing.T) {
	t.Parallel()
	s := openAt(t, t.TempDir())
	defer closeStore(t, s)
	logstoretest.Fill(t, s)
	want := firstCalls(t, s)
	ctx, stop := context.WithCancel(t.Context())
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for ctx.Err() == nil {
				if got := firstCalls(t, s); !slices.Equal(got, want) {
					t.Errorf("found %v, want %v", got, want)
					return
				}
			}
		})
	}
	for i, l := range logstoretest.Corpus()[:150] {
		if err := rewriteTable(t.Context(), s, l, i); err != nil {
			t.Error(err)
		}
	}
	stop()
	readers.Wait()
}

// firstCalls returns how many logs call a tool, and the ids of the first few.
func firstCalls(t *testing.T, s *Store) []int64 {
	calls := query.Cond{Field: query.FieldIsToolCall, Op: query.OpIsTrue}
	found, err := s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home, Filter: calls}, Page: 1, PerPage: 5})
	if err != nil {
		t.Error(err)
	}
	ids := []int64{found.Total}
	for _, l := range found.Items {
		ids = append(ids, l.ID)
	}
	return ids
}

// rewriteTable replaces the row of a log and writes the table to its file.
func rewriteTable(ctx context.Context, s *Store, l *reqlog.Log, value int) error {
	change := reqlog.Annotation{Score: &reqlog.Score{Name: fmt.Sprint(value), Value: 1}}
	if err := s.Write(ctx, logstoretest.Annotating(l.Workspace, l.ID, change)); err != nil {
		return err
	}
	if _, err := s.queue.await(ctx); err != nil {
		return err
	}
	// The store may be writing at this moment, which a checkpoint refuses.
	for range 1000 {
		if _, err := s.table.Save(ctx, false); err == nil {
			return nil
		}
	}
	return errors.New("the table cannot be written out")
}
