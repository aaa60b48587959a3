// Package embedded keeps request logs on one machine, with no server to set up.
//
// A log is durable once it stands in the journal. From there one goroutine
// applies it to a DuckDB table, which answers filters and analytics, and to a
// text index, which answers free text. Both are derived: what they lack after
// a crash is applied again from the journal, and if they are lost they are
// built anew. A read first waits until everything acknowledged before it has
// been applied, so it always sees it.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Options tune a store. The zero value of each is a good default.
type Options struct {
	// MemoryMB is how much memory DuckDB may use for its own purposes.
	MemoryMB int
	// Threads is how many threads DuckDB may use, 0 for all cores.
	Threads int
	// MinFreeMB is how much room must be left on the disk for a write to be
	// accepted, so that what is derived can always be written too. -1 turns
	// the check off.
	MinFreeMB int
	// ScrubRate is how many bytes per second a check of everything stored reads
	// in the background, again and again. 0 turns it off.
	ScrubRate int64
	Logger    *slog.Logger
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

// Store is a reqlog.Store in one folder. Only one process may open a folder at
// a time; the caller sees to that.
type Store struct {
	dir     string
	opts    Options
	log     *slog.Logger
	journal *journal.Journal
	text    atomic.Pointer[textindex.Index]

	// The applying goroutine's own:
	indexed int64         // the last id in the text index
	next    journal.Place // the first record that is not applied

	until *journal.Place // if set, later records are not applied

	table *table.Table

	writing sync.Mutex // held by the writer
	closed  bool       // no further write is accepted

	mu        sync.Mutex
	blocks    blockIndex
	annotated idSet
	owners    owners
	pending   []operation // durable, not yet applied; in journal order
	bytes     int64       // of the pending operations
	appended  uint64      // operations ever made durable
	applied   uint64      // operations ever applied
	progress  chan struct{}
	applyErr  error // why the last attempt to apply failed, nil when it did not
	// rebuilding says that the table lacks what it already had.
	rebuilding bool
	lost       []Damage // of the journal
	waiting    int      // readers that wait for the pending operations
	lastRead   time.Time

	damage chan error    // damage of the table that a reader found
	found  chan struct{} // damage of the journal was found
	// textDamage says that a reader found the text index damaged.
	textDamage chan struct{}
	wake       chan struct{} // something is pending
	urgent     chan struct{} // somebody waits for it, or it is a lot
	stopping   chan struct{}
	stopped    chan struct{} // closed when the applying goroutine has ended

	scrubbing sync.WaitGroup
	scrubbed  scrubStats
}

var _ reqlog.Store = (*Store)(nil)

// Open opens the store in dir, creating it when missing, and applies whatever
// the last process left in the journal only.
func Open(ctx context.Context, dir string, opts Options) (*Store, error) {
	opts = opts.withDefaults()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create log folder: %w", err)
	}
	s := newStore(dir, opts)
	if err := s.open(ctx); err != nil {
		return nil, errors.Join(err, s.release())
	}
	s.assess(ctx)
	go s.applyLoop()
	if opts.ScrubRate > 0 {
		s.scrubbing.Go(s.scrubLoop)
	}
	return s, nil
}

func newStore(dir string, opts Options) *Store {
	return &Store{
		dir: dir, opts: opts, log: opts.Logger,
		damage: make(chan error, 1), found: make(chan struct{}, 1), textDamage: make(chan struct{}, 1), progress: make(chan struct{}), wake: make(chan struct{}, 1), urgent: make(chan struct{}, 1),
		stopping: make(chan struct{}), stopped: make(chan struct{}),
	}
}

func (s *Store) open(ctx context.Context) (err error) {
	if s.journal, err = journal.Open(filepath.Join(s.dir, journalFolder), journal.Options{
		WellFormed: wellFormed, OnDamage: func(journal.Damage) { signal(s.found) },
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
	if err := s.openText(s.dir); err != nil {
		return err
	}
	return s.recover(ctx, known)
}

// Close applies everything pending and releases the folder. Writes that come
// too late are refused.
func (s *Store) Close() error {
	s.writing.Lock()
	s.closed = true
	s.writing.Unlock()
	close(s.stopping)
	<-s.stopped
	s.scrubbing.Wait()
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

// Stats describes the state of the store for its operators.
type Stats struct {
	PendingOperations int
	PendingBytes      int64
	AppliedOperations uint64
	// DamagedBlocks is the number of damaged parts of the journal, DamagedBytes
	// their size, and DamagedLogs the number of logs in them.
	DamagedBlocks             int
	DamagedBytes, DamagedLogs int64
	// ScrubbedBytes and ScrubPasses count what the background check has read.
	ScrubbedBytes, ScrubPasses int64
}

// Stats returns the present state.
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
	}
	return stats
}

// Version returns the name and version of the engine.
func Version(ctx context.Context) (string, error) { return table.Version(ctx) }

// catchUp waits until everything that was durable when it was called has been
// applied, and returns the last log of that. When the engine cannot apply,
// reads go on without the rest: it is safe in the journal and writes are
// refused meanwhile.
func (s *Store) catchUp(ctx context.Context) (lastID int64, err error) {
	s.mu.Lock()
	target, lastID := s.appended, s.blocks.lastID
	s.waiting++
	s.lastRead = time.Now()
	defer func() {
		s.mu.Lock()
		s.waiting--
		s.mu.Unlock()
	}()
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

// signal leaves a note in a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

const (
	// applyDelay is how long an operation may wait for others to be applied
	// with it when nobody asks for it: larger transactions cost DuckDB less.
	applyDelay = 250 * time.Millisecond
	// readDelay is the same while there are readers, the last of them no
	// longer ago than readMemory: the next one then has less to wait for.
	readDelay  = 40 * time.Millisecond
	readMemory = time.Second
)

// LastID returns the highest id of a log, 0 when there is none.
func (s *Store) LastID() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.blocks.lastID
}

// Healthy returns why writes are refused at present, nil when they are not.
func (s *Store) Healthy() error {
	s.mu.Lock()
	err := s.applyErr
	s.mu.Unlock()
	if err != nil {
		return err
	}
	return s.roomOnDisk()
}
