package clickhouse

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/logstoretest"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// proxied opens a store behind a proxy.
func proxied(t *testing.T) (*Store, *clickhousetest.Proxy) {
	t.Helper()
	proxy := clickhousetest.NewProxy(t, clickhousetest.Start(t))
	s := openAt(t, proxy.Address)
	t.Cleanup(func() { closeStore(t, s) })
	return s, proxy
}

// someLogs are the first logs of the corpus, of which all are in one workspace.
func someLogs(n int) []*reqlog.Log { return logstoretest.Corpus()[:n] }

// countLogs returns the number of logs that the store finds.
func countLogs(t *testing.T, s *Store) int64 {
	t.Helper()
	found := check.Must(s.Search(t.Context(), query.SearchQuery{Query: query.Query{Workspace: logstoretest.Home}, Page: 1, PerPage: 5}))(t)
	return found.Total
}

// refuses fails the test unless a write of logs fails with a fault that asks to
// come back and has the text, and nothing was stored.
func refuses(t *testing.T, s *Store, logs []*reqlog.Log, text string) {
	t.Helper()
	err := s.Write(t.Context(), reqlog.Batch{Logs: logs})
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != fault.Unavailable || f.RetryAfter == 0 || !strings.Contains(f.Message, text) {
		t.Fatalf("got %v, want a fault with %q", err, text)
	}
}

func TestWritesFailAndRecover(t *testing.T) {
	t.Parallel()
	s, proxy := proxied(t)
	logs := someLogs(20)
	for i, test := range []struct {
		name    string
		fault   clickhousetest.Fault
		message string
	}{
		{"away", clickhousetest.Away, "not available"},
		{"answers 500", clickhousetest.Fails, "not available"},
		{"hangs", clickhousetest.Hangs, "not available"},
		{"disk full", clickhousetest.DiskFull, "disk of the database of request logs is full"},
		{"read-only user", clickhousetest.ReadOnly, "lacks permissions"},
		{"overloaded", clickhousetest.Throws(http.StatusInternalServerError, 252, "TOO_MANY_PARTS", "too many"), "overloaded"},
		{"a keeper that is lost", clickhousetest.Throws(http.StatusInternalServerError, 242, "TABLE_IS_READ_ONLY", "read-only"), "not available"},
	} {
		s.patience.total = 0
		if test.name == "hangs" {
			s.patience.attempt = time.Second
		}
		proxy.Break(test.fault, -1, "INSERT INTO log")
		refuses(t, s, logs[i:i+1], test.message)
		proxy.Heal()
		s.patience = usualPatience
		check.Equal(t, test.name+": logs", countLogs(t, s), int64(i))
		check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs[i : i+1]}))
		check.Equal(t, test.name+": logs afterwards", countLogs(t, s), int64(i+1))
	}
}

// TestLostAnswers repeats every write whose answer was lost: nothing is stored
// twice.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	for name, lost := range map[string]clickhousetest.Fault{
		"lost": clickhousetest.LosesAnswer, "late": clickhousetest.HangsAfterwards, "incomplete": clickhousetest.BreaksOff,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, proxy := proxied(t)
			s.patience.attempt = time.Second
			logs := someLogs(3)
			span := &reqlog.Span{Workspace: logstoretest.Home, TraceID: "t", SpanID: "s", LogSpanID: "s", Kind: reqlog.SpanClient, Status: reqlog.SpanOK}
			for i, statement := range []string{"INSERT INTO term", "INSERT INTO log", "INSERT INTO span"} {
				proxy.Break(lost, 1, statement)
				check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: logs[i : i+1], Spans: []*reqlog.SpanBatch{
					{Workspace: logstoretest.Home, Spans: []*reqlog.Span{span}, Logs: []*reqlog.Log{nil}},
				}}))
			}
			proxy.Break(lost, 1, "INSERT INTO change")
			check.OK(t, s.Write(t.Context(), logstoretest.Annotating(logstoretest.Home, logs[0].ID, reqlog.Annotation{Score: &reqlog.Score{Name: "tone", Value: 5}})))
			check.Equal(t, "logs", countLogs(t, s), int64(3))
			rows := check.Must(clickhousetest.Query(proxy.Address, "SELECT (SELECT count() FROM log), (SELECT count() FROM change), (SELECT count() FROM span FINAL)"))(t)
			check.Equal(t, "rows", rows, "3\t1\t1\n")
		})
	}
}

// TestPatience checks that an attempt without an answer is not the only one.
func TestPatience(t *testing.T) {
	t.Parallel()
	if usualPatience.total < 2*usualPatience.attempt {
		t.Errorf("%s in total, %s for an attempt", usualPatience.total, usualPatience.attempt)
	}
}

// second lets one request pass and then injects a fault.
func second(fault clickhousetest.Fault) clickhousetest.Fault {
	var requests atomic.Int64
	return func(p *clickhousetest.Proxy, w http.ResponseWriter, r *http.Request) {
		if requests.Add(1) == 1 {
			p.Forward(w, r)
			return
		}
		fault(p, w, r)
	}
}

