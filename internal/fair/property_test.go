package fair_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/promptuary/promptuary/internal/fair"
)

// slotTime is the longest that a task holds its slot in these tests.
const slotTime = 10 * time.Second

// seeded runs a test with 20 random sources, which a failure names.
func seeded(t *testing.T, test func(t *testing.T, random *rand.Rand)) {
	t.Helper()
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			defer func() {
				if t.Failed() {
					t.Logf("seed %d", seed)
				}
			}()
			test(t, rand.New(rand.NewPCG(seed, 1)))
		})
	}
}

// upTo returns a random time of at most limit.
func upTo(random *rand.Rand, limit time.Duration) time.Duration {
	return time.Duration(random.Int64N(int64(limit)) + 1)
}

// flood starts tasks of one workspace that hold their slots for the times.
func flood(t *testing.T, q *fair.Queue, workspace int64, holds []time.Duration) (done *sync.WaitGroup) {
	t.Helper()
	done = &sync.WaitGroup{}
	for _, hold := range holds {
		done.Go(func() {
			release, err := q.Acquire(t.Context(), workspace)
			if err != nil {
				t.Error(err)
				return
			}
			time.Sleep(hold)
			release()
		})
	}
	return done
}

func holds(random *rand.Rand, count int) (list []time.Duration) {
	for range count {
		list = append(list, upTo(random, slotTime))
	}
	return list
}

// TestFloodDelaysOthersByOneSlot has one workspace with hundreds of tasks while
// another has one task at a time.
func TestFloodDelaysOthersByOneSlot(t *testing.T) {
	t.Parallel()
	seeded(t, func(t *testing.T, random *rand.Rand) {
		slots := 1 + random.IntN(8)
		q := fair.New(fair.Options{Slots: slots})
		attack := flood(t, q, 1, holds(random, 300))
		for range 20 {
			time.Sleep(upTo(random, slotTime))
			start := time.Now()
			release, err := q.Acquire(t.Context(), 2)
			if err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(start); waited > slotTime {
				t.Errorf("with %d slots a task waited %s", slots, waited)
			}
			time.Sleep(upTo(random, slotTime))
			release()
		}
		attack.Wait()
	})
}

// TestReservedSlotsAreFree has one workspace with hundreds of tasks that never
// end, as seen by the others.
func TestReservedSlotsAreFree(t *testing.T) {
	t.Parallel()
	seeded(t, func(t *testing.T, random *rand.Rand) {
		each := 1 + random.IntN(4)
		q := fair.New(fair.Options{Slots: each + 1, Each: each})
		forever := make([]time.Duration, 300)
		for i := range forever {
			forever[i] = 100 * time.Hour
		}
		attack := flood(t, q, 1, forever)
		for range 20 {
			time.Sleep(upTo(random, slotTime))
			start := time.Now()
			release := acquire(t, q, 2)
			if waited := time.Since(start); waited != 0 {
				t.Errorf("waited %s", waited)
			}
			release()
		}
		attack.Wait()
	})
}

// TestNobodyStarves has workspaces of very different load, and checks each wait
// against the number of workspaces.
func TestNobodyStarves(t *testing.T) {
	t.Parallel()
	seeded(t, func(t *testing.T, random *rand.Rand) {
		q := fair.New(fair.Options{Slots: 1 + random.IntN(4)})
		workspaces := 2 + random.IntN(6)
		var attacks []*sync.WaitGroup
		for workspace := range workspaces {
			attacks = append(attacks, flood(t, q, int64(workspace), holds(random, 1+random.IntN(80))))
		}
		for range 10 {
			time.Sleep(upTo(random, slotTime))
			start := time.Now()
			release, err := q.Acquire(t.Context(), 99)
			if err != nil {
				t.Fatal(err)
			}
			if waited := time.Since(start); waited > time.Duration(workspaces)*slotTime {
				t.Errorf("beside %d workspaces a task waited %s", workspaces, waited)
			}
			release()
		}
		for _, attack := range attacks {
			attack.Wait() // every task gets its turn: a deadlock fails the test
		}
	})
}

// TestRandomLoadKeepsTheRules mixes everything that can happen and checks the
// limits after each step. At the end nothing is left.
func TestRandomLoadKeepsTheRules(t *testing.T) {
	t.Parallel()
	seeded(t, func(t *testing.T, random *rand.Rand) {
		o := fair.Options{Slots: 1 + random.IntN(6), Waiting: 1 + random.IntN(20)}
		o.Each = 1 + random.IntN(o.Slots)
		q := fair.New(o)
		var tasks sync.WaitGroup
		for range 400 {
			workspace, hold := random.Int64N(5), upTo(random, slotTime)
			ctx, cancel := context.WithTimeout(t.Context(), upTo(random, 3*slotTime))
			tasks.Go(func() {
				defer cancel()
				release, err := q.Acquire(ctx, workspace)
				if errors.Is(err, fair.ErrQuota) || errors.Is(err, context.DeadlineExceeded) {
					return
				}
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(hold)
				release()
			})
			if random.IntN(4) == 0 {
				time.Sleep(upTo(random, slotTime/4))
			}
			synctest.Wait()
			checkRules(t, q, o)
		}
		tasks.Wait()
		if s := q.Stats(); s.Running != 0 || s.Waiting != 0 || s.Workspaces != 0 {
			t.Errorf("left behind: %+v", s)
		}
	})
}

// checkRules checks the limits, and that no free slot is withheld.
func checkRules(t *testing.T, q *fair.Queue, o fair.Options) {
	t.Helper()
	stats := q.Stats()
	var sum fair.Stats
	for workspace := range int64(5) {
		running, waiting := q.StatsOf(workspace)
		sum.Running += running
		sum.Waiting += waiting
		if running > o.Each || waiting > o.Waiting {
			t.Errorf("workspace %d: %d running, %d waiting with %+v", workspace, running, waiting, o)
		}
		if waiting > 0 && running < o.Each && stats.Running < o.Slots {
			t.Errorf("workspace %d waits although a slot is free: %+v", workspace, stats)
		}
	}
	if sum.Running != stats.Running || sum.Waiting != stats.Waiting || stats.Running > o.Slots {
		t.Errorf("got %+v, the workspaces have %+v", stats, sum)
	}
}
