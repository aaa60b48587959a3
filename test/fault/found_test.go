package fault

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
)

// TestFoundIsDurable kills the program between a write and its flush, and cuts
// the power after the next start: what that start has found and served must not
// disappear.
func TestFoundIsDurable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root can mount a disk")
	}
	for name, before := range map[string]*injection{
		"journal": {calls: "fdatasync", path: journalFile, effect: killed, most: 1},
		"catalog": {calls: "fsync,fdatasync", path: catalogWAL, effect: killed, most: 3},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCampaign(t, withSQLite)
			random := rand.New(rand.NewPCG(*seed, 0))
			if err := c.life(fault{strike: kill}, "life-0", random); err != nil {
				t.Fatal(err)
			}
			for n := 1; n == 1 || name == "journal" && c.model.figures.found == 0; n++ {
				// The write that is not flushed may hold spans alone.
				if n > 10 {
					t.Fatal("no log was written without being flushed")
				}
				if err := c.life(fault{inject: before}, fmt.Sprint("life-", n), random); err != nil {
					t.Fatal(err)
				}
				if err := c.cutIdle(); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.finish(); err != nil {
				t.Error(err)
			}
		})
	}
}

// cutIdle starts the program, checks, and cuts the power before anything is
// written.
func (c *campaign) cutIdle() error {
	p, err := c.in.launch.start()
	if err != nil {
		return err
	}
	defer p.kill()
	if err := c.model.check(p.client, lossy{}); err != nil {
		return err
	}
	if err := c.in.disk.cutPower(); err != nil {
		return err
	}
	p.kill()
	return c.in.disk.restorePower()
}
