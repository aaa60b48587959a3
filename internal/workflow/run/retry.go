package run

import (
	"context"

	"github.com/promptuary/promptuary/internal/guard"
)

// retry makes a node that has failed ready again after a while. In the meantime, it has
// no effect that could be lost, so that another process may start it.
func (x *execution) retry(ctx context.Context, i int) {
	state := &x.states[i]
	wait := x.retryWait << state.Retries
	state.Status = Queued
	state.Retries++
	x.changed[i] = true
	x.active++
	guard.Go("wait for a retry", func() {
		// Whether the wait ended early is known to advance, which starts nothing then.
		_ = pause(ctx, x.stopping, wait)
		x.results <- result{node: i, retry: true}
	})
}
