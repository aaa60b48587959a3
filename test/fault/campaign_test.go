package fault

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// installation is a data folder with its catalog, which survives the program.
type installation struct {
	launch   launch
	disk     *disk     // nil: the folder is on the disk of the machine
	postgres *postgres // nil: the catalog is SQLite
}

// common are the options of installations: a new file of the journal is begun
// every few faults, and workflows may call the driver.
var common = []string{"--journal-file-size", "128KB", "--allow-targets", "127.0.0.1"}

// TestFaultsWithSQLite kills the program in many ways, fails its disk and cuts
// its power.
func TestFaultsWithSQLite(t *testing.T) {
	t.Parallel()
	runCampaign(t, *kills, withSQLite)
}

// withSQLite returns an installation on its own disk, if there can be one.
func withSQLite(t *testing.T) *installation {
	t.Helper()
	in := &installation{launch: launch{program: programPath(t), data: filepath.Join(t.TempDir(), "data"), options: common}}
	if os.Geteuid() != 0 {
		t.Log("power cuts and full disks are left out: only root can mount a disk")
		return in
	}
	var err error
	if in.disk, err = mountDisk(t); err != nil {
		t.Fatal(err)
	}
	in.launch.data = filepath.Join(in.disk.path, "data")
	return in
}

// TestDriverFindsLoss checks the driver: a disk that does not flush the journal
// loses acknowledged logs in a power cut, and the driver must find out.
func TestDriverFindsLoss(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	c := newCampaign(t, withSQLite)
	lying := fault{name: "lying disk", inject: &injection{calls: "fdatasync", path: journalFile, effect: "retval=0"}, strike: cutPower}
	if err := c.life(lying, "life-0", rand.New(rand.NewPCG(*seed, 0))); err != nil {
		t.Fatal(err)
	}
	if err := c.finish(); err == nil || !strings.Contains(err.Error(), "was acknowledged and is lost") {
		t.Errorf("the driver found %v, want a lost log", err)
	}
}

// TestFaultsWithPostgres also kills PostgreSQL.
func TestFaultsWithPostgres(t *testing.T) {
	t.Parallel()
	runCampaign(t, *pgs, func(t *testing.T) *installation {
		t.Helper()
		server := startPostgres(t)
		return &installation{
			launch:   launch{program: programPath(t), data: filepath.Join(t.TempDir(), "data"), catalog: server.dsn(), options: common},
			postgres: server,
		}
	})
}

// runCampaign injects a number of faults into one installation. If a promise is
// broken, it looks for the shortest sequence of faults that breaks one, and
// prints it.
func runCampaign(t *testing.T, count int, install func(*testing.T) *installation) {
	t.Helper()
	c := newCampaign(t, install)
	err := c.run(*from, *from+count)
	names := slices.Sorted(maps.Keys(c.model.figures.faults))
	for i, name := range names {
		names[i] = fmt.Sprintf("%d × %s", c.model.figures.faults[name], name)
	}
	t.Logf("seed %d, %d faults in %s: %s\n%s; %s", *seed, c.steps, time.Since(begun).Round(time.Second), strings.Join(names, ", "), c.model.figures, c.runs)
	if err == nil {
		return
	}
	t.Errorf("%v\nthe data folder is kept in %s", err, c.keep())
	last := *from + c.steps
	for size := c.steps / 2; size >= 1; size /= 2 {
		shorter := newCampaign(t, install)
		shorterErr := shorter.run(last-size, last)
		if shorterErr == nil {
			break
		}
		c, err = shorter, shorterErr
		last = last - size + c.steps
	}
	t.Errorf("the shortest sequence that failed, with -seed %d -from %d and %d faults: %v\n%s",
		*seed, last-c.steps, c.steps, err, strings.Join(c.trace, "\n"))
}

// campaign is a sequence of faults on one installation.
type campaign struct {
	t     *testing.T
	in    *installation
	model *model
	runs  *runs
	steps int
	trace []string
}

func newCampaign(t *testing.T, install func(*testing.T) *installation) *campaign {
	t.Helper()
	return &campaign{t: t, in: install(t), model: newModel(), runs: newRuns(t)}
}

// run injects the faults from one number up to another, and checks everything at
// the end. It returns the first broken promise.
func (c *campaign) run(from, to int) error {
	chosen := available(c.in)
	for step := from; step < to && !timeUp(); step++ {
		random := rand.New(rand.NewPCG(*seed, uint64(step)))
		f := choose(chosen, step, random)
		c.steps++
		c.trace = append(c.trace, fmt.Sprintf("%d: %s", step, f.name))
		c.model.figures.faults[f.name]++
		if err := c.life(f, fmt.Sprint("life-", step), random); err != nil {
			return fmt.Errorf("seed %d, step %d, %s: %w", *seed, step, f.name, err)
		}
		if c.steps%100 == 0 {
			c.t.Logf("after %d faults in %s: %s", c.steps, time.Since(begun).Round(time.Second), c.model.figures)
		}
	}
	if err := c.finish(); err != nil {
		return fmt.Errorf("seed %d, after step %d: %w", *seed, from+c.steps-1, err)
	}
	return nil
}

