package embedded

import (
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// TestUsagesDuringDeletions asks for the first log that is left while another one
// deletes the first ones. The last is never deleted, and to find none would tell a
// deletion or a re-pricing that it is done.
func TestUsagesDuringDeletions(t *testing.T) {
	t.Parallel()
	s := openSmall(t, t.TempDir())
	const last = 200
	fillConfidential(t, s, 1, last)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for id := int64(1); id < last; id++ {
			if err := s.Write(t.Context(), logstoretest.Deleting(logstoretest.Home, id)); err != nil {
				t.Errorf("delete log %d: %v", id, err)
			}
		}
	}()
	for deleting := true; deleting; {
		select {
		case <-done:
			deleting = false
		default:
		}
		query := query.UsageQuery{Query: query.Query{Workspace: logstoretest.Home}, Last: last, Limit: 1}
		if found := check.Must(s.Usages(t.Context(), query))(t); len(found) != 1 {
			t.Errorf("%d logs are left", len(found))
		}
	}
	check.OK(t, s.Close())
}
