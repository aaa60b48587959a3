// Package embedded stores request logs on one machine, without a server to set
// up.
//
// A log is durable once it is in the journal. From there one goroutine applies
// it to a DuckDB table, which answers filters and analytics, and to a text
// index, which answers free text. Both are derived: what they lack after a
// crash is applied again from the journal, and if they are damaged or lost they
// are rebuilt. A read first waits until everything acknowledged before it has
// been applied, so it always sees it. Damage of the journal costs the logs of
// the damaged block only.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Options configure a store. The zero value of each is a good default.
type Options struct {
	// MemoryMB is the memory limit of DuckDB.
	MemoryMB int
	// Threads is the number of DuckDB threads, 0 for all cores.
	Threads int
	// MinFreeMB is the free space on the disk below which writes are rejected,
	// so that derived data can always be written. -1 turns the check off.
	MinFreeMB int
	// JournalFileBytes is the size at which a new file of the journal is begun.
	JournalFileBytes int64
	// ScrubRate is how many bytes per second a check of everything stored reads
	// in the background, again and again. 0 turns it off.
	ScrubRate int64
	// Copying opens a folder to which logs are copied. Others are refused until the
	// copy is complete.
	Copying bool
	Logger  *slog.Logger
}

func (o Options) withDefaults() Options {
	if o.MemoryMB == 0 {
		o.MemoryMB = 512
	}
	if o.MinFreeMB == 0 {
		o.MinFreeMB = 128
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Store is a reqlog.Store in one folder. The caller makes sure that only one
// process opens a folder at a time.
type Store struct {
	dir     string
	opts    Options
	log     *slog.Logger
	journal *journal.Journal
	text    atomic.Pointer[textindex.Index]

	texting sync.Mutex // held while texts are added to the text index
	indexed int64      // the last id in it

	next journal.Place // the first record that is not applied; used by the applying goroutine only

	until *journal.Place // if set, later records are not applied

	table *table.Table

	writing sync.Mutex // held while writing
	closed  bool       // writes are rejected
	encoder encoder

	mu       sync.Mutex
	blocks   blockIndex
	changed  idSet         // logs whose notes or price were changed
	deleted  textindex.Set // logs that were deleted, at least those that are still in files
	stripped textindex.Set // logs whose texts were deleted, likewise
	owners   owners
	seen     keySet      // of spans, their logs and closed traces
	pending  []operation // durable, not yet applied; in journal order
	bytes    int64       // of the pending operations
	appended uint64      // operations ever made durable
	applied  uint64      // operations ever applied
	progress chan struct{}
	applyErr error // why the last attempt to apply failed, or nil
	// rebuilding makes reads wait while the table or the text index lacks logs
	// that it had.
	rebuilding bool
	lost       []Damage // of the journal
	wanted     uint64   // number of operations that readers wait for, like applied
	lastRead   time.Time

	reclaiming sync.Mutex        // held by Reclaim
	tasks      chan func() error // for the applying goroutine
	taskDone   chan error

	damage chan error    // damage of the table that a reader found
	found  chan struct{} // damage of the journal was found
	// textDamage says that a reader found the text index damaged.
	textDamage chan struct{}
	wake       chan struct{} // something is pending
	urgent     chan struct{} // a reader waits for it, or there is a lot
	stopping   chan struct{}
	stopped    chan struct{} // closed when the applying goroutine has ended

	scrubbing sync.WaitGroup
	scrubbed  scrubStats
}

var _ reqlog.Store = (*Store)(nil)

// Open opens the store in dir, creating it when missing, and applies what the
// last process had only written to the journal.
func Open(ctx context.Context, dir string, opts Options) (*Store, error) {
	opts = opts.withDefaults()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create log folder: %w", err)
	}
	if state, err := copyState(dir); err != nil || state != nil && !opts.Copying {
		return nil, cmp.Or(err, fmt.Errorf("open %s: %w", dir, ErrCopying))
	}
	s := newStore(dir, opts)
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.release())
	}
	s.assess(ctx)
	guard.Go("log store", s.applyLoop)
	if opts.ScrubRate > 0 {
		s.scrubbing.Go(guard.Loop("check of stored logs", s.stopping, s.scrubLoop))
	}
	return s, nil
}

