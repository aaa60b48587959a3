package live

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ledger counts lookups.
type ledger struct {
	mu    sync.Mutex
	looks map[string]int
	bad   string // the channel that always fails
}

func (l *ledger) Latest(context.Context, int64, string) (int64, bool, error) { return 0, true, nil }

func (l *ledger) Later(_ context.Context, _ int64, channel string, _ int64) ([]int64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looks[channel]++
	if channel == l.bad {
		return nil, errors.New("unreadable")
	}
	return nil, nil
}

func (l *ledger) Message(context.Context, int64, int64) ([]byte, bool, error) { return nil, false, nil }

func (l *ledger) take() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	looks := l.looks
	l.looks = map[string]int{}
	return looks
}

// deaf is a client that ignores messages.
type deaf struct{}

func (deaf) push(string, []byte) {}
func (deaf) dismiss()            {}

// watching runs a test with a server that polls but has no connections.
func watching(t *testing.T, l *ledger, test func(s *Server)) {
	synctest.Test(t, func(t *testing.T) {
		l.looks = map[string]int{}
		s := &Server{
			options: Options{Messages: l}.withDefaults(), log: slog.New(slog.DiscardHandler),
			waiting: newWaiting(), watched: make(chan struct{}),
		}
		s.life, s.end = context.WithCancel(t.Context())
		go s.watch()
		test(s)
		s.end()
		<-s.watched
	})
}

func (s *Server) wait(channel string) *waiter {
	w := &waiter{client: deaf{}, topic: topic{1, channel}}
	s.waiting.add(w, 0, true)
	s.waiting.answered(w)
	return w
}

func TestPollsOnlyAwaitedTopics(t *testing.T) {
	t.Parallel()
	l := &ledger{}
	watching(t, l, func(s *Server) {
		var counts []map[string]int
		pass := func() {
			time.Sleep(10*time.Second + time.Millisecond)
			synctest.Wait()
			counts = append(counts, l.take())
		}
		pass()
		a := s.wait("a")
		alike := s.wait("a")
		pass()
		b := s.wait("b")
		pass()
		s.waiting.remove(a)
		s.waiting.remove(alike)
		s.waiting.remove(alike)
		pass()
		s.waiting.remove(b)
		pass()
		s.waiting.ended(topic{1, "a"}) // no client waits for it
		pass()
		want := []map[string]int{{}, {"a": 20}, {"a": 20, "b": 20}, {"b": 20}, {}, {}}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("lookups per ten seconds (-want +got):\n%s", diff)
		}
	})
}

func TestLooksUpEndedTopicImmediately(t *testing.T) {
	t.Parallel()
	l := &ledger{}
	watching(t, l, func(s *Server) {
		s.wait("a")
		s.wait("b")
		synctest.Wait()
		s.waiting.ended(topic{1, "b"})
		s.waiting.ended(topic{2, "a"}) // of another workspace
		synctest.Wait()
		if diff := cmp.Diff(map[string]int{"b": 1}, l.take()); diff != "" {
			t.Errorf("lookups (-want +got):\n%s", diff)
		}
	})
}

func TestFailingTopicDoesNotBlockOthers(t *testing.T) {
	t.Parallel()
	l := &ledger{bad: "bad"}
	watching(t, l, func(s *Server) {
		for _, channel := range []string{"a", "b", "bad", "c"} {
			s.wait(channel)
		}
		time.Sleep(1001 * time.Millisecond)
		synctest.Wait()
		if diff := cmp.Diff(map[string]int{"a": 2, "b": 2, "bad": 2, "c": 2}, l.take()); diff != "" {
			t.Errorf("lookups in a second (-want +got):\n%s", diff)
		}
	})
}

// records is a client that records its messages.
type records struct{ got []string }

func (r *records) push(_ string, data []byte) { r.got = append(r.got, string(data)) }
func (r *records) dismiss()                   { r.got = append(r.got, "dismissed") }

