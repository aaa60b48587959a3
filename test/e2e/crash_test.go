package e2e

import (
	"math/rand/v2"
	"net/http"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	crashes      = 24
	crashClients = 16
	crashSeed    = 20260102
)

// TestCrashes repeatedly kills the server while many clients write. After each
// restart it checks that every acknowledged log is stored exactly once and
// found by searches.
func TestCrashes(t *testing.T) {
	t.Parallel()
	c := &crashRun{t: t, data: t.TempDir(), random: rand.New(rand.NewPCG(crashSeed, 1)), ledger: &ledger{}}
	for life := range crashes {
		p := c.start(life)
		if c.groups == nil {
			c.groups = []int64{createGroup(t, p.client), createGroup(t, p.client)}
		}
		c.verify(p, life)
		c.live(p, life)
	}
	p := start(t, c.data)
	c.verify(p, crashes)
	p.stop()

	p = start(t, c.data)
	c.ledger.checked, c.ledger.highest = 0, 0 // check everything again
	c.verify(p, crashes+1)
	t.Logf("%d logs over %d crashes", len(c.ledger.known), crashes)
}

func createGroup(t *testing.T, c *client) int64 {
	t.Helper()
	return mustDecode[created](t, c.post(t, "/create-group", object{}, http.StatusOK)).ID
}

type crashRun struct {
	t      *testing.T
	data   string
	random *rand.Rand
	ledger *ledger
	groups []int64
}

// start starts the server; every third time it first kills a start in progress.
func (c *crashRun) start(life int) *program {
	c.t.Helper()
	if life%3 == 2 {
		p := setup{data: c.data}.launch(c.t)
		p.killWithin(c.random, 150*time.Millisecond)
	}
	return start(c.t, c.data)
}

func (c *crashRun) verify(p *program, life int) {
	c.t.Helper()
	if err := c.ledger.verify(p.client); err != nil {
		c.t.Fatalf("after crash %d: %v", life, err)
	}
}

// live lets clients write until enough is acknowledged, and then kills the
// server; every fourth time during a graceful stop.
func (c *crashRun) live(p *program, life int) {
	c.t.Helper()
	enough := len(c.ledger.known) + 20 + c.random.IntN(200)
	reached, stop := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var workers errgroup.Group
	for number := range crashClients {
		w := &worker{
			client: p.client, ledger: c.ledger, groups: c.groups, stop: stop,
			random: rand.New(rand.NewPCG(crashSeed, uint64(life*crashClients+number)+2)),
			acknowledged: func(total int) {
				if total >= enough {
					once.Do(func() { close(reached) })
				}
			},
		}
		workers.Go(func() error {
			err := w.run()
			if err != nil {
				once.Do(func() { close(reached) })
			}
			return err
		})
	}
	select {
	case <-reached:
	case <-time.After(patience):
		c.t.Error("too few logs were acknowledged")
	}
	if life%4 == 3 {
		p.signal(syscall.SIGTERM)
		p.killWithin(c.random, 60*time.Millisecond)
	} else {
		p.killWithin(c.random, 5*time.Millisecond)
	}
	close(stop)
	if err := workers.Wait(); err != nil {
		c.t.Fatalf("before crash %d: %v", life, err)
	}
}

// killWithin kills the server after a random delay, so that it can crash at any
// point.
func (p *program) killWithin(random *rand.Rand, longest time.Duration) {
	moment := time.Duration(random.Int64N(int64(longest)))
	select {
	case <-time.After(moment):
	case <-p.exited:
	}
	p.kill()
}