func newStore(dir string, opts Options) *Store {
	return &Store{
		dir: dir, opts: opts, log: opts.Logger,
		damage: make(chan error, 1), found: make(chan struct{}, 1), textDamage: make(chan struct{}, 1), progress: make(chan struct{}),
		tasks: make(chan func() error), taskDone: make(chan error), wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1),
		stopping: make(chan struct{}), stopped: make(chan struct{}),
	}
}

func (s *Store) open(ctx context.Context) (err error) {
	if s.journal, err = journal.Open(filepath.Join(s.dir, journalFolder), journal.Options{
		SegmentBytes: s.opts.JournalFileBytes, WellFormed: wellFormed, OnDamage: func(journal.Damage) { signal(s.found) },
	}); err != nil {
		return err
	}
	if tail := s.journal.Tail(); tail > 0 {
		s.log.Warn("the journal ends with an interrupted write, which the next write sets aside", "bytes", tail)
	}
	s.table = table.New(s.dir, table.Options{MemoryMB: s.opts.MemoryMB, Threads: s.opts.Threads, Logger: s.log})
	known, err := s.table.Restore(ctx, nil)
	if err != nil {
		return err
	}
	if err := s.openText(s.dir, 0); err != nil {
		return err
	}
	return s.recover(ctx, known)
}

// Close applies everything pending and releases the folder. Later writes are
// rejected.
func (s *Store) Close() error {
	s.writing.Lock()
	s.closed = true
	s.writing.Unlock()
	close(s.stopping)
	<-s.stopped
	s.scrubbing.Wait()
	s.reclaiming.Lock() // Reclaim gives up
	defer s.reclaiming.Unlock()
	return s.release()
}

func (s *Store) release() error {
	var err error
	if text := s.text.Load(); text != nil {
		err = errors.Join(err, text.Close())
	}
	if s.table != nil {
		err = errors.Join(err, s.table.Close())
	}
	if s.journal != nil {
		err = errors.Join(err, s.journal.Close())
	}
	return err
}

// Stats is the state of the store, for operators.
type Stats struct {
	PendingOperations int
	PendingBytes      int64
	AppliedOperations uint64
	// DamagedBlocks is the number of damaged parts of the journal, DamagedBytes
	// their size, and DamagedLogs and DamagedSpans the numbers of logs and spans in
	// them.
	DamagedBlocks             int
	DamagedBytes, DamagedLogs int64
	DamagedSpans              int64
	// ScrubbedBytes and ScrubPasses count what the background check has read.
	ScrubbedBytes, ScrubPasses int64
}

// Stats returns the current state.
func (s *Store) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	stats := Stats{
		PendingOperations: len(s.pending), PendingBytes: s.bytes, AppliedOperations: s.applied, DamagedBlocks: len(s.lost),
		ScrubbedBytes: s.scrubbed.bytes.Load(), ScrubPasses: s.scrubbed.passes.Load(),
	}
	for _, d := range s.lost {
		stats.DamagedBytes += d.Bytes
		stats.DamagedLogs += d.Logs
		stats.DamagedSpans += d.Spans
	}
	return stats
}

// Version returns the name and version of the engine.
func Version(ctx context.Context) (string, error) { return table.Version(ctx) }

// catchUp waits until everything that was durable when it was called has been
// applied, and returns the id of the last such log. If applying fails, reads go
// on without the rest, which is safe in the journal, and writes are rejected.
func (s *Store) catchUp(ctx context.Context) (lastID int64, err error) {
	s.mu.Lock()
	target, lastID := s.appended, s.blocks.lastID
	s.wanted = max(s.wanted, target)
	s.lastRead = time.Now()
	for s.rebuilding || s.applied < target && s.applyErr == nil {
		progress := s.progress
		s.mu.Unlock()
		signal(s.urgent)
		select {
		case <-progress:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
		s.mu.Lock()
	}
	s.mu.Unlock()
	return lastID, nil
}

// signal sends to a channel with a buffer of one, unless it is full.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

const (
	// applyDelay is how long an operation waits for others to share its
	// transaction while there are no readers: larger transactions cost less.
	applyDelay = 250 * time.Millisecond
	// readDelay is the same if there was a read within readMemory, so that the
	// next one waits for less.
	readDelay  = 40 * time.Millisecond
	readMemory = time.Second
)

// LastID implements reqlog.Store.
func (s *Store) LastID() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.blocks.lastID
}

// Healthy returns why writes are currently rejected, or nil.
func (s *Store) Healthy() error {
	s.mu.Lock()
	err := s.applyErr
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.roomOnDisk()
}
