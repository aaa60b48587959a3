package live

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

// ledger counts the looks.
type ledger struct {
	mu    sync.Mutex
	looks map[string]int
	bad   string // the channel that always fails
}

func (l *ledger) Message(_ context.Context, _ int64, channel string) ([]byte, bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.looks[channel]++
	if channel == l.bad {
		return nil, false, errors.New("unreadable")
	}
	return nil, false, nil
}

func (l *ledger) take() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	looks := l.looks
	l.looks = map[string]int{}
	return looks
}

// deaf is a client of which nothing is wanted.
type deaf struct{}

func (deaf) push(string, []byte) {}
func (deaf) dismiss()            {}

// watching runs test with a server that has no connections but watches.
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
	s.waiting.add(w)
	s.waiting.answered(w, nil)
	return w
}

func TestOnlyWhatIsWaitedForIsLookedAt(t *testing.T) {
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
		s.waiting.ended(topic{1, "a"}) // for which nobody waits
		pass()
		want := []map[string]int{{}, {"a": 20}, {"a": 20, "b": 20}, {"b": 20}, {}, {}}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("looks in ten seconds each (-want +got):\n%s", diff)
		}
	})
}

func TestWhatEndedHereIsLookedAtAtOnce(t *testing.T) {
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
			t.Errorf("looks (-want +got):\n%s", diff)
		}
	})
}

func TestOneUnreadableTopicDoesNotHideOthers(t *testing.T) {
	t.Parallel()
	l := &ledger{bad: "bad"}
	watching(t, l, func(s *Server) {
		for _, channel := range []string{"a", "b", "bad", "c"} {
			s.wait(channel)
		}
		time.Sleep(1001 * time.Millisecond)
		synctest.Wait()
		if diff := cmp.Diff(map[string]int{"a": 2, "b": 2, "bad": 2, "c": 2}, l.take()); diff != "" {
			t.Errorf("looks in a second (-want +got):\n%s", diff)
		}
	})
}

// records is a client that keeps what it is sent.
type records struct{ got []string }

func (r *records) push(_ string, data []byte) { r.got = append(r.got, string(data)) }
func (r *records) dismiss()                   { r.got = append(r.got, "dismissed") }

func TestMessagesComeOnceAndAfterTheAnswer(t *testing.T) {
	t.Parallel()
	here := topic{1, "a"}
	type steps = []func(l *waiting, w *waiter)
	add := func(l *waiting, w *waiter) { l.add(w) }
	remove := func(l *waiting, w *waiter) { l.remove(w) }
	settle := func(l *waiting, _ *waiter) { l.settle(here, []byte("end")) }
	dismiss := func(l *waiting, _ *waiter) { l.dismiss(here) }
	running := func(l *waiting, w *waiter) { l.answered(w, nil) }
	late := func(l *waiting, w *waiter) { l.answered(w, []byte("end")) }
	cases := []struct {
		name  string
		steps steps
		want  []string
	}{
		{"end after the answer", steps{add, running, settle, settle}, []string{"end"}},
		{"end before the answer", steps{add, settle, running, settle}, []string{"end"}},
		{"end seen twice", steps{add, settle, late, settle}, []string{"end"}},
		{"late", steps{add, late, settle}, []string{"end"}},
		{"not answered", steps{add, settle}, nil},
		{"gone before the answer", steps{add, settle, remove, running}, nil},
		{"gone before the end", steps{add, running, remove, settle}, nil},
		{"nothing is left from the last time", steps{add, settle, remove, add, running}, nil},
		{"again", steps{add, late, add, settle, running}, []string{"end", "end"}},
		{"dismissed", steps{add, running, dismiss, settle}, []string{"dismissed"}},
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
				t.Errorf("the client was sent %q, want %q", far.got, c.want)
			}
			l.remove(w)
			if l.anybody() || len(l.due) > 0 {
				t.Error("the client is still remembered")
			}
		})
	}
}
