// Package embedded stores request logs on one machine, without a server to set
// up.
//
// A log is durable once it is in the journal. From there one goroutine applies
// it to a DuckDB table, which answers filters and analytics, and to a text
// index, which answers free text. Both are derived: what they lack after a
// crash is applied again from the journal, and if they are damaged or lost they
// are rebuilt. A read sees everything acknowledged before it: it looks at what is not
// applied yet, or waits until it is. Damage of the journal costs the logs of the
// damaged block only.
//
// A Store consists of parts around one state, which is in memory: the index, what is
// known of each log, and the queue, what is durable and not yet applied.
//
//   - The writer makes batches durable and adds them to the queue.
//   - The applier takes from the queue, in a goroutine of its own. The upkeep, which
//     only it uses, changes the table; texts has the text index.
//   - The reader asks the table, the text index (textSearch) and the journal (archive).
//   - The reclaimer writes files again without what was deleted.
//   - The scrubber reads everything now and then, in a goroutine of its own.
//
// They know each other in this order only: the reclaimer the writer and the applier,
// the applier the upkeep, the upkeep and the reader the archive, and all of them the
// state. Who finds damage reports it to the alarms, which the applier listens to.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
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

// Store is a requests.Store in one folder. The caller makes sure that only one
// process opens a folder at a time.
type Store struct {
	dir     string
	opts    Options
	journal *journal.Journal
	table   *table.Table
	texts   *texts

	index   *index
	queue   *queue
	alarms  *alarms
	losses  *losses
	archive *archive

	writer    *writer
	upkeep    *upkeep
	applier   *applier
	reader    *reader
	reclaimer *reclaimer
	scrubber  *scrubber

	stopping chan struct{} // closed to end all goroutines
}

var _ requests.Store = (*Store)(nil)

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
	s, err := openWritable(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	s.losses.assess(ctx)
	guard.Go("log store", s.applier.loop)
	s.scrubber.start()
	return s, nil
}

// openWritable opens a store whose goroutines do not run yet.
func openWritable(ctx context.Context, dir string, opts Options) (*Store, error) {
	alarms := newAlarms()
	j, err := journal.Open(JournalFolder(dir), journal.Options{
		SegmentBytes: opts.JournalFileBytes, WellFormed: wellFormed, OnDamage: func(journal.Damage) { signal(alarms.journal) },
	})
	if err != nil {
		return nil, err
	}
	if tail := j.Tail(); tail > 0 {
		opts.Logger.Warn("the journal ends with an interrupted write, which the next write sets aside", "bytes", tail)
	}
	s := newStore(dir, opts, j, alarms)
	if err := s.recover(ctx); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

// openDerived returns a store that is never written to: it has the journal of the store
// in one folder and builds what is derived from it in another one, which recover does.
func openDerived(dir, temporary string, opts Options) (*Store, error) {
	j, err := journal.Open(JournalFolder(dir), journal.Options{ReadOnly: true, WellFormed: wellFormed})
	if err != nil {
		return nil, err
	}
	return newStore(temporary, opts, j, newAlarms()), nil
}

// newStore puts a store together. Each part lists what it uses; none is used before
// recover.
func newStore(dir string, opts Options, j *journal.Journal, alarms *alarms) *Store {
	s := &Store{dir: dir, opts: opts, journal: j, alarms: alarms, index: &index{}, stopping: make(chan struct{})}
	log := opts.Logger
	room := &disk{dir: dir, minFreeMB: opts.MinFreeMB}
	s.queue = newQueue(s.index)
	s.table = table.New(dir, table.Options{MemoryMB: opts.MemoryMB, Threads: opts.Threads, Logger: log})
	s.texts = &texts{dir: dir, journal: j, index: s.index, alarms: alarms, log: log}
	s.losses = &losses{journal: j, table: s.table, index: s.index, log: log}
	s.archive = &archive{journal: j, table: s.table, index: s.index, queue: s.queue, alarms: alarms}
	s.writer = &writer{journal: j, table: s.table, index: s.index, queue: s.queue, disk: room, alarms: alarms}
	s.upkeep = &upkeep{
		dir: dir, journal: j, table: s.table, texts: s.texts, index: s.index, queue: s.queue, archive: s.archive, disk: room, log: log,
	}
	s.applier = &applier{
		queue: s.queue, upkeep: s.upkeep, texts: s.texts, losses: s.losses, alarms: alarms, log: log,
		tasks: make(chan func() error), taskDone: make(chan error), stopping: s.stopping, stopped: make(chan struct{}),
	}
	s.reader = &reader{
		journal: j, table: s.table, texts: s.texts, index: s.index, queue: s.queue, archive: s.archive, alarms: alarms,
		text: &textSearch{journal: j, texts: s.texts, index: s.index, queue: s.queue, alarms: alarms},
	}
	s.reclaimer = &reclaimer{
		journal: j, table: s.table, texts: s.texts, queue: s.queue, writer: s.writer, applier: s.applier, upkeep: s.upkeep, disk: room,
		alarms: alarms, stopping: s.stopping,
	}
	s.scrubber = &scrubber{
		journal: j, table: s.table, texts: s.texts, index: s.index, alarms: alarms, log: log, rate: opts.ScrubRate, stopping: s.stopping,
	}
	return s
}

// recover opens what is derived from the journal and brings it up to date.
func (s *Store) recover(ctx context.Context) error {
	known, err := s.table.Restore(ctx, nil)
	if err != nil {
		return err
	}
	if err := s.texts.open(0); err != nil {
		return err
	}
	return s.upkeep.recover(ctx, known)
}

// Close applies everything pending and releases the folder. Later writes are
// rejected.
func (s *Store) Close() error {
	s.writer.close()
	close(s.stopping)
	<-s.applier.stopped
	s.scrubber.running.Wait()
	s.reclaimer.mu.Lock() // it gives up
	defer s.reclaimer.mu.Unlock()
	return s.release()
}

// release closes all files.
func (s *Store) release() error {
	return errors.Join(s.texts.close(), s.table.Close(), s.journal.Close())
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
	stats := Stats{ScrubbedBytes: s.scrubber.bytes.Load(), ScrubPasses: s.scrubber.passes.Load()}
	s.queue.measure(&stats)
	s.losses.measure(&stats)
	return stats
}

// Version returns the name and version of the engine.
func Version(ctx context.Context) (string, error) { return table.Version(ctx) }
