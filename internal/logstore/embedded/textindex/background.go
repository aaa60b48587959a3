package textindex

import (
	"errors"
	"slices"
)

// loop calls work, until it reports that nothing is left, whenever there is a
// nudge.
func (ix *Index) loop(nudges <-chan struct{}, work func() bool) {
	for {
		select {
		case <-ix.done:
			return
		case <-nudges:
			for work() {
			}
		}
	}
}

// writeOldest writes the oldest frozen segment and reports whether there may
// be another one to write now.
func (ix *Index) writeOldest() bool {
	ix.mu.RLock()
	frozen := ix.frozen
	ix.mu.RUnlock()
	if len(frozen) == 0 {
		return false
	}
	var s *segment
	var err error
	if fault := guarded(func() { s, err = writeMemory(ix.dir, fileVersion(ix.opts.Version), frozen[0]) }); fault != nil {
		s, err = nil, fault
	}
	ix.written(s, err)
	if err != nil {
		ix.opts.OnError(err)
	}
	return err == nil
}

// written notes how writing the oldest frozen segment went. If it failed, the
// documents stay in memory, and the next freeze or Flush makes us try again.
func (ix *Index) written(s *segment, err error) {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	ix.writeErr = err
	if err == nil {
		ix.frozen = slices.Clone(ix.frozen[1:])
		ix.segments = append(ix.segments[:len(ix.segments):len(ix.segments)], s)
		ix.saved = s.span.last
		nudge(ix.mergeNudge)
	}
	ix.changed.Broadcast()
}

// mergeOnce merges one run of segments and reports whether it did. If it could
// not, because of an error or because the index is closing, all stays as it is
// until there is another segment.
func (ix *Index) mergeOnce() bool {
	run := ix.startMerge()
	if run == nil {
		return false
	}
	var merged *segment
	var err error
	if fault := guarded(func() { merged, err = mergeSegments(ix.dir, run, ix.stop.Load) }); fault != nil {
		ix.note(fault)
		merged, err = nil, fault
	}
	if merged != nil {
		ix.replace(run, merged)
		releaseAll(run) // the references of the index
	}
	// Removing large files takes time, so no lock is held here.
	releaseAll(run)
	if errors.Is(err, errStopped) {
		err = nil
	}
	ix.mu.Lock()
	ix.merging, ix.mergeErr = false, err
	ix.changed.Broadcast()
	ix.mu.Unlock()
	if err != nil {
		ix.opts.OnError(err)
	}
	return merged != nil
}

// replace puts a new segment in the place of those it was made of.
func (ix *Index) replace(run []*segment, merged *segment) {
	for _, s := range run {
		s.obsolete.Store(true)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	at := slices.Index(ix.segments, run[0])
	ix.segments = slices.Concat(ix.segments[:at], []*segment{merged}, ix.segments[at+len(run):])
	ix.merges++
}

// startMerge picks the segments to merge and takes a reference on each. It
// returns nil if there is nothing to do.
func (ix *Index) startMerge() []*segment {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	run := ix.nextRun()
	if run == nil || ix.merging || ix.stop.Load() {
		return nil
	}
	ix.merging = true
	for _, s := range run {
		s.acquire()
	}
	return run
}

// nextRun returns the segments to merge next, nil if there are none. The
// caller holds mu.
func (ix *Index) nextRun() []*segment {
	docs := make([]uint64, len(ix.segments))
	for i, s := range ix.segments {
		docs[i] = s.docs
	}
	from, to := pickRun(docs, ix.opts.MergeFactor)
	if from == to {
		return nil
	}
	return ix.segments[from:to]
}

func releaseAll(segments []*segment) {
	for _, s := range segments {
		s.release()
	}
}
