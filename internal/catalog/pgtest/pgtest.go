// Package pgtest gives tests a private PostgreSQL server: one per test
// binary, in a temporary folder, reachable through a unix socket only, with a
// fresh database for each test that asks.
//
// A package that uses it has
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
package pgtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	prepared  atomic.Bool
	databases atomic.Int64
	// shared starts the server when a first test asks for it.
	shared = sync.OnceValues(startServer)
	// running is the server to stop at the end.
	running atomic.Pointer[server]
)

// Main runs the tests, stops the server if one was started, and returns the
// code to exit with.
func Main(m *testing.M) int {
	prepared.Store(true)
	defer func() {
		if s := running.Load(); s != nil {
			s.stop()
		}
	}()
	return m.Run()
}

// Start returns the address of a new, empty database, which goes with the
// server: to drop it would cost more than to keep it. It fails the test when
// PostgreSQL is not installed: tests of an engine are never skipped.
func Start(t testing.TB) (dsn string) {
	t.Helper()
	if !prepared.Load() {
		t.Fatal("pgtest: call pgtest.Main from TestMain, or the server would outlive the tests")
	}
	s, err := shared()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	name := fmt.Sprintf("test_%d", databases.Add(1))
	if err := s.exec("CREATE DATABASE " + name); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return s.dsn(name)
}

// dsn is the address of one of the server's databases.
func (s *server) dsn(database string) string {
	query := url.Values{"host": {s.folder}, "sslmode": {"disable"}}
	return "postgres://" + superuser + "@/" + database + "?" + query.Encode()
}

// exec runs a command in the database "postgres".
func (s *server) exec(command string) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if _, err := s.admin.ExecContext(ctx, command); err != nil {
		return fmt.Errorf("%s: %w", command, err)
	}
	return nil
}

// logTail returns what the server wrote last, to explain why it did not start.
func (s *server) logTail() string {
	text, err := os.ReadFile(s.logPath())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}
