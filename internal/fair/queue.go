// Package fair shares a limited number of slots between workspaces, so that a
// workspace with many tasks cannot delay the tasks of the others.
//
// Each workspace has its own first-in, first-out queue. A free slot goes to the
// workspace that holds the fewest slots; among equals, to the one whose last
// turn was longest ago. It follows that
//
//   - a workspace alone can use all slots (up to Options.Each),
//   - slots are shared equally while several workspaces have tasks waiting,
//   - a workspace that holds no slot gets the next one that is released, after
//     at most one turn of each other workspace that holds none,
//   - no workspace starves.
package fair

import (
	"container/list"
	"context"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// ErrQuota is returned by Acquire if the workspace already has as many tasks
// waiting as Options.Waiting allows. It is a fault of the kind RateLimited.
var ErrQuota error = &fault.Error{
	Kind: fault.RateLimited, Message: "Too many tasks of this workspace are waiting. Please retry later.", RetryAfter: time.Second,
}

// Options configures a Queue.
type Options struct {
	// Slots is the number of tasks that run at the same time. Values below 1
	// mean 1.
	Slots int
	// Each limits the number of slots that one workspace holds at the same
	// time, even if others are free: Slots-Each slots are always left for the
	// other workspaces. 0 means Slots.
	Each int
	// Waiting limits the number of waiting tasks of one workspace. 0 means no
	// limit.
	Waiting int
}

// Queue hands out slots. It is safe for concurrent use, and starts no
// goroutines.
type Queue struct {
	slots, each, quota int

	mu         sync.Mutex
	workspaces map[int64]*workspace // those with running or waiting tasks
	running    int
	waiting    int
	granted    uint64
	refused    uint64
	arrivals   uint64
}

// workspace is the state of a workspace with running or waiting tasks.
type workspace struct {
	running int
	tasks   list.List // of *task, in the order of arrival
	// turn orders workspaces that hold the same number of slots: lower is
	// served first. The n-th grant of the queue sets it to 2n; a workspace that
	// joins after the n-th grant starts with 2n-1, before the workspace that
	// was served last and after all others.
	turn uint64
}

// task is a waiting call of Acquire.
type task struct {
	arrival uint64
	ready   chan struct{} // closed when the task gets its slot
}

// New returns a queue with free slots.
func New(o Options) *Queue {
	q := &Queue{slots: max(o.Slots, 1), quota: o.Waiting, workspaces: map[int64]*workspace{}}
	q.each = q.slots
	if o.Each > 0 {
		q.each = min(o.Each, q.slots)
	}
	return q
}

// Acquire waits for a slot for a task of the workspace. The caller must call
// release when the task has ended; further calls of release do nothing.
//
// If ctx is done before the task gets a slot, Acquire returns the cause of ctx,
// and the task no longer counts. If the quota of waiting tasks is exhausted, it
// returns ErrQuota without waiting. Release is nil if err is not.
func (q *Queue) Acquire(ctx context.Context, workspace int64) (release func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	waiting, err := q.enqueue(workspace)
	if err != nil {
		return nil, err
	}
	if waiting != nil {
		select {
		case <-waiting.Value.(*task).ready:
		case <-ctx.Done():
			q.cancel(workspace, waiting)
			return nil, context.Cause(ctx)
		}
	}
	return sync.OnceFunc(func() { q.release(workspace) }), nil
}

// TryAcquire takes a slot for a task of the workspace if one is free, without
// waiting. The caller must call release when the task has ended; further calls of
// release do nothing. Release is nil if ok is false.
func (q *Queue) TryAcquire(workspace int64) (release func(), ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.join(workspace)
	if !q.isFree(w) {
		q.forget(workspace, w)
		return nil, false
	}
	q.grant(w)
	return sync.OnceFunc(func() { q.release(workspace) }), true
}

// Full returns the workspaces that hold as many slots as they may, and the number of
// slots that are free for the others.
func (q *Queue) Full() (workspaces []int64, free int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for id, w := range q.workspaces {
		if w.running >= q.each {
			workspaces = append(workspaces, id)
		}
	}
	return workspaces, q.slots - q.running
}

// enqueue gives the workspace a slot, or adds a task to those that wait for
// one. The returned element is nil if the slot was granted.
func (q *Queue) enqueue(id int64) (*list.Element, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	w := q.join(id)
	if q.isFree(w) {
		q.grant(w)
		return nil, nil
	}
	if q.quota > 0 && w.tasks.Len() >= q.quota {
		q.refused++
		return nil, ErrQuota
	}
	q.arrivals++
	q.waiting++
	return w.tasks.PushBack(&task{arrival: q.arrivals, ready: make(chan struct{})}), nil
}

// join returns the state of a workspace, which is new if it has no tasks.
func (q *Queue) join(id int64) *workspace {
	w := q.workspaces[id]
	if w == nil {
		w = &workspace{turn: 2*q.granted - min(q.granted, 1)}
		q.workspaces[id] = w
	}
	return w
}

// isFree reports whether the workspace may take a slot now. A free slot is never
// withheld from a task that may take it, so nobody else waits for this one.
func (q *Queue) isFree(w *workspace) bool { return q.running < q.slots && w.running < q.each }

// grant gives a free slot to the workspace.
func (q *Queue) grant(w *workspace) {
	q.running++
	q.granted++
	w.running++
	w.turn = 2 * q.granted
}

// release takes a slot back and passes it on.
func (q *Queue) release(id int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.free(id)
}

// cancel removes a task that no longer waits. If it got its slot at the same
// moment, it gives the slot back.
func (q *Queue) cancel(id int64, waiting *list.Element) {
	q.mu.Lock()
	defer q.mu.Unlock()
	select {
	case <-waiting.Value.(*task).ready:
		q.free(id)
	default:
		w := q.workspaces[id]
		w.tasks.Remove(waiting)
		q.waiting--
		q.forget(id, w)
	}
}

// free takes a slot back from the workspace and gives free slots to waiting
// tasks. There can be more than one: a workspace at its limit leaves slots free.
func (q *Queue) free(id int64) {
	w := q.workspaces[id]
	q.running--
	w.running--
	for q.running < q.slots {
		next := q.next()
		if next == nil {
			break
		}
		q.waiting--
		q.grant(next)
		close(next.tasks.Remove(next.tasks.Front()).(*task).ready)
	}
	q.forget(id, w)
}

// next returns the workspace whose first task gets the next slot, or nil. It
// looks at every workspace, of which few are active at a time.
func (q *Queue) next() *workspace {
	var best *workspace
	for _, w := range q.workspaces {
		if w.tasks.Len() > 0 && w.running < q.each && (best == nil || w.before(best)) {
			best = w
		}
	}
	return best
}

// before reports whether w is served before other. Both have waiting tasks.
func (w *workspace) before(other *workspace) bool {
	switch {
	case w.running != other.running:
		return w.running < other.running
	case w.turn != other.turn:
		return w.turn < other.turn
	}
	return w.tasks.Front().Value.(*task).arrival < other.tasks.Front().Value.(*task).arrival
}

// forget drops the workspace if it has no tasks.
func (q *Queue) forget(id int64, w *workspace) {
	if w.running == 0 && w.tasks.Len() == 0 {
		delete(q.workspaces, id)
	}
}

// Stats is the state of a queue at one moment.
type Stats struct {
	// Slots, Each and Quota are the limits of the queue: Options.Slots, Each
	// and Waiting.
	Slots, Each, Quota int
	// Running is the number of slots that are held.
	Running int
	// Waiting is the number of waiting tasks, and Workspaces the number of
	// workspaces with running or waiting tasks.
	Waiting, Workspaces int
	// Granted and Refused count the slots granted and the tasks refused with
	// ErrQuota since the queue was created.
	Granted, Refused uint64
}

// Stats returns the current state.
func (q *Queue) Stats() Stats {
	q.mu.Lock()
	defer q.mu.Unlock()
	return Stats{
		Slots: q.slots, Each: q.each, Quota: q.quota, Running: q.running, Waiting: q.waiting, Workspaces: len(q.workspaces), Granted: q.granted, Refused: q.refused,
	}
}

// StatsOf returns the number of running and waiting tasks of a workspace.
func (q *Queue) StatsOf(workspace int64) (running, waiting int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if w := q.workspaces[workspace]; w != nil {
		return w.running, w.tasks.Len()
	}
	return 0, 0
}
