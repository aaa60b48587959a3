package embedded

import (
	"context"
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// openAt opens the store in dir for a test.
func openAt(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(context.Background(), dir, Options{MemoryMB: 256, Threads: 2})
	if err != nil {
		t.Fatalf("open: %v", err)
	}
	return s
}

func closeStore(t *testing.T, s *Store) {
	t.Helper()
	if err := s.Close(); err != nil {
		t.Errorf("close: %v", err)
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	logstoretest.Run(t, func(t *testing.T) logstoretest.Harness {
		dir := t.TempDir()
		current := openAt(t, dir)
		t.Cleanup(func() { closeStore(t, current) })
		return logstoretest.Harness{
			Store: current,
			Reopen: func() requests.Store {
				closeStore(t, current)
				current = openAt(t, dir)
				return current
			},
		}
	})
}
