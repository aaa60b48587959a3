package app

import (
	"context"
	"os"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"time"
)

const (
	// minGrowth is how much the heap may grow between collections even when
	// little of it is in use. By default a small heap is collected after every
	// few megabytes, which costs a tenth of the work when prompts are fetched.
	minGrowth = 64 << 20
	// usualPercent is Go's default: the heap may double.
	usualPercent = 100
)

// tuneGC keeps the collector from running more often than minGrowth demands,
// until ctx ends. An operator who sets GOGC has decided otherwise.
func tuneGC(ctx context.Context) {
	if os.Getenv("GOGC") != "" {
		return
	}
	defer debug.SetGCPercent(usualPercent)
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	sample := []runtimemetrics.Sample{{Name: "/gc/heap/live:bytes"}}
	set := int64(usualPercent)
	for {
		runtimemetrics.Read(sample)
		percent := gcPercent(int64(sample[0].Value.Uint64()))
		// Setting it stops everything for a moment, so small changes wait.
		if percent > set+set/4 || percent < set-set/4 {
			debug.SetGCPercent(int(percent))
			set = percent
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// gcPercent returns by how many percent a heap of which so much is in use may
// grow.
func gcPercent(live int64) int64 {
	return max(usualPercent, 100*minGrowth/max(live, 1<<20))
}
