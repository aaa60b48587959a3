package fault

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// TestThreeServers kills one of three servers that share a PostgreSQL catalog and
// the request logs in ClickHouse, and suspends or stops another one. The third goes
// on, and has what the others acknowledged.
func TestThreeServers(t *testing.T) {
	t.Parallel()
	c := newTrio(t)
	err := c.run(*from, *from+*trios)
	t.Logf("seed %d, %d faults of three servers in %s: %s; %s", *seed, c.steps, time.Since(begun).Round(time.Second), c.model.figures, c.runs)
	if err != nil {
		t.Errorf("%v\nreproduce with -seed %d -from %d -trios %d", err, *seed, *from, c.steps)
	}
}

// trio is three servers with the same catalog and the same request logs. Any of
// them has everything in the model.
type trio struct {
	logs    string // the address of the database
	servers [3]*server
	model   *model
	runs    *runs
	steps   int
}

func newTrio(t *testing.T) *trio {
	t.Helper()
	dsn := startPostgres(t).dsn()
	c := &trio{logs: clickhousetest.Start(t), model: newModel(), runs: newRuns(t)}
	for i := range c.servers {
		if i > 0 {
			c.model.addPublishers()
		}
		s := &server{launch: launch{
			program: programPath(t), data: filepath.Join(t.TempDir(), "data"), catalog: dsn,
			options: append([]string{"--logs", c.logs}, common...),
		}, model: c.model}
		c.servers[i] = s
		t.Cleanup(func() {
			if s.process != nil {
				s.process.kill()
			}
		})
	}
	return c
}

// run lets faults strike the servers. At the end one of them completes the runs
// of all, and each is compared with everything that was sent.
func (c *trio) run(from, to int) error {
	for step := from; step < to && !timeUp(); step++ {
		c.steps++
		random := rand.New(rand.NewPCG(*seed, uint64(step)|1<<43))
		if err := c.life(fmt.Sprint("life-", step), random); err != nil {
			return fmt.Errorf("seed %d, step %d of three servers: %w", *seed, step, err)
		}
	}
	return c.finish()
}

func (c *trio) finish() error {
	if err := c.start(nil); err != nil {
		return err
	}
	if err := c.runs.awaitAll(c.servers[0].process.client); err != nil {
		return err
	}
	for _, s := range c.servers {
		if err := errors.Join(c.model.checkEverything(s.process.client, lossy{}), s.process.stop(), s.process.checkOutput()); err != nil {
			return err
		}
	}
	return nil
}

func (c *trio) start(random *rand.Rand) error {
	for _, s := range c.servers {
		if err := s.start(random); err != nil {
			return err
		}
	}
	return nil
}

// life starts the servers that are not running, and lets a fault strike. Then the
// server that nothing happened to has everything that any of them acknowledged.
func (c *trio) life(tag string, random *rand.Rand) error {
	if err := c.start(random); err != nil {
		return err
	}
	order := random.Perm(len(c.servers))
	killed, disturbed, spared := c.servers[order[0]], c.servers[order[1]], c.servers[order[2]]
	if err := c.strike(tag, random, killed, disturbed); err != nil {
		return err
	}
	if err := c.awaitInserts(); err != nil {
		return err
	}
	if err := c.resend(spared); err != nil {
		return err
	}
	return errors.Join(c.model.check(spared.process.client, lossy{}), c.runs.check(), spared.process.checkOutput(), disturbed.process.checkOutput())
}

// strike puts load on the servers, kills one of them and suspends or stops another.
// The others must not refuse a request.
func (c *trio) strike(tag string, random *rand.Rand, killed, disturbed *server) error {
	var clients []*client
	for _, s := range c.servers {
		clients = append(clients, s.process.client)
	}
	for i, s := range c.servers {
		s.load = startPart(clients, i, c.model, fmt.Sprintf("%s-server-%d", tag, i), random)
		s.load.run(func() error { return c.runs.begin(s.load) })
	}
	for _, s := range c.servers {
		s.load.waitReached(s.process)
	}
	stops := random.IntN(2) == 0
	disturbed.process.signal(map[bool]syscall.Signal{true: syscall.SIGTERM, false: syscall.SIGSTOP}[stops])
	killed.process.kill()
	c.model.figures.countKill(killed.process)
	time.Sleep(time.Duration(random.Int64N(int64(time.Second)))) // one works alone
	disturbed.process.signal(syscall.SIGCONT)
	var err error
	if stops {
		err = disturbed.process.awaitStop()
	}
	for _, s := range c.servers {
		err = errors.Join(err, s.load.end())
	}
	return err
}

// resend sends spans without a response to another server, as exporters do. An
// interrupted commit to ClickHouse may have stored a part of them; the repetition
// completes it, and nothing is stored twice.
func (c *trio) resend(to *server) error {
	for _, tree := range c.model.trees {
		if tree.pending == nil {
			continue
		}
		t := &tracer{load: &load{client: to.process.client, model: c.model}, tree: tree}
		if err := t.send(tree.pending); err != nil {
			return err
		}
	}
	return nil
}

// awaitInserts waits until the database has completed what a killed server had
// sent. Only then it is certain what is stored.
func (c *trio) awaitInserts() error {
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		running, err := clickhousetest.Query(c.logs, "SELECT count() FROM system.processes WHERE query_kind = 'Insert' AND current_database = currentDatabase()")
		if err != nil {
			return err
		}
		if strings.TrimSpace(running) == "0" {
			return nil
		}
	}
	return errors.New("the database did not complete its inserts")
}
