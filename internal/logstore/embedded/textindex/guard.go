package textindex

import (
	"fmt"
	"runtime/debug"
)

// guarded runs work that reads mapped files. A file that was truncated or changed
// while it is open makes reading it fault or run out of range; guarded returns
// that as errCorrupt instead of ending the process.
func guarded(work func()) (err error) {
	faults := debug.SetPanicOnFault(true)
	defer debug.SetPanicOnFault(faults)
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errCorrupt, p)
		}
	}()
	work()
	return nil
}

// Damaged returns why the answers of the index cannot be relied on, nil if they
// can. A damaged index stays so; opening it again removes the damaged files.
func (ix *Index) Damaged() error {
	if err := ix.damage.Load(); err != nil {
		return *err
	}
	return nil
}

// note records the first damage and reports it.
func (ix *Index) note(err error) {
	if err != nil && ix.damage.CompareAndSwap(nil, &err) {
		ix.opts.OnError(err)
	}
}

// CheckFiles compares the checksums of all files. It calls pace with the size of
// each part it is about to read and stops if that returns false.
func (ix *Index) CheckFiles(pace func(bytes int) bool) error {
	ix.mu.RLock()
	segments := ix.segments
	for _, s := range segments {
		s.acquire()
	}
	ix.mu.RUnlock()
	defer releaseAll(segments)
	for _, s := range segments {
		if !pace(len(s.data)) {
			return nil
		}
		err := s.check()
		if err == nil {
			err = s.checkPostings()
		}
		if err != nil {
			ix.note(err)
			return err
		}
	}
	return nil
}
