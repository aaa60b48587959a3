package clickhouse

import (
	"testing"

	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// openAt opens the store at an address for a test.
func openAt(t *testing.T, address string) *Store {
	t.Helper()
	s, err := Open(t.Context(), address, Options{})
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
		address := clickhousetest.Start(t)
		current := openAt(t, address)
		t.Cleanup(func() { closeStore(t, current) })
		return logstoretest.Harness{
			Store:  current,
			Remote: true,
			Reopen: func() requests.Store {
				closeStore(t, current)
				current = openAt(t, address)
				return current
			},
		}
	})
}
