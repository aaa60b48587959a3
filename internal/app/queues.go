package app

import (
	"context"
	"runtime"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/fair"
)

// queue is a queue in which workspaces take turns.
type queue struct {
	name string
	*fair.Queue
}

func (a *App) queues() []queue {
	return []queue{
		{"bodies", a.bodies}, {"queries", a.logs.Queries()}, {"rendering", a.prompts.Rendering()}, {"code", a.work.scripts.Queue()},
		{"texts", a.work.texts}, {"uploads", a.datasets.Uploads()}, {"datasets", a.datasets.Builds()}, {"exports", a.work.exports.Queue()},
		{"saved_exports", a.work.savedExports.Queue()}, {"changes", a.catalog.Writers()}, {"jobs", a.work.jobs.Slots()},
	}
}

// maxWaitingBodies limits the large bodies of one workspace that wait to be
// parsed.
const maxWaitingBodies = 1000

// maxWaitingTexts limits the expressions and paths of one workspace that wait. It
// is high, because a node that is refused its turn fails: it allows ten nodes of each
// of the default maximum number of runs.
const maxWaitingTexts = 10_000

// newTexts returns the queue of expressions and paths over texts, which take a core
// for seconds at worst. A workspace leaves one core to everything else, and one slot to
// other workspaces.
func newTexts() *fair.Queue {
	each := max(1, runtime.GOMAXPROCS(0)-1)
	return fair.New(fair.Options{Slots: each + 1, Each: each, Waiting: maxWaitingTexts})
}

// shareBodies waits for the turn of the caller's workspace to parse a large
// body.
func (a *App) shareBodies(ctx context.Context) (end func(), err error) {
	return a.bodies.Acquire(ctx, access.CallerOf(ctx).Workspace)
}

// queueHealth returns the part of a workspace in each queue.
func (a *App) queueHealth(workspace int64) []admin.QueueHealth {
	var list []admin.QueueHealth
	for _, q := range a.queues() {
		running, waiting := q.StatsOf(workspace)
		stats := q.Stats()
		list = append(list, admin.QueueHealth{
			Name: q.name, Running: int64(running), MaxRunning: int64(stats.Each), Waiting: int64(waiting), MaxWaiting: int64(stats.Quota),
		})
	}
	return list
}
