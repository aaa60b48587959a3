package app

import (
	"context"
	"os"
	"runtime/debug"
	runtimemetrics "runtime/metrics"
	"time"
)

const (
	// minGrowth is how much even a small heap may grow between collections. By
	// default a small heap is collected every few megabytes, which takes a tenth
	// of the CPU time when prompts are fetched.
	minGrowth = 64 << 20
	// usualPercent is the default of Go: the heap may double.
	usualPercent = 100
)

// tuneGC adjusts GOGC so that the heap may grow by minGrowth between
// collections, until ctx ends. It does nothing if the operator has set GOGC.
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
		// Setting it stops the world, so ignore small changes.
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

// gcPercent returns the GOGC value for a heap with live bytes in use.
func gcPercent(live int64) int64 {
	return max(usualPercent, 100*minGrowth/max(live, 1<<20))
}
