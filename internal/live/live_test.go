package live_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/live"
)

// channels has a channel of each form that clients use.
var channels = []string{"workflow_updates:42", "workflows:5:run:b1946ac9"}

func TestEarlySubscriber(t *testing.T) {
	t.Parallel()
	for _, channel := range channels {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			d := newDesk()
			d.set(home, channel, "")
			s := serve(t, live.Options{Messages: d})
			c := s.connect(t, home, channel)
			if r := c.subscribe(channel); r.Subscribe == nil {
				t.Fatalf("subscribe: %+v", r)
			}
			d.set(home, channel, message("done"))
			s.Ended(home, channel)
			c.expect(channel, message("done"))
		})
	}
}

func TestLateSubscriber(t *testing.T) {
	t.Parallel()
	for _, channel := range channels {
		t.Run(channel, func(t *testing.T) {
			t.Parallel()
			d := newDesk()
			d.set(home, channel, message("done"))
			s := serve(t, live.Options{Messages: d})
			c := s.connect(t, home, channel)
			for range 2 { // a second subscription gets the message again
				if r := c.subscribe(channel); r.Subscribe == nil {
					t.Fatalf("subscribe: %+v", r)
				}
				c.expect(channel, message("done"))
			}
		})
	}
}

// Clients may reuse a channel name for several runs.
func TestLateSubscriberGetsLatestRun(t *testing.T) {
	t.Parallel()
	const channel = "workflows:5:run:again"
	d := newDesk()
	d.end(d.begin(home, channel), message("first"))
	d.end(d.begin(home, channel), message("second"))
	s := serve(t, live.Options{Messages: d})
	c := s.connect(t, home, channel)
	c.subscribe(channel)
	c.expect(channel, message("second"))
	third := d.begin(home, channel)
	c.subscribe(channel)
	d.end(third, message("third"))
	s.Ended(home, channel)
	c.expect(channel, message("third"))
}

func TestSubscriberGetsEachRunOnce(t *testing.T) {
	t.Parallel()
	cases := map[string]time.Duration{"pushed": never, "polled": time.Millisecond}
	for name, poll := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const channel = "workflows:5:run:again"
			d := newDesk()
			s := serve(t, live.Options{Messages: d, Poll: poll})
			end := func(run int, output string) {
				d.end(run, message(output))
				if poll == never {
					s.Ended(home, channel)
				}
			}
			early := s.connect(t, home, channel)
			early.subscribe(channel)
			end(d.begin(home, channel), "first")
			early.next(channel, message("first"))
			late := s.connect(t, home, channel)
			late.subscribe(channel)
			late.next(channel, message("first"))
			second, third := d.begin(home, channel), d.begin(home, channel)
			for _, run := range []struct {
				number int
				output string
			}{{third, "third"}, {second, "second"}, {d.begin(home, channel), "fourth"}} {
				end(run.number, run.output)
				early.next(channel, message(run.output))
				late.next(channel, message(run.output))
			}
			early.unsubscribe(channel) // nothing came before the reply
			late.unsubscribe(channel)
		})
	}
}

// A channel of a single run needs no more lookups after its end.
func TestSingleRunEndsWaiting(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, message("done"))
	s := serve(t, live.Options{Messages: d, Poll: time.Millisecond})
	c := s.connect(t, home, channel)
	c.subscribe(channel)
	c.next(channel, message("done"))
	d.forget(home, channel)
	c.unsubscribe(channel) // it was not dismissed
}

func TestConnectReply(t *testing.T) {
	t.Parallel()
	s := serve(t, live.Options{Messages: newDesk()})
	c := s.dial(t)
	r := c.do("connect", map[string]any{"token": s.Token(home, "a").Token})
	if r.Connect == nil || r.Connect.Client == "" {
		t.Fatalf("connect: %+v", r)
	}
	r.Connect.Client = nil
	if diff := cmp.Diff([]any{"promptuary", 25.0, true}, []any{r.Connect.Version, r.Connect.Ping, r.Connect.Pong}); diff != "" {
		t.Errorf("version, ping and pong (-want +got):\n%s", diff)
	}
}

