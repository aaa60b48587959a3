package e2e

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"
)

const (
	promptCrashes   = 20
	crashPublishers = 8
)

// TestPromptCrashes repeatedly kills the server while many clients publish
// versions and move labels. After each restart it checks that the registry has
// everything that was acknowledged.
func TestPromptCrashes(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	random := rand.New(rand.NewPCG(crashSeed, 3))
	r := newRegistry("alpha", "team/beta", "gamma 100%", "90210")
	for n := range crashPublishers {
		r.addPublisher(fmt.Sprint("label-", n), rand.New(rand.NewPCG(crashSeed, uint64(n)+4)))
	}
	for life := range promptCrashes {
		p := start(t, data)
		if err := r.verify(p.client); err != nil {
			t.Fatalf("after crash %d: %v", life, err)
		}
		if err := r.live(p, random); err != nil {
			t.Fatalf("before crash %d: %v", life, err)
		}
	}
	p := start(t, data)
	clear(r.checked) // check everything again
	if err := r.verify(p.client); err != nil {
		t.Errorf("after %d crashes: %v", promptCrashes, err)
	}
	total := 0
	for _, versions := range r.versions {
		total += len(versions)
	}
	t.Logf("%d versions, %d of them without an answer, over %d crashes", total, r.found, promptCrashes)
}

// live lets the publishers work until enough is acknowledged, and then kills
// the server. It returns the first problem.
func (r *registry) live(p *program, random *rand.Rand) error {
	enough := int64(10 + random.IntN(60))
	reached, stop := make(chan struct{}), make(chan struct{})
	var once sync.Once
	r.acknowledged = func() {
		if enough--; enough <= 0 {
			once.Do(func() { close(reached) })
		}
	}
	var all errgroup.Group
	for _, one := range r.publishers {
		all.Go(func() error {
			err := one.run(p.client, stop)
			if err != nil {
				once.Do(func() { close(reached) })
			}
			return err
		})
	}
	select {
	case <-reached:
	case <-time.After(patience):
		p.t.Error("too few versions were acknowledged")
	}
	p.killWithin(random, 5*time.Millisecond)
	close(stop)
	return all.Wait()
}
