package remote_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/outbound"
)

// server answers calls with a handler. waits are how long the client waited.
type server struct {
	*remote.Client
	calls int
	waits []time.Duration
}

func newServer(t *testing.T, answer func(call int, w http.ResponseWriter, r *http.Request)) *server {
	t.Helper()
	s := &server{}
	there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.calls++
		answer(s.calls, w, r)
	}))
	t.Cleanup(there.Close)
	calls := outbound.New(outbound.Options{Allow: check.Must(outbound.ParseAllowed("127.0.0.1"))(t), MaxBytes: 64 << 20})
	t.Cleanup(calls.Close)
	s.Client = remote.New(remote.Options{Address: there.URL + "/", Key: "pl_there", Calls: calls, Every: time.Nanosecond, Wait: func(_ context.Context, d time.Duration) error {
		if d > time.Millisecond { // not the pace
			s.waits = append(s.waits, d)
		}
		return nil
	}})
	return s
}

// TestWaitsAsLongAsAsked obeys Retry-After in both forms, and waits longer from attempt
// to attempt without it.
func TestWaitsAsLongAsAsked(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(call int, w http.ResponseWriter, _ *http.Request) {
		switch call {
		case 1:
			w.Header().Set("Retry-After", "90")
			w.WriteHeader(http.StatusTooManyRequests)
		case 2, 3:
			w.WriteHeader(http.StatusBadGateway)
		case 4:
			w.Header().Set("Retry-After", time.Now().Add(time.Minute).UTC().Format(http.TimeFormat))
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			_, _ = w.Write([]byte(`{"items":[],"total":7,"pages":1}`))
		}
	})
	total := check.Must(s.CountLogs(t.Context(), time.Time{}, time.Now()))(t)
	check.Equal(t, "total", total, 7)
	check.Equal(t, "waits", len(s.waits), 4)
	check.Equal(t, "asked in seconds", s.waits[0], 90*time.Second)
	check.Equal(t, "doubled", s.waits[1:3], []time.Duration{time.Second, 2 * time.Second})
	if until := s.waits[3]; until < 50*time.Second || until > time.Minute {
		t.Errorf("it waited %v for a time a minute later", until)
	}
}

// TestGivesUp ends after some attempts, at once if the server refuses.
func TestGivesUp(t *testing.T) {
	t.Parallel()
	busy := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) })
	_, err := busy.CountLogs(t.Context(), time.Time{}, time.Now())
	if _, ok := errors.AsType[*remote.UnreachableError](err); !ok || busy.calls != 10 {
		t.Errorf("%d calls: %v", busy.calls, err)
	}
	page := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) })
	_, err = page.CountLogs(t.Context(), time.Time{}, time.Now())
	check.Equal(t, "no JSON", err.Error(), "The server does not answer: the answer is not valid JSON")
	for status, want := range map[int]string{
		http.StatusUnauthorized: "The server refuses the API key: a bc",
		http.StatusBadRequest:   "The server answers with 400: a bc",
		http.StatusFound:        "The server answers with 302: a bc",
	} {
		s := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(`{"message":"a b\u0000c"}`))
		})
		_, err := s.CountLogs(t.Context(), time.Time{}, time.Now())
		check.Equal(t, "error", err.Error(), want)
		check.Equal(t, "calls", s.calls, 1)
	}
}

// TestEndlessPages ends at a page with nothing on it, whatever the number of pages is
// said to be, and refuses what is too much.
func TestEndlessPages(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(call int, w http.ResponseWriter, _ *http.Request) {
		items := fmt.Sprintf(`{"id":%d,"version_number":%d},`, call, call)
		if call > 3 {
			items = ""
		}
		_, _ = fmt.Fprintf(w, `{"datasets":[%s],"pages":1000000000}`, strings.TrimSuffix(items, ","))
	})
	check.Equal(t, "versions", len(check.Must(s.DatasetVersions(t.Context(), remote.Object{ID: 1}))(t)), 3)
	check.Equal(t, "calls", s.calls, 4)

	many := newServer(t, func(call int, w http.ResponseWriter, _ *http.Request) {
		var items []string
		for n := range 100 {
			items = append(items, fmt.Sprintf(`{"id":%d,"version_number":1}`, call*100+n))
		}
		_, _ = fmt.Fprintf(w, `{"datasets":[%s],"pages":1000000000}`, strings.Join(items, ","))
	})
	_, err := many.DatasetVersions(t.Context(), remote.Object{ID: 1})
	if _, ok := errors.AsType[*remote.RefusedError](err); !ok {
		t.Errorf("endless versions: %v", err)
	}
	objects := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"entities":[` + strings.Repeat("{},", 100_000) + `{}]}`))
	})
	_, err = objects.Objects(t.Context(), []remote.Kind{remote.Prompt})
	if _, ok := errors.AsType[*remote.ClosedError](err); !ok {
		t.Errorf("too many objects: %v", err)
	}
}

// TestLargePages reads a page of large request logs in parts, and leaves out those that
// are too large.
func TestLargePages(t *testing.T) {
	t.Parallel()
	s := newServer(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		size := 9 << 20
		switch path := r.URL.Path; {
		case strings.HasSuffix(path, "/search"):
			_, _ = w.Write([]byte(`{"items":[{"id":1},{"id":2},{"id":3},{"id":4}],"total":4,"pages":1}`))
			return
		case strings.HasSuffix(path, "/3"):
			size = 17 << 20
		case strings.HasSuffix(path, "/4"):
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte(`{"prompt_blueprint":{"prompt_template":{"type":"chat","messages":[{"role":"user","content":"` + strings.Repeat("a", size) + `"}]}}}`))
	})
	seen := map[string]bool{}
	read := func() string {
		page := check.Must(s.Logs(t.Context(), time.Time{}, time.Now(), 1, func(id string) bool { return seen[id] }))(t)
		found := ""
		for _, l := range page.Logs {
			seen[l.ID] = true
			found += fmt.Sprintf("%s %v %v %v, ", l.ID, len(l.Text) > 9<<20, l.TooLong, l.Gone)
		}
		return found + fmt.Sprint(page.Whole, page.Last)
	}
	check.Equal(t, "the first part", read(), "1 true false false, 2 true false false, false false")
	check.Equal(t, "the rest", read(), "3 false true false, 4 false false true, true true")

	many := newServer(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"items":[` + strings.Repeat(`{"id":1},`, 25) + `{"id":2}],"total":4,"pages":1}`))
	})
	_, err := many.Logs(t.Context(), time.Time{}, time.Now(), 1, func(string) bool { return false })
	if _, ok := errors.AsType[*remote.ClosedError](err); !ok {
		t.Errorf("a page with too much on it: %v", err)
	}
}

// TestGuard does not call what must not be called.
func TestGuard(t *testing.T) {
	t.Parallel()
	calls := outbound.New(outbound.Options{})
	t.Cleanup(calls.Close)
	c := remote.New(remote.Options{Address: "http://127.0.0.1:9", Key: "pl_there", Calls: calls})
	_, err := c.Objects(t.Context(), []remote.Kind{remote.Prompt})
	if _, ok := errors.AsType[*remote.ClosedError](err); !ok {
		t.Errorf("a private address: %v", err)
	}
}
