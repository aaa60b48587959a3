package clickhouse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// TestServerIsKilled kills ClickHouse a few times while logs are written. Whatever
// was acknowledged is there afterwards, and nothing is there twice.
func TestServerIsKilled(t *testing.T) {
	t.Parallel()
	server := check.Must(clickhousetest.Launch("-durable"))(t)
	t.Cleanup(func() { check.OK(t, server.Stop()) })
	check.Must(clickhousetest.Query(server.Address, "CREATE DATABASE killed"))(t)
	s := openAt(t, server.Address+"/killed")
	defer closeStore(t, s)
	stop, written := make(chan struct{}), make(chan []string, 1)
	go func() { written <- writeUntil(t, s, stop) }()
	for range 3 {
		time.Sleep(300 * time.Millisecond)
		check.OK(t, server.Crash())
		time.Sleep(100 * time.Millisecond)
		check.OK(t, server.Revive())
	}
	time.Sleep(300 * time.Millisecond)
	close(stop)
	acknowledged := <-written
	if len(acknowledged) < 10 {
		t.Errorf("only %d logs were acknowledged", len(acknowledged))
	}
	count := func(query string) string {
		return strings.TrimSpace(check.Must(clickhousetest.Query(server.Address+"/killed", query))(t))
	}
	check.Equal(t, "acknowledged logs", count("SELECT count() FROM log WHERE id IN ("+strings.Join(acknowledged, ",")+")"), fmt.Sprint(len(acknowledged)))
	check.Equal(t, "logs that are there twice", count("SELECT count() - uniqExact(id) FROM log"), "0")
}

// writeUntil writes logs until stop is closed, and returns the ids of those that were
// acknowledged. Every commit has words that are new.
func writeUntil(t *testing.T, s *Store, stop <-chan struct{}) (acknowledged []string) {
	for id := int64(1); ; id++ {
		select {
		case <-stop:
			return acknowledged
		case <-t.Context().Done(): // the test has failed
			return nil
		default:
		}
		l := *logstoretest.Corpus()[0]
		l.ID, l.Index.InputText = id, fmt.Sprintf("word%d", id)
		err := s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{&l}})
		switch {
		case err == nil:
			acknowledged = append(acknowledged, fmt.Sprint(id))
		case !fault.Is(err, fault.Unavailable):
			t.Errorf("log %d: %v", id, err)
		default:
			time.Sleep(10 * time.Millisecond)
		}
	}
}
