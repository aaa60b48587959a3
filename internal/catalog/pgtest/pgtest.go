// Package pgtest provides tests with a private PostgreSQL server: one per test
// binary, in a temporary folder, reachable through a Unix socket only, with a new
// database for each test.
//
// A package that uses it has
//
//	func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }
package pgtest

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

var (
	prepared  atomic.Bool
	databases atomic.Int64
	// shared starts the server for the first test that needs it.
	shared = sync.OnceValues(func() (*server, error) { return startServer(settings, running.Store) })
	// running is the server to stop at the end, if any.
	running atomic.Pointer[server]
	// template is the database that Copy copies.
	template struct {
		sync.Mutex
		name string
	}
)

// Main runs the tests, stops the server if one was started, and returns the exit
// code.
func Main(m *testing.M) int {
	prepared.Store(true)
	defer func() {
		if s := running.Load(); s != nil {
			s.stop()
		}
	}()
	return m.Run()
}

// Start returns the address of a new, empty database, which exists until the
// server stops: dropping it would cost more than keeping it. It fails the test if
// PostgreSQL is not installed, because tests of an engine are never skipped.
func Start(t testing.TB) (dsn string) {
	t.Helper()
	s := use(t)
	return s.dsn(s.database(t, ""))
}

// Copy is Start for a database with the content that fill creates in an empty
// one. It is created once for all tests, which pass the same function.
func Copy(t testing.TB, fill func(dsn string) error) (dsn string) {
	t.Helper()
	s := use(t)
	template.Lock()
	defer template.Unlock()
	if template.name == "" {
		name := s.database(t, "")
		if err := fill(s.dsn(name)); err != nil {
			t.Fatalf("pgtest: %v", err)
		}
		template.name = name
	}
	return s.dsn(s.database(t, " TEMPLATE "+template.name))
}

// use returns the server of the tests.
func use(t testing.TB) *server {
	t.Helper()
	if !prepared.Load() {
		t.Fatal("pgtest: call pgtest.Main from TestMain, or the server would outlive the tests")
	}
	s, err := shared()
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return s
}

// database creates a database and returns its name.
func (s *server) database(t testing.TB, options string) string {
	t.Helper()
	name := fmt.Sprintf("test_%d", databases.Add(1))
	if err := s.exec("CREATE DATABASE " + name + options); err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return name
}

// Restartable starts a server that serves only this test. It returns the address
// of an empty database, and a function that kills the server and starts it again
// after a number of seconds. Committed transactions survive.
func Restartable(t testing.TB) (dsn string, restart func(seconds string)) {
	t.Helper()
	durable := append(slices.Clone(settings), "synchronous_commit=on")
	s, err := startServer(durable, func(s *server) { t.Cleanup(s.stop) })
	if err != nil {
		t.Fatalf("pgtest: %v", err)
	}
	return s.dsn("postgres"), func(seconds string) {
		if _, err := io.WriteString(s.input, seconds+"\n"); err != nil {
			t.Errorf("pgtest: %v", err)
		}
	}
}

// dsn returns the address of a database.
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

// logTail returns the end of the server's log.
func (s *server) logTail() string {
	text, err := os.ReadFile(s.logPath())
	if err != nil {
		return err.Error()
	}
	return string(text[max(0, len(text)-2000):])
}