// TestInterruptedEndsOfTraces loses ClickHouse at every insert of a commit that
// closes a trace: the calls that share it can all be repeated.
func TestInterruptedEndsOfTraces(t *testing.T) {
	t.Parallel()
	s, proxy := proxied(t)
	for i, test := range []struct {
		name, statement string
		fault           clickhousetest.Fault
		closed          bool // although the commit failed
	}{
		{"terms", "INSERT INTO term", clickhousetest.Away, false},
		{"spans", "INSERT INTO span", clickhousetest.Away, false},
		{"logs of spans", "INSERT INTO log", clickhousetest.Away, false},
		{"other logs of the span", "SELECT span_key", second(clickhousetest.Away), false},
		{"ends", "INSERT INTO closure", clickhousetest.Away, false},
		{"other logs", "INSERT INTO log", second(clickhousetest.Away), true},
	} {
		id := int64(100 * i)
		proxy.Break(test.fault, -1, test.statement)
		s.patience.total = 0
		if err := s.Write(t.Context(), closing(test.name, id+1)); !fault.Is(err, fault.Unavailable) {
			t.Errorf("%s: %v", test.name, err)
		}
		proxy.Heal()
		s.patience = usualPatience
		repeated := closing(test.name, id+51)
		check.OK(t, s.Write(t.Context(), repeated))
		check.Equal(t, test.name+": logs", countLogs(t, s), int64(2*(i+1)))
		result := repeated.Spans[0].Result
		check.Equal(t, test.name+": was closed", len(result.Closed) == 1, test.closed)
		check.Equal(t, test.name+": is closed", len(result.Closures) == 1, !test.closed)
		trace := check.Must(s.Trace(t.Context(), query.TraceQuery{Workspace: logstoretest.Home, TraceID: test.name, Limit: 5}))(t)
		check.Equal(t, test.name+": end", trace.Closure != nil, true)
		check.Equal(t, test.name+": log of the span", trace.LogIDs[0] > id, true)
	}
}

// closing is a batch of two calls: one logs a request with a word that is new, the
// other sends a span with its log and closes the trace.
func closing(name string, id int64) reqlog.Batch {
	l := *someLogs(1)[0]
	l.ID, l.Index.InputText = id+1, "word"+strconv.FormatInt(id, 10)
	spans := spanWithLog(id, name, reqlog.Closure{Workspace: logstoretest.Home, TraceID: name, At: 5})
	spans.Spans[0].TraceID = name
	return reqlog.Batch{Logs: []*reqlog.Log{&l}, Spans: []*reqlog.SpanBatch{spans}}
}

func TestReadsFail(t *testing.T) {
	t.Parallel()
	s, proxy := proxied(t)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: someLogs(1)}))
	for message, broken := range map[string]clickhousetest.Fault{
		"not available":     clickhousetest.Away,
		"is not available":  clickhousetest.BreaksOff,
		"takes longer than": clickhousetest.Throws(http.StatusInternalServerError, 159, "TIMEOUT_EXCEEDED", "Timeout exceeded"),
		"needs more memory": clickhousetest.Throws(http.StatusInternalServerError, 241, "MEMORY_LIMIT_EXCEEDED", "Query memory limit exceeded"),
		"the password":      clickhousetest.Throws(http.StatusForbidden, 516, "AUTHENTICATION_FAILED", "Authentication failed"),
		"does not exist":    clickhousetest.Throws(http.StatusNotFound, 81, "UNKNOWN_DATABASE", "Database does not exist"),
	} {
		proxy.Break(broken, -1)
		_, err := s.Get(t.Context(), logstoretest.Home, 1)
		if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), message) {
			t.Errorf("got %v, want %q", err, message)
		}
		proxy.Heal()
		check.Equal(t, "logs", countLogs(t, s), int64(1))
	}
}

// TestOpenErrors says what is wrong at the start, without the password.
func TestOpenErrors(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	proxy := clickhousetest.NewProxy(t, address)
	unknown := check.Must(url.Parse(address))(t)
	unknown.User = url.UserPassword(unknown.User.Username(), "not the secret")
	for name, test := range map[string]struct {
		address string
		fault   clickhousetest.Fault
		message string
	}{
		"wrong host":       {address: "clickhouse://tester:secret@127.0.0.1:1/logs", message: "no server answers"},
		"wrong password":   {address: unknown.String(), message: "rejects the user or the password"},
		"missing database": {address: strings.Replace(address, "promptuary_test_", "no_", 1), message: "there is no database no_"},
		"read-only user":   {address: proxy.Address, fault: clickhousetest.ReadOnly, message: "lacks permissions"},
		"an old server":    {address: proxy.Address, fault: clickhousetest.Answers("\x01\tversion()\x06String\x0925.8.1.10"), message: "ClickHouse 25.8.1.10 is too old"},
	} {
		if test.fault != nil {
			proxy.Break(test.fault, -1)
		}
		_, err := Open(t.Context(), test.address, Options{})
		if err == nil || !strings.Contains(err.Error(), test.message) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want %q", name, err, test.message)
		}
	}
}

// TestOtherHosts uses the hosts that answer.
func TestOtherHosts(t *testing.T) {
	t.Parallel()
	proxy := clickhousetest.NewProxy(t, clickhousetest.Start(t))
	s := openAt(t, strings.Replace(proxy.Address, "@", "@127.0.0.1:1,", 1))
	defer closeStore(t, s)
	check.OK(t, s.Write(t.Context(), reqlog.Batch{Logs: someLogs(2)}))
	check.Equal(t, "logs", countLogs(t, s), int64(2))
	proxy.Break(clickhousetest.Away, -1)
	if err := s.Healthy(); !fault.Is(err, fault.Unavailable) {
		t.Errorf("healthy although no host answers: %v", err)
	}
}

// TestInstallation refuses the database of another installation.
func TestInstallation(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	for _, id := range []string{"one", "one", ""} {
		s := check.Must(Open(t.Context(), address, Options{Installation: id}))(t)
		closeStore(t, s)
	}
	if _, err := Open(t.Context(), address, Options{Installation: "two"}); err == nil || !strings.Contains(err.Error(), "belongs to installation one") {
		t.Errorf("another installation: %v", err)
	}
}