var begun = time.Now()

// timeUp reports whether the campaign has lasted long enough.
func timeUp() bool { return *limit > 0 && time.Since(begun) > *limit }

// life starts the program, checks what the previous fault has left, puts load on
// it, and lets the fault strike.
func (c *campaign) life(f fault, tag string, random *rand.Rand) error {
	launched := c.in.launch
	launched.options = slices.Concat(launched.options, f.options)
	if f.skewed {
		launched.skew = new(skew(random))
	}
	killing := f.inject != nil && f.inject.kills()
	due := c.checkDue()
	if f.inject != nil && !killing && due {
		// The check must not see the errors.
		if err := c.startCheckStop(); err != nil {
			return err
		}
	}
	if f.inject != nil {
		launched.tracer = f.inject.tracer(launched.data, random)
	}
	p, err := launched.start()
	if ended, ok := errors.AsType[*endedError](err); ok && killing && ended.code == -1 {
		c.model.figures.kills++
		return nil // killed at the point during the start
	}
	if ended, ok := errors.AsType[*endedError](err); ok && f.inject != nil && ended.code == 1 {
		return nil // the start was refused because of the error
	}
	if err != nil {
		return err
	}
	defer p.kill()
	if due && (f.inject == nil || killing) {
		if err := c.check(p, c.model.check); err != nil {
			if killing && errors.Is(err, errNoAnswer) && p.waitExit(patience) {
				return p.checkOutput() // the next life checks again
			}
			return err
		}
	}
	err = c.strike(f, p, tag, random)
	c.model.figures.countKill(p)
	return err
}

// checkDue reports whether everything new is compared at the next start.
func (c *campaign) checkDue() bool { return (c.steps-1)%*every == 0 }

// strike puts load on the program and lets the fault happen.
func (c *campaign) strike(f fault, p *process, tag string, random *rand.Rand) error {
	l := startLoad(p.client, c.model, tag, random)
	l.no500 = f.never500
	l.run(func() error { return c.runs.begin(l) })
	if f.inject != nil {
		l.faulty.Store(f.refuses)
	}
	l.waitReached(p)
	l.faulty.Store(f.refuses)
	var err error
	switch s := (&strike{c.in, p, l, c.runs, random}); {
	case f.strike != nil:
		err = f.strike(s)
	case f.inject.kills():
		err = c.awaitKill(s)
	default:
		p.killAfter(200*time.Millisecond + s.within(time.Second))
	}
	if err = errors.Join(err, l.end()); err != nil {
		err = fmt.Errorf("%w\nthe program %s and said:\n%s", err, p.state(), lastLines(p.stderr.String(), 12))
	}
	return errors.Join(err, p.checkOutput())
}

// awaitKill waits until the program is killed at the chosen point. Points of the
// table come with a graceful stop at the latest.
func (c *campaign) awaitKill(s *strike) error {
	p := s.process
	if p.waitExit(300*time.Millisecond + s.within(700*time.Millisecond)) {
		return nil
	}
	p.signal(syscall.SIGTERM)
	if !p.waitExit(patience) {
		return errors.New("the server did not stop")
	}
	if p.cmd.ProcessState.ExitCode() == 0 {
		c.model.figures.missed++
	}
	return nil
}

// startCheckStop starts the program, checks, and stops it gracefully.
func (c *campaign) startCheckStop() error {
	p, err := c.in.launch.start()
	if err != nil {
		return err
	}
	defer p.kill()
	if err := c.check(p, c.model.check); err != nil {
		return err
	}
	return errors.Join(p.stop(), p.checkOutput())
}

// finish checks everything, twice: after the last fault and after a graceful
// stop.
func (c *campaign) finish() error {
	if err := c.startCheckStop(); err != nil {
		return err
	}
	p, err := c.in.launch.start()
	if err != nil {
		return err
	}
	defer p.kill()
	if err := c.check(p, c.model.checkEverything); err != nil {
		return err
	}
	return errors.Join(p.stop(), p.checkOutput())
}

// check compares the model, and returns an error if intact files were declared
// damaged.
func (c *campaign) check(p *process, compare func(*client, lossy) error) error {
	if err := errors.Join(compare(p.client, lossy{}), c.runs.awaitAll(p.client)); err != nil {
		return err
	}
	if aside, _ := filepath.Glob(filepath.Join(c.in.launch.data, "logs", "*.damaged-*")); len(aside) > 0 {
		return fmt.Errorf("intact files were declared damaged: %v", aside)
	}
	return nil
}

// keep copies the data folder of a failed campaign and returns where.
func (c *campaign) keep() string {
	dir, err := os.MkdirTemp("", "promptuary-fault-failed-")
	if err == nil {
		err = os.CopyFS(dir, os.DirFS(c.in.launch.data))
	}
	if err != nil {
		return err.Error()
	}
	return dir
}
