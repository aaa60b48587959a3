package textindex

import (
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/guard"
)

// answer is a pair of sets, as all queries return.
type answer struct {
	first, second Set
}

// snapshot is the state of the index at one moment, without the segment in
// memory that still changes.
type snapshot struct {
	sources  []source
	segments []*segment // those among the sources that hold a reference
	base     int64      // first id of all
}

// query asks each segment of one state of the index, several at a time, and
// returns the combined answers. If a segment is damaged they are incomplete,
// which Damaged reports from then on.
func (ix *Index) query(ask func(source) *answer) *answer {
	total, snap := ix.snapshot(ask)
	defer releaseAll(snap.segments)
	var mu sync.Mutex
	var next atomic.Int64
	work := func() {
		for {
			i := int(next.Add(1)) - 1
			if i >= len(snap.sources) {
				return
			}
			var part *answer
			if err := guarded(func() { part = ask(snap.sources[i]) }); err != nil {
				ix.note(err)
				continue
			}
			mu.Lock()
			total.take(part)
			mu.Unlock()
		}
	}
	var others sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(snap.sources)) - 1 {
		others.Go(guard.Func("text index", work))
	}
	work()
	others.Wait()
	total.first.reserve(snap.base >> pageBits)
	total.second.reserve(snap.base >> pageBits)
	return total
}

// snapshot returns what the segment in memory answers and the state of all
// others at that moment. The caller must release the segments.
func (ix *Index) snapshot(ask func(source) *answer) (*answer, snapshot) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	var snap snapshot
	for _, s := range ix.segments {
		s.acquire()
		snap.sources = append(snap.sources, s)
	}
	for _, m := range ix.frozen {
		snap.sources = append(snap.sources, m)
	}
	snap.segments = ix.segments
	total := new(answer)
	if ix.mem.docs > 0 {
		total = ask(ix.mem)
	}
	switch {
	case len(snap.sources) > 0:
		snap.base = snap.sources[0].ids().first
	case ix.mem.docs > 0:
		snap.base = ix.mem.span.first
	}
	return total, snap
}

// take moves the sets of part into a.
func (a *answer) take(part *answer) {
	a.first.take(&part.first)
	a.second.take(&part.second)
}