func TestMessagesComeOnceAfterAcknowledgement(t *testing.T) {
	t.Parallel()
	here := topic{1, "a"}
	type steps = []func(l *waiting, w *waiter)
	one := func(l *waiting, w *waiter) { l.add(w, 1, false) }
	several := func(l *waiting, w *waiter) { l.add(w, 1, true) }
	remove := func(l *waiting, w *waiter) { l.remove(w) }
	answer := func(l *waiting, w *waiter) { l.answered(w) }
	// sees settles a lookup of runs above a number.
	sees := func(than int64, later []int64, found map[int64][]byte) func(l *waiting, _ *waiter) {
		return func(l *waiting, _ *waiter) { l.settle(here, &look{than: than, later: later, found: found}) }
	}
	ends := func(numbers ...int64) map[int64][]byte {
		found := map[int64][]byte{}
		for _, number := range numbers {
			found[number] = []byte(strconv.FormatInt(number, 10))
		}
		return found
	}
	end := sees(1, nil, ends(1))
	gone := sees(1, nil, map[int64][]byte{1: nil})
	cases := []struct {
		name  string
		steps steps
		want  []string
	}{
		{"end after the answer", steps{one, answer, end, end}, []string{"1"}},
		{"end before the answer", steps{one, end, answer, end}, []string{"1"}},
		{"end seen twice", steps{one, end, end, answer}, []string{"1"}},
		{"not answered", steps{one, end}, nil},
		{"gone before the answer", steps{one, end, remove, answer}, nil},
		{"gone before the end", steps{one, answer, remove, end}, nil},
		{"nothing is left from the last time", steps{one, end, remove, one, answer}, nil},
		{"again", steps{one, answer, end, one, end, answer}, []string{"1", "1"}},
		{"deleted", steps{one, answer, gone, end}, []string{"dismissed"}},
		{"deleted after the end", steps{one, answer, end, gone}, []string{"1"}},
		{"one of several", steps{several, answer, end, end}, []string{"1"}},
		{"a deleted one of several", steps{several, answer, gone, sees(1, []int64{2}, ends(2))}, []string{"2"}},
		{"several in their order", steps{several, answer, sees(1, []int64{2, 4}, ends(1, 2, 4))}, []string{"1", "2", "4"}},
		{"several as they end", steps{several, answer, sees(1, []int64{2, 3}, ends(3)), sees(3, nil, ends(2)), end, sees(1, []int64{2, 3}, ends(1, 2, 3))}, []string{"3", "2", "1"}},
		{"several before the answer", steps{several, sees(1, []int64{2}, ends(1)), sees(2, nil, ends(2)), answer}, []string{"1", "2"}},
		{"a look that knows of less", steps{several, answer, sees(1, []int64{2}, nil), sees(0, []int64{1, 2}, ends(1))}, []string{"1"}},
		{"a look that leaves some out", steps{several, answer, sees(2, []int64{3}, ends(3)), sees(1, []int64{2, 3}, ends(2, 3))}, []string{"2", "3"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l, far := newWaiting(), &records{}
			w := &waiter{client: far, topic: here}
			for _, step := range c.steps {
				step(l, w)
			}
			if !slices.Equal(far.got, c.want) {
				t.Errorf("messages = %q, want %q", far.got, c.want)
			}
			l.remove(w)
			if l.anybody() || len(l.due) > 0 {
				t.Error("the client still waits")
			}
		})
	}
}

// A client that waits for many runs gets all messages, in several lookups.
func TestOpenRunsAreLimited(t *testing.T) {
	t.Parallel()
	here := topic{1, "a"}
	l, far := newWaiting(), &records{}
	w := &waiter{client: far, topic: here}
	l.add(w, 0, true)
	l.answered(w)
	const many = 3 * maxOpen
	begun := func(than int64) (later []int64) {
		for number := than + 1; number <= many; number++ {
			later = append(later, number)
		}
		return later
	}
	for range many + 1 {
		seen := l.look(here)
		if seen.later = begun(seen.than); len(seen.open) > maxOpen {
			t.Fatalf("%d open runs", len(seen.open))
		}
		if len(seen.open) > 0 {
			seen.found[seen.open[0]] = []byte(strconv.FormatInt(seen.open[0], 10))
		}
		l.settle(here, seen)
	}
	for i, got := range far.got {
		if got != strconv.Itoa(i+1) {
			t.Fatalf("message %d is %s", i+1, got)
		}
	}
	if len(far.got) != many {
		t.Errorf("%d messages, want %d", len(far.got), many)
	}
}
