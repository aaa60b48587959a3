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

// TestCrashes kills the program again and again while many clients write, and
// looks after each new start whether everything that was acknowledged is there,
// once, and is found.
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
	c.ledger.checked, c.ledger.highest = 0, 0 // look at everything once more
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

// start starts the program; every third time only after a start that was
// killed on its way.
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

// live lets clients write until enough is acknowledged, and kills the program
// in the midst of it; every fourth time while it stops in good order.
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

// killWithin kills the program after a moment that is drawn at random: a crash
// can come at any point of what it does.
func (p *program) killWithin(random *rand.Rand, longest time.Duration) {
	moment := time.Duration(random.Int64N(int64(longest)))
	select {
	case <-time.After(moment):
	case <-p.exited:
	}
	p.kill()
}
