package webhook_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/webhook"
)

// dying is a sender of a process that is lost while the response is on its way.
type dying struct {
	inner webhook.Sender
	sent  chan struct{}
	left  atomic.Int64
}

func (d *dying) Send(ctx context.Context, m webhook.Message) webhook.Attempt {
	done := d.inner.Send(ctx, m)
	if d.left.Add(-1) == 0 {
		close(d.sent)
		<-ctx.Done()
	}
	return done
}

// over lets tests use the sender of the world.
type over func(ctx context.Context, m webhook.Message) webhook.Attempt

func (f over) Send(ctx context.Context, m webhook.Message) webhook.Attempt { return f(ctx, m) }

// TestLostProcess loses the process before it sends anything, and after the target
// got an event but before that is stored. The next one delivers everything.
func TestLostProcess(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w, to := newWorld(t, dsn), newTarget(t)
		hook, _ := w.add(to.url)
		w.publish(w.home, "p")
		check.Equal(t, "before", w.deliveries(hook.ID)[0].State, webhook.Pending)

		lost := &dying{sent: make(chan struct{})}
		lost.left.Store(1)
		lost.inner = over(func(context.Context, webhook.Message) webhook.Attempt {
			response, err := http.Post(to.url, "application/json", http.NoBody)
			check.OK(t, err)
			check.OK(t, response.Body.Close())
			return webhook.Attempt{Status: int64(response.StatusCode)}
		})
		stop := w.begin(w.newService(lost))
		<-lost.sent
		stop()
		defer w.begin(w.service)()
		done := w.settled(hook.ID, 1)[0]
		check.Equal(t, "state", done.State, webhook.Delivered)
		check.Equal(t, "sent", len(to.requests()), 2)
	})
}

// TestSlowTarget delivers to others while a target does not answer.
func TestSlowTarget(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	quick, release := newTarget(t), make(chan struct{})
	slow, _ := w.add("http://127.0.0.1:1/slow")
	fast, _ := w.add(quick.url)
	service := w.newService(over(func(ctx context.Context, m webhook.Message) webhook.Attempt {
		if m.URL == quick.url {
			return webhook.Attempt{Status: http.StatusOK}
		}
		select {
		case <-release:
		case <-ctx.Done():
		}
		return webhook.Attempt{Status: http.StatusOK}
	}))
	defer w.begin(service)()
	for _, name := range []string{"a", "b", "c"} {
		w.publish(w.home, name)
	}
	for _, d := range w.settled(fast.ID, 3) {
		check.Equal(t, "fast", d.State, webhook.Delivered)
	}
	for _, d := range w.deliveries(slow.ID) {
		check.Equal(t, "slow", d.State, webhook.Pending)
	}
	close(release)
	w.settled(slow.ID, 3)
}

// TestDisabled sends nothing to a disabled webhook, and what waited when it is enabled.
func TestDisabled(t *testing.T) {
	t.Parallel()
	w, to := newWorld(t, catalogtest.SQLite(t)), newTarget(t)
	hook, _ := w.add(to.url)
	w.publish(w.home, "waits")
	disable := func(on bool) {
		check.Must(w.service.Update(w.ctx, w.home, hook.ID, func(c *webhook.Content) { c.Enabled = on }))(t)
	}
	disable(false)
	w.publish(w.home, "while disabled")
	check.Fault(t, check.Failure(w.service.Test(w.ctx, w.home, hook.ID)), fault.Conflict)
	check.Fault(t, check.Failure(w.service.Redeliver(w.ctx, w.home, w.deliveries(hook.ID)[0].ID)), fault.Conflict)
	defer w.begin(w.service)()
	disable(true)
	w.settled(hook.ID, 1)
	check.Equal(t, "event", to.requests()[0].event().Details["name"], any("waits"))

	check.Must(w.service.Test(w.ctx, w.home, hook.ID))(t)
	w.settled(hook.ID, 2)
	check.Equal(t, "test", to.requests()[1].event().Type, string(webhook.Test))
	check.OK(t, w.service.Delete(w.ctx, w.home, hook.ID))
	check.Fault(t, check.Failure(w.service.Get(w.ctx, w.home, hook.ID)), fault.NotFound)
}
