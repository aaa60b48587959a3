package clickhouse

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
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
	var acknowledged atomic.Int64
	stop, written := make(chan struct{}), make(chan []string, 1)
	go func() { written <- writeUntil(t, s, stop, &acknowledged) }()
	writeSome := func() {
		some := acknowledged.Load() + 3
		check.Eventually(t, "more logs are acknowledged", func() bool { return acknowledged.Load() >= some })
	}
	for range 3 {
		writeSome()
		time.Sleep(time.Duration(rand.IntN(30)) * time.Millisecond) // so that it is killed at any moment of a write
		check.OK(t, server.Crash())
		time.Sleep(100 * time.Millisecond)
		check.OK(t, server.Revive())
	}
	writeSome()
	close(stop)
	ids := <-written
	count := func(query string) string {
		return strings.TrimSpace(check.Must(clickhousetest.Query(server.Address+"/killed", query))(t))
	}
	check.Equal(t, "acknowledged logs", count("SELECT count() FROM log WHERE id IN ("+strings.Join(ids, ",")+")"), fmt.Sprint(len(ids)))
	check.Equal(t, "logs that are there twice", count("SELECT count() - uniqExact(id) FROM log"), "0")
}

// writeUntil writes logs until stop is closed, counts those that are acknowledged, and
// returns their ids. Every commit has words that are new.
func writeUntil(t *testing.T, s *Store, stop <-chan struct{}, acknowledged *atomic.Int64) (ids []string) {
	for id := int64(1); ; id++ {
		select {
		case <-stop:
			return ids
		case <-t.Context().Done(): // the test has failed
			return nil
		default:
		}
		l := *logstoretest.Corpus()[0]
		l.ID, l.Index.InputText = id, fmt.Sprintf("word%d", id)
		err := s.Write(t.Context(), reqlog.Batch{Logs: []*reqlog.Log{&l}})
		switch {
		case err == nil:
			ids = append(ids, fmt.Sprint(id))
			acknowledged.Add(1)
		case !fault.Is(err, fault.Unavailable):
			t.Errorf("log %d: %v", id, err)
		default:
			time.Sleep(10 * time.Millisecond)
		}
	}
}