func TestEndInAnotherProcess(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	here := serve(t, live.Options{Messages: d, Poll: time.Millisecond})
	there := serve(t, live.Options{Messages: d})
	c := here.dial(t)
	// The other process also issued the token.
	if r := c.do("connect", map[string]any{"token": there.Token(home, channel).Token}); r.Connect == nil {
		t.Fatalf("connect: %+v", r)
	}
	c.subscribe(channel)
	d.set(home, channel, message("done"))
	there.Ended(home, channel)
	c.expect(channel, message("done"))
}

func TestEndIsFoundAfterFailures(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	s := serve(t, live.Options{Messages: d, Poll: time.Millisecond})
	c := s.connect(t, home, channel)
	c.subscribe(channel)
	d.change(nil, true)
	d.set(home, channel, message("done"))
	s.Ended(home, channel)
	d.change(errors.New("store unavailable"), false)
	s.Ended(home, channel)
	d.change(nil, false)
	c.expect(channel, message("done"))
}

func TestDeletedWhileWaiting(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	s := serve(t, live.Options{Messages: d, Poll: time.Millisecond})
	c := s.connect(t, home, channel)
	c.subscribe(channel)
	d.forget(home, channel)
	if code := c.closed(); code != 4504 {
		t.Errorf("close code = %d, want 4504", code)
	}
}

func TestWorkspacesAreSeparate(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	d.set(away, channel, "")
	s := serve(t, live.Options{Messages: d})
	ours, theirs := s.connect(t, home, channel), s.connect(t, away, channel)
	ours.subscribe(channel)
	theirs.subscribe(channel)
	d.set(away, channel, message("theirs"))
	s.Ended(away, channel)
	theirs.expect(channel, message("theirs"))
	d.set(home, channel, message("ours"))
	s.Ended(home, channel)
	ours.expect(channel, message("ours"))
}

func TestUnsubscribedClientsGetNothing(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	s := serve(t, live.Options{Messages: d})
	gone, stays := s.connect(t, home, channel), s.connect(t, home, channel)
	gone.subscribe(channel)
	stays.subscribe(channel)
	gone.unsubscribe(channel)
	d.set(home, channel, message("done"))
	s.Ended(home, channel)
	stays.expect(channel, message("done"))
	gone.unsubscribe(channel) // nothing came before its reply
	gone.subscribe(channel)
	gone.expect(channel, message("done"))
}

// TestEndRightAfterLookup ends a run between the lookup of a subscription and
// its reply.
func TestEndRightAfterLookup(t *testing.T) {
	t.Parallel()
	const channel = "workflow_updates:42"
	d := newDesk()
	d.set(home, channel, "")
	s := serve(t, live.Options{Messages: d})
	c := s.connect(t, home, channel)
	d.afterLook(func() {
		d.set(home, channel, message("done"))
		s.Ended(home, channel)
	})
	if r := c.subscribe(channel); r.Subscribe == nil {
		t.Fatalf("subscribe: %+v", r)
	}
	c.expect(channel, message("done"))
}

// TestEndDuringSubscription ends a run while clients subscribe. Each client
// gets the message exactly once.
func TestEndDuringSubscription(t *testing.T) {
	t.Parallel()
	cases := map[string]time.Duration{"pushed": never, "pushed and polled": time.Millisecond}
	for name, poll := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const rounds = 400
			d := newDesk()
			s := serve(t, live.Options{Messages: d, Poll: poll})
			clients := []*client{s.connect(t, home, channels[0]), s.connect(t, home, channels[0]), s.connect(t, home, channels[0])}
			for range rounds {
				endDuringSubscription(t, d, s, clients)
			}
		})
	}
}

func endDuringSubscription(t *testing.T, d *desk, s site, clients []*client) {
	t.Helper()
	channel := channels[0]
	d.set(home, channel, "")
	var ended sync.WaitGroup
	ended.Go(func() {
		d.set(home, channel, message("done"))
		s.Ended(home, channel)
	})
	for _, c := range clients {
		c.send("subscribe", map[string]any{"channel": channel})
	}
	for _, c := range clients {
		if r := c.read(); r.Subscribe == nil {
			t.Fatalf("subscribe: %+v", r)
		}
		c.expect(channel, message("done"))
	}
	ended.Wait()
}
