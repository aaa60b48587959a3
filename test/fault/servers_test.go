package fault

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestTwoServers kills and suspends two servers that share a PostgreSQL catalog,
// one at a time or both. The other one continues, and takes over the runs.
func TestTwoServers(t *testing.T) {
	t.Parallel()
	c := newPair(t)
	err := c.run(*from, *from+*pairs)
	t.Logf("seed %d, %d faults of two servers in %s: %s; %s; %s",
		*seed, c.steps, time.Since(begun).Round(time.Second), c.servers[0].model.figures, c.servers[1].model.figures, c.runs)
	if err != nil {
		t.Errorf("%v\nreproduce with -seed %d -from %d -pairs %d", err, *seed, *from, c.steps)
	}
}

// pair is two servers with the same catalog. Each has its own request logs.
type pair struct {
	servers [2]*server
	runs    *runs
	steps   int
}

// server is one of several with the same catalog.
type server struct {
	launch  launch
	model   *model
	process *process // nil: it is not running
	load    *load
}

func newPair(t *testing.T) *pair {
	t.Helper()
	dsn, first := startPostgres(t).dsn(), newModel()
	c := &pair{runs: newRuns(t)}
	for i := range c.servers {
		s := &server{launch: launch{
			program: programPath(t), data: filepath.Join(t.TempDir(), "data"), catalog: dsn,
			options: append([]string{"--logs", "duckdb-per-server"}, common...),
		}, model: first.newModel()}
		c.servers[i] = s
		t.Cleanup(func() {
			if s.process != nil {
				s.process.kill()
			}
		})
	}
	return c
}

// run lets faults strike the servers. At the end only one of them is running,
// and must complete the runs of both.
func (c *pair) run(from, to int) error {
	for step := from; step < to && !timeUp(); step++ {
		c.steps++
		random := rand.New(rand.NewPCG(*seed, uint64(step)|1<<42))
		if err := c.life(fmt.Sprint("life-", step), random); err != nil {
			return fmt.Errorf("seed %d, step %d of two servers: %w", *seed, step, err)
		}
	}
	return c.finish()
}

// finish lets one server complete the runs of both, and checks everything.
func (c *pair) finish() error {
	left := c.servers[c.steps%2]
	c.kill(c.servers[(c.steps+1)%2])
	if err := left.start(nil); err != nil {
		return err
	}
	if err := c.runs.awaitAll(left.process.client); err != nil {
		return err
	}
	if err := c.start(nil); err != nil {
		return err
	}
	for _, s := range c.servers {
		if err := errors.Join(s.model.checkEverything(s.process.client, lossy{}), s.process.stop(), s.process.checkOutput()); err != nil {
			return err
		}
	}
	return nil
}

// life starts the servers, checks what the previous fault has left, and lets the
// next one strike.
func (c *pair) life(tag string, random *rand.Rand) error {
	if err := c.start(random); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	return c.strike(tag, random)
}

// start starts the servers that are not running, with different clocks.
func (c *pair) start(random *rand.Rand) error {
	for _, s := range c.servers {
		if err := s.start(random); err != nil {
			return err
		}
	}
	return nil
}

// start starts the server, unless it is running. Without random it has the clock
// of the machine.
func (s *server) start(random *rand.Rand) (err error) {
	if s.process != nil && !s.process.hasExited() {
		return nil
	}
	launched := s.launch
	if random != nil && canStepClocks() {
		launched.skew = new(skew(random))
	}
	s.process, err = launched.start()
	return err
}

func (c *pair) check() error {
	var err error
	for _, s := range c.servers {
		err = errors.Join(err, s.model.check(s.process.client, lossy{}))
	}
	return errors.Join(err, c.runs.check())
}

// strike puts load on both servers and lets a fault strike one or both. The other
// one must not refuse a request.
func (c *pair) strike(tag string, random *rand.Rand) error {
	for i, s := range c.servers {
		s.load = startLoad(s.process.client, s.model, fmt.Sprintf("%s-server-%d", tag, i), random)
		s.load.run(func() error { return c.runs.begin(s.load) })
	}
	for _, s := range c.servers {
		s.load.waitReached(s.process)
	}
	victim := c.servers[random.IntN(2)]
	pause := time.Duration(random.Int64N(int64(300 * time.Millisecond)))
	switch random.IntN(4) {
	case 0:
		victim.process.signal(syscall.SIGSTOP)
		time.Sleep(pause)
		victim.process.signal(syscall.SIGCONT)
		time.Sleep(pause)
	case 1:
		c.kill(c.servers[0], c.servers[1])
	default:
		c.kill(victim)
		time.Sleep(pause) // the other one works alone
	}
	var err error
	for _, s := range c.servers {
		err = errors.Join(err, s.load.end(), s.process.checkOutput())
	}
	return err
}

func (c *pair) kill(servers ...*server) {
	for _, s := range servers {
		if s.process == nil || s.process.hasExited() {
			continue
		}
		s.process.kill()
		s.model.figures.countKill(s.process)
	}
}
