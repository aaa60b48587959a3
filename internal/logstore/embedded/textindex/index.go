package textindex

import (
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/guard"
)

// MaxID is the highest id a document may have. Ids should be dense: the size
// of a Set goes with the range of ids, not with their number.
const MaxID = 1<<40 - 1

// maxFrozen is how many full segments may wait to be written before Add waits
// for the disk.
const maxFrozen = 4

// ErrClosed is returned by an index that was closed.
var ErrClosed = errors.New("text index is closed")

// Options are the knobs of an index. The zero value is good for production.
type Options struct {
	// Version is that of the texts. The caller changes it when the same
	// documents have other texts than before; Open then removes all files.
	Version uint32
	// SegmentDocs is how many documents are collected in memory before they
	// are written as one file. Default 8192: searches compare most of the terms in
	// memory, and skip most of those in files (ADR 36).
	SegmentDocs int
	// SegmentBytes is how much memory they may take. Default 128 MiB.
	SegmentBytes int
	// MergeFactor is how many neighbouring files of similar size are merged
	// into one. Default 8, at least 2.
	MergeFactor int
	// VerifyBytes is up to how many bytes of posting lists Open checks, the
	// newest files first. Everything else is always checked. Default 1 GiB;
	// below zero, none.
	VerifyBytes int64
	// OnError, if set, is told about failures in the background. It is
	// called from other goroutines.
	OnError func(error)
}

func (o Options) withDefaults() Options {
	if o.SegmentDocs <= 0 {
		o.SegmentDocs = 8 << 10
	}
	if o.SegmentBytes <= 0 {
		o.SegmentBytes = 128 << 20
	}
	if o.MergeFactor < 2 {
		o.MergeFactor = 8
	}
	if o.VerifyBytes == 0 {
		o.VerifyBytes = 1 << 30
	}
	if o.OnError == nil {
		o.OnError = func(error) {}
	}
	return o
}

// Index is an inverted index in a directory of its own. All methods may be
// called from several goroutines at once, though documents must come in the
// order of their ids.
type Index struct {
	dir  string
	opts Options

	mu sync.RWMutex
	// changed is signalled, with mu held, when anything below changes other
	// than through Add.
	changed *sync.Cond
	mem     *memory
	// frozen and segments are oldest first. The slices are replaced, never
	// changed, so that readers may keep them.
	frozen   []*memory
	segments []*segment
	last     int64 // last id added, or none
	saved    int64 // last id in a file, or none
	merging  bool
	merges   int
	writeErr error // of the last attempt, nil if it went well
	mergeErr error
	closed   bool

	damage     atomic.Pointer[error]
	stop       atomic.Bool   // tells a running merge to give up
	done       chan struct{} // closed to end the goroutines
	writeNudge chan struct{}
	mergeNudge chan struct{}
	background sync.WaitGroup
}

// Open opens the index in dir, which is made if it does not exist. Files that
// are damaged or of another version, and all files of later documents, are
// removed; Last tells what is left. An error means that the directory could not be used at all.
func Open(dir string, opts Options) (*Index, error) {
	opts = opts.withDefaults()
	segments, err := loadSegments(dir, fileVersion(opts.Version), opts.VerifyBytes)
	if err != nil {
		return nil, fmt.Errorf("open text index: %w", err)
	}
	ix := &Index{
		dir: dir, opts: opts, segments: segments,
		last: lastOf(segments), saved: lastOf(segments),
		done:       make(chan struct{}),
		writeNudge: make(chan struct{}, 1),
		mergeNudge: make(chan struct{}, 1),
	}
	ix.changed = sync.NewCond(&ix.mu)
	ix.mem = newMemory(ix.last)
	ix.background.Go(guard.Loop("text index", ix.done, func() { ix.loop(ix.writeNudge, ix.writeOldest) }))
	ix.background.Go(guard.Loop("text index", ix.done, func() { ix.loop(ix.mergeNudge, ix.mergeOnce) }))
	nudge(ix.mergeNudge)
	return ix, nil
}

// Add takes in a document with the texts of its fields, by position; it
// is found by every query that starts after Add has returned. Its id must be
// above all ids before it, also those on disk, and at most MaxID, and its owner
// above 0; there may be at most MaxFields fields.
func (ix *Index) Add(d Doc, fields []string) error {
	id := d.ID
	ix.mu.Lock()
	defer ix.mu.Unlock()
	switch {
	case ix.closed:
		return ErrClosed
	case id <= ix.last || id < 0 || id > MaxID:
		return fmt.Errorf("add document %d to text index: id out of order, last is %d", id, ix.last)
	case d.Owner <= 0:
		return fmt.Errorf("add document %d to text index: invalid owner %d", id, d.Owner)
	case len(fields) > MaxFields:
		return fmt.Errorf("add document %d to text index: %d fields, at most %d", id, len(fields), MaxFields)
	}
	if !ix.mem.fits(id) {
		ix.freeze()
	}
	ix.mem.add(d, fields)
	ix.last = id
	if ix.mem.docs >= ix.opts.SegmentDocs || ix.mem.bytes() >= ix.opts.SegmentBytes {
		ix.freeze()
		// Holding documents back is better than running out of memory, but
		// only as long as writing helps.
		for len(ix.frozen) > maxFrozen && ix.writeErr == nil && !ix.closed {
			ix.changed.Wait()
		}
	}
	return nil
}

// freeze passes the segment in memory on to the writer. The caller holds mu.
func (ix *Index) freeze() {
	if ix.mem.docs == 0 {
		return
	}
	ix.frozen = append(ix.frozen[:len(ix.frozen):len(ix.frozen)], ix.mem)
	ix.mem = newMemory(ix.last)
	ix.writeErr = nil
	nudge(ix.writeNudge)
}

// Last returns the id of the last document that is safely on disk, or -1 if
// there is none. After Open the caller adds the documents after it again.
func (ix *Index) Last() int64 {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.saved
}

func lastOf(segments []*segment) int64 {
	if len(segments) == 0 {
		return none
	}
	return segments[len(segments)-1].span.last
}

// Flush writes all documents added until now to disk and waits for it.
func (ix *Index) Flush() error {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.closed {
		return ErrClosed
	}
	return ix.flush()
}

// flush does the work of Flush. The caller holds mu.
func (ix *Index) flush() error {
	ix.freeze()
	ix.writeErr = nil
	nudge(ix.writeNudge)
	for len(ix.frozen) > 0 && ix.writeErr == nil {
		ix.changed.Wait()
	}
	return ix.writeErr
}

// Close writes all documents to disk, gives up a merge that may be running
// and frees everything. Queries that run end normally; later ones find
// nothing. An error means that some documents were not written; the index is
// closed nevertheless.
func (ix *Index) Close() error {
	ix.mu.Lock()
	if ix.closed {
		ix.mu.Unlock()
		return ErrClosed
	}
	ix.closed = true
	ix.stop.Store(true)
	err := ix.flush()
	ix.mu.Unlock()
	close(ix.done)
	ix.background.Wait()

	ix.mu.Lock()
	segments := ix.segments
	ix.segments, ix.frozen, ix.mem = nil, nil, newMemory(ix.last)
	ix.changed.Broadcast()
	ix.mu.Unlock()
	releaseAll(segments)
	if err != nil {
		return fmt.Errorf("close text index: %w", err)
	}
	return nil
}

// nudge wakes the goroutine that reads from c, unless it is to wake anyway.
func nudge(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
