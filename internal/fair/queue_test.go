package fair_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
)

// acquire takes a slot that must be free: nobody releases one in the meantime.
func acquire(t *testing.T, q *fair.Queue, workspace int64) (release func()) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	release, err := q.Acquire(ctx, workspace)
	if err != nil {
		t.Fatalf("workspace %d: %v", workspace, err)
	}
	return release
}

// served lists workspaces in the order in which they got slots.
type served struct {
	mu   sync.Mutex
	list []int64
}

func (s *served) add(workspace int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.list = append(s.list, workspace)
}

func (s *served) all() []int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.list)
}

// wait starts tasks that add their workspace to order when they get a slot and
// release it after hold.
func wait(t *testing.T, q *fair.Queue, order *served, hold time.Duration, workspaces ...int64) {
	t.Helper()
	for _, workspace := range workspaces {
		go func() {
			release, err := q.Acquire(t.Context(), workspace)
			if err != nil {
				t.Errorf("workspace %d: %v", workspace, err)
				return
			}
			order.add(workspace)
			time.Sleep(hold)
			release()
		}()
		synctest.Wait() // it is in the queue
	}
}

func TestOneWorkspaceUsesAllSlots(t *testing.T) {
	t.Parallel()
	q := fair.New(fair.Options{Slots: 5})
	for range 5 {
		acquire(t, q, 1)
	}
	want := fair.Stats{Slots: 5, Each: 5, Running: 5, Workspaces: 1, Granted: 5}
	if diff := cmp.Diff(want, q.Stats()); diff != "" {
		t.Error(diff)
	}
}

func TestTasksOfAWorkspaceKeepTheirOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.New(fair.Options{Slots: 1})
		release := acquire(t, q, 1)
		var got served
		for i := range int64(10) {
			go func() {
				release, err := q.Acquire(t.Context(), 1)
				if err != nil {
					t.Error(err)
					return
				}
				got.add(i)
				release()
			}()
			synctest.Wait()
		}
		release()
		synctest.Wait()
		if diff := cmp.Diff([]int64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, got.all()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWorkspacesTakeTurns(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.New(fair.Options{Slots: 1})
		release := acquire(t, q, 1)
		var order served
		wait(t, q, &order, time.Second, 1, 1, 1, 1, 2, 2, 3)
		release()
		time.Sleep(time.Minute)
		synctest.Wait()
		if diff := cmp.Diff([]int64{2, 3, 1, 2, 1, 1, 1}, order.all()); diff != "" {
			t.Error(diff)
		}
	})
}

// TestReturningWorkspacesDoNotJumpTheQueue has two workspaces that return for
// one more task each time they end one, and are forgotten in between.
func TestReturningWorkspacesDoNotJumpTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.New(fair.Options{Slots: 1})
		release := acquire(t, q, 9)
		var order served
		for _, workspace := range []int64{1, 2} {
			go func() {
				for range 20 {
					release, err := q.Acquire(t.Context(), workspace)
					if err != nil {
						t.Error(err)
						return
					}
					time.Sleep(time.Second)
					release()
				}
			}()
			synctest.Wait()
		}
		wait(t, q, &order, time.Second, 3, 3, 3)
		start := time.Now()
		release()
		for len(order.all()) < 3 {
			time.Sleep(time.Second)
			synctest.Wait()
		}
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("three tasks beside two returning workspaces took %s", took)
		}
		time.Sleep(time.Hour)
	})
}

func TestSlotsAreSharedEqually(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.New(fair.Options{Slots: 6})
		for workspace := int64(1); workspace <= 3; workspace++ {
			for range 120 / workspace {
				go func() {
					release, err := q.Acquire(t.Context(), workspace)
					if err != nil {
						t.Error(err)
						return
					}
					time.Sleep(time.Second * time.Duration(workspace)) // some have longer tasks
					release()
				}()
			}
			synctest.Wait() // the first workspace has all slots at first
		}
		for range 9 {
			time.Sleep(6 * time.Second)
			synctest.Wait()
			for workspace := int64(1); workspace <= 3; workspace++ {
				if running, waiting := q.StatsOf(workspace); waiting == 0 || running != 2 {
					t.Errorf("workspace %d has %d slots, and %d tasks wait", workspace, running, waiting)
				}
			}
		}
		time.Sleep(time.Hour)
	})
}

func TestLimitOfOneWorkspaceLeavesSlotsFree(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.New(fair.Options{Slots: 4, Each: 2})
		first, second := acquire(t, q, 1), acquire(t, q, 1)
		var order served
		wait(t, q, &order, time.Second, 1)
		other := acquire(t, q, 2)
		if running, waiting := q.StatsOf(1); running != 2 || waiting != 1 {
			t.Errorf("%d running, %d waiting", running, waiting)
		}
		other()
		if len(order.all()) != 0 {
			t.Error("a slot of another workspace let a task pass the limit")
		}
		first()
		synctest.Wait()
		if len(order.all()) != 1 {
			t.Error("a waiting task did not get the slot")
		}
		second()
		time.Sleep(time.Minute)
	})
}

func TestQuotaOfWaitingTasks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.New(fair.Options{Slots: 1, Waiting: 2})
		release := acquire(t, q, 1)
		var order served
		wait(t, q, &order, 0, 1, 1)
		for range 3 {
			if _, err := q.Acquire(t.Context(), 1); !errors.Is(err, fair.ErrQuota) || !fault.Is(err, fault.RateLimited) {
				t.Errorf("got %v", err)
			}
		}
		wait(t, q, &order, 0, 2) // the quota of another workspace
		want := fair.Stats{Slots: 1, Each: 1, Quota: 2, Running: 1, Waiting: 3, Workspaces: 2, Granted: 1, Refused: 3}
		if diff := cmp.Diff(want, q.Stats()); diff != "" {
			t.Error(diff)
		}
		release()
		synctest.Wait()
		if diff := cmp.Diff(fair.Stats{Slots: 1, Each: 1, Quota: 2, Granted: 4, Refused: 3}, q.Stats()); diff != "" {
			t.Error(diff)
		}
	})
}

func TestCancelledTasksLeaveNoTrace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		q := fair.New(fair.Options{Slots: 1, Waiting: 1})
		release := acquire(t, q, 1)
		before := q.Stats()
		gone := errors.New("the caller has gone")
		for workspace := int64(1); workspace <= 3; workspace++ {
			ctx, cancel := context.WithCancelCause(t.Context())
			ended := make(chan error)
			go func() {
				_, err := q.Acquire(ctx, workspace)
				ended <- err
			}()
			synctest.Wait()
			cancel(gone)
			if err := <-ended; !errors.Is(err, gone) {
				t.Errorf("got %v", err)
			}
			if _, err := q.Acquire(ctx, workspace); !errors.Is(err, gone) {
				t.Errorf("with a context that is done: got %v", err)
			}
		}
		if diff := cmp.Diff(before, q.Stats()); diff != "" {
			t.Error(diff)
		}
		release()
		release()
		if diff := cmp.Diff(fair.Stats{Slots: 1, Each: 1, Quota: 1, Granted: 1}, q.Stats()); diff != "" {
			t.Error(diff)
		}
		acquire(t, q, 2)
	})
}

// TestCancelledTaskPassesItsSlotOn cancels tasks at the moment when they get
// their slots.
func TestCancelledTaskPassesItsSlotOn(t *testing.T) {
	t.Parallel()
	for range 200 {
		synctest.Test(t, func(t *testing.T) {
			q := fair.New(fair.Options{Slots: 1})
			release := acquire(t, q, 1)
			ctx, cancel := context.WithCancel(t.Context())
			go func() {
				if release, err := q.Acquire(ctx, 1); err == nil {
					release()
				}
			}()
			synctest.Wait()
			var order served
			wait(t, q, &order, 0, 1)
			cancel()
			release() // mostly before the first task sees that it is cancelled
			synctest.Wait()
			if s := q.Stats(); s.Running != 0 || s.Waiting != 0 || s.Workspaces != 0 || len(order.all()) != 1 {
				t.Errorf("%+v, %d tasks ran", s, len(order.all()))
			}
		})
	}
}

func Example() {
	q := fair.New(fair.Options{Slots: 2, Waiting: 1000})
	release, err := q.Acquire(context.Background(), 7)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer release()
	fmt.Println(q.Stats().Running)
	// Output: 1
}

func TestTryAcquire(t *testing.T) {
	t.Parallel()
	q := fair.New(fair.Options{Slots: 3, Each: 2})
	full := func() (full []int64, free int) {
		full, free = q.Full()
		slices.Sort(full)
		return full, free
	}
	try := func(workspace int64) func() {
		release, ok := q.TryAcquire(workspace)
		if !ok {
			t.Errorf("workspace %d got no slot, although one is free", workspace)
		}
		return release
	}
	first := try(1)
	try(1)
	if _, ok := q.TryAcquire(1); ok {
		t.Error("a workspace got more slots than it may hold")
	}
	if limited, free := full(); !slices.Equal(limited, []int64{1}) || free != 1 {
		t.Errorf("Full = %v, %d, want workspace 1 and one free slot", limited, free)
	}
	last := try(2)
	if _, ok := q.TryAcquire(3); ok {
		t.Error("a workspace got a slot, although none is free")
	}
	first()
	first() // does nothing
	last()
	if limited, free := full(); len(limited) != 0 || free != 2 {
		t.Errorf("Full = %v, %d, want no workspace and two free slots", limited, free)
	}
	if got := q.Stats(); got.Running != 1 || got.Workspaces != 1 {
		t.Errorf("%+v, want one slot of one workspace", got)
	}
}
