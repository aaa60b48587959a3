// Package ingest is the bounded queue in front of a store of request logs, which
// writes what arrives together in one commit.
package ingest

import (
	"context"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Options limits the memory and the batches of an Ingester. Fields that
// are 0 have defaults.
type Options struct {
	// MaxLogs and MaxBytes limit the logs that are accepted but not yet answered,
	// including the batch being written. An annotation counts as a log.
	MaxLogs  int
	MaxBytes int64
	// BatchLogs and BatchBytes limit one commit. A single call may exceed them: it
	// is never split.
	BatchLogs  int
	BatchBytes int64
	// IDBlock is how many request ids are reserved at a time.
	IDBlock int64
	// IDLife is how long after its reservation an id may be written, 0 forever.
	IDLife time.Duration
}

func (o Options) withDefaults() Options {
	setDefault(&o.MaxLogs, 10_000)
	setDefault(&o.MaxBytes, 128<<20)
	setDefault(&o.BatchLogs, 1_000)
	setDefault(&o.BatchBytes, 8<<20)
	setDefault(&o.IDBlock, 5_000)
	return o
}

func setDefault[T int | int64](value *T, standard T) {
	if *value == 0 {
		*value = standard
	}
}

// retryAfter is when a rejected client may retry: by then, a full queue has
// been written several times over.
const retryAfter = time.Second

// Store is what an Ingester needs of a store.
type Store interface {
	reqlog.Writer
	// Exists returns nil when the workspace has the log.
	Exists(ctx context.Context, workspace, id int64) error
}

// Ingester is a bounded queue in front of Writer.Write with group commit: calls
// that arrive while a batch is being written share the next one, and a single
// call is written immediately. It is the only group commit, whatever the
// engine. It is safe for concurrent use.
type Ingester struct {
	store   Store
	clock   func() time.Time
	options Options
	ids     *idSource // used by the committing goroutine only
	last    pace      // likewise

	// lifetime ends when a drain times out; the context of a caller must not end a
	// commit that others share.
	lifetime context.Context
	abort    context.CancelFunc
	stopped  chan struct{}

	afterFunc func(time.Duration, func()) *time.Timer // time.AfterFunc

	mu       sync.Mutex
	arrived  *sync.Cond
	queue    queue
	draining bool
	stats    Stats
}

// Stats is the state and the counters of an Ingester.
type Stats struct {
	// Queued and QueuedBytes are accepted and not yet answered. Queued counts
	// logs and annotations.
	Queued      int
	QueuedBytes int64
	// Committed, Failed and Refused count logs: stored, accepted but not stored,
	// and rejected immediately.
	Committed int64
	Failed    int64
	Refused   int64
	// Batches counts successful commits; LastBatch is the size of the newest.
	Batches   int64
	LastBatch int
}

// New returns a running Ingester; Drain stops it. Nothing else may call
// Write of the store in the meantime.
func New(store Store, sequence Sequence, clock func() time.Time, options Options) *Ingester {
	g := newIngester(store, sequence, clock, options.withDefaults())
	guard.Go("ingest", g.run)
	return g
}

func newIngester(store Store, sequence Sequence, clock func() time.Time, options Options) *Ingester {
	lifetime, abort := context.WithCancel(context.Background())
	g := &Ingester{
		store: store, clock: clock, options: options,
		ids:      newIDSource(lifetime, sequence, options.IDBlock, options.IDLife),
		lifetime: lifetime, abort: abort, stopped: make(chan struct{}), afterFunc: time.AfterFunc, queue: newQueue(options),
	}
	g.arrived = sync.NewCond(&g.mu)
	return g
}

// Append stores logs of one workspace in one commit, all or none, and sets
// their ID and CreatedAt. When it returns nil, they are durable. The caller
// must not change them while it waits, nor anything they refer to afterwards.
//
// The fault is Unavailable if the queue is full, and TooLarge if the logs can
// never fit. If ctx ends while the call waits, Append returns immediately with
// an Unavailable fault, without setting anything; the logs may still be stored.
func (g *Ingester) Append(ctx context.Context, logs ...*reqlog.Log) error {
	if len(logs) == 0 {
		return nil
	}
	s := &submission{workspace: logs[0].Workspace, logs: logs}
	for _, l := range logs {
		s.bytes += EstimateSize(l)
	}
	err := g.submit(ctx, s)
	if err == nil {
		s.stamp()
	}
	return err
}

// Annotate stores an annotation of a log. When it returns nil, the annotation
// is durable. The fault is NotFound if the workspace has no such log, otherwise
// as for Append.
func (g *Ingester) Annotate(ctx context.Context, change reqlog.Change) error {
	if err := g.store.Exists(ctx, change.Workspace, change.ID); err != nil {
		return err
	}
	return g.submit(ctx, &submission{workspace: change.Workspace, changes: []reqlog.Change{change}, bytes: annotationSize(&change.Annotation)})
}

// AppendSpans stores a batch of spans in one commit and sets its Result. When it
// returns nil, they are durable. The faults, and what the caller may change, are
// as for Append.
func (g *Ingester) AppendSpans(ctx context.Context, batch *reqlog.SpanBatch) error {
	s := &submission{workspace: batch.Workspace, spans: batch, bytes: spansSize(batch)}
	err := g.submit(ctx, s)
	if err == nil {
		batch.Result = s.stored.Result
	}
	return err
}

// Reprice stores a change of prices. When it returns nil, the change is durable.
// Its faults are those of Append.
func (g *Ingester) Reprice(ctx context.Context, change reqlog.PriceChange) error {
	size := int64(len(change.Prices)+1) * priceSize
	return g.submit(ctx, &submission{workspace: change.Workspace, prices: []reqlog.PriceChange{change}, bytes: size})
}

// submit queues the submission and waits until it is stored.
func (g *Ingester) submit(ctx context.Context, s *submission) error {
	if ctx.Err() != nil {
		return fault.Wrap(fault.Unavailable, context.Cause(ctx), "the request ended before it was stored")
	}
	s.done = make(chan error, 1)
	if err := g.enqueue(s); err != nil {
		return err
	}
	select {
	case err := <-s.done:
		return err
	case <-ctx.Done():
		return fault.Wrap(fault.Unavailable, context.Cause(ctx), "the request ended while it was being stored")
	}
}

func (g *Ingester) enqueue(s *submission) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.admit(s); err != nil {
		g.stats.Refused += int64(s.countLogs())
		return err
	}
	g.queue.push(s)
	g.arrived.Signal()
	return nil
}

func (g *Ingester) admit(s *submission) error {
	o, entries := &g.options, s.entries()
	switch {
	case g.draining:
		return fault.Busy(retryAfter, nil, "the server is shutting down")
	case entries > o.MaxLogs || s.bytes > o.MaxBytes:
		return fault.New(fault.TooLarge, "too much for one call: at most %d %s and %d bytes", o.MaxLogs, s.counted(), o.MaxBytes)
	case !g.queue.fits(s):
		return fault.Busy(retryAfter, nil, "the ingest queue is full")
	}
	return nil
}

// Drain rejects new work, writes and answers everything that is queued, and
// returns when that is done. If ctx ends first, it abandons the rest: those
// callers get an Unavailable fault, and Drain returns the cause.
func (g *Ingester) Drain(ctx context.Context) error {
	g.mu.Lock()
	g.draining = true
	g.arrived.Signal()
	g.mu.Unlock()
	select {
	case <-g.stopped:
		return nil
	case <-ctx.Done():
		g.abort()
		return context.Cause(ctx)
	}
}

// Stats returns the current state of the queue and its counters.
func (g *Ingester) Stats() Stats {
	g.mu.Lock()
	defer g.mu.Unlock()
	stats := g.stats
	stats.Queued, stats.QueuedBytes = g.queue.logs, g.queue.bytes
	return stats
}

func (g *Ingester) run() {
	defer close(g.stopped)
	defer g.ids.wait()
	defer g.abort()
	guard.Loop("ingest", g.lifetime.Done(), func() {
		for batch := g.take(); batch != nil; batch = g.take() {
			g.serve(batch)
		}
	})()
}

// serve commits a batch. Its callers get an answer even if that panics.
func (g *Ingester) serve(batch []*submission) {
	g.last.began = time.Now()
	err := guard.Run("ingest", func() error { g.commit(batch); return nil })
	if err == nil {
		return
	}
	for _, s := range batch {
		select {
		case s.done <- err:
		default: // it has one
		}
	}
}

// take waits for work and removes the next batch from the queue. It returns nil
// when the queue is empty and closed.
func (g *Ingester) take() []*submission {
	g.mu.Lock()
	defer g.mu.Unlock()
	for {
		if wait := g.gathering(); wait > 0 {
			g.wakeAfter(wait)
			g.arrived.Wait()
			continue
		}
		if batch := g.nextBatch(); batch != nil {
			return batch
		}
		switch {
		case len(g.queue.turns) > 0: // the store is behind
			g.wakeAfter(backlogPause)
		case g.draining:
			return nil
		}
		g.arrived.Wait()
	}
}

const (
	// smallCall is the size of calls that are stored even if the store is
	// behind, so that they do not wait for the large calls of others.
	smallCall = 64 << 10
	// backlogPause is the time after which a large call looks at the store
	// again.
	backlogPause = 2 * time.Millisecond
)

// nextBatch removes submissions from the queue, in turns, until a batch is full
// or nothing is left that may be stored now.
func (g *Ingester) nextBatch() []*submission {
	behind := !g.draining && g.store.Backlog() >= 1
	var batch []*submission
	entries, bytes := 0, int64(0)
	for {
		next := g.queue.pop(func(s *submission) bool {
			return (!behind || s.bytes <= smallCall) &&
				(len(batch) == 0 || entries+s.entries() <= g.options.BatchLogs && bytes+s.bytes <= g.options.BatchBytes)
		})
		if next == nil {
			return batch
		}
		batch = append(batch, next)
		entries += next.entries()
		bytes += next.bytes
	}
}

// commit writes the batch and answers its callers. A batch that the store
// rejects because of its content is halved until the bad submission is alone:
// one bad log costs the others some commits, not their success. So does one that
// makes the store panic.
func (g *Ingester) commit(batch []*submission) {
	err := guard.Run("commit of logs", func() error { return g.write(batch) })
	if err != nil && len(batch) > 1 && !fault.Is(err, fault.Unavailable) {
		half := len(batch) / 2
		g.commit(batch[:half])
		g.commit(batch[half:])
		return
	}
	g.answer(batch, err)
}

// write stores the batch in one commit. Each attempt takes new ids, so that
// they are higher than those of any earlier attempt.
func (g *Ingester) write(batch []*submission) error {
	count := 0
	for _, s := range batch {
		count += s.countLogs()
	}
	ids, until, err := g.ids.take(count)
	if err != nil {
		return fault.Busy(retryAfter, err, "cannot allocate request ids; retry later")
	}
	ctx, cancel := g.lifetime, context.CancelFunc(func() {})
	if !until.IsZero() {
		ctx, cancel = context.WithDeadline(ctx, until)
	}
	defer cancel()
	now := reqlog.At(g.clock())
	stored := reqlog.Batch{Logs: make([]*reqlog.Log, 0, count)}
	for _, s := range batch {
		count := s.countLogs()
		s.at, s.ids, ids = now, ids[:count], ids[count:]
		s.addTo(&stored)
	}
	err = g.store.Write(ctx, stored)
	switch {
	case err != nil && g.lifetime.Err() != nil:
		return fault.Busy(retryAfter, err, "the server is shutting down")
	case err != nil && ctx.Err() != nil:
		return fault.Busy(retryAfter, err, "the log store takes too long")
	}
	return err
}

// answer frees the place of the batch in the queue before it answers, so that a
// caller that retries immediately finds it free.
func (g *Ingester) answer(batch []*submission, err error) {
	g.mu.Lock()
	count := 0
	for _, s := range batch {
		count += s.countLogs()
		g.queue.release(s)
	}
	g.last.took, g.last.callers = time.Since(g.last.began), len(batch)+g.queue.waiting()
	if err != nil {
		g.stats.Failed += int64(count)
	} else {
		g.stats.Committed += int64(count)
		g.stats.Batches++
		g.stats.LastBatch = count
	}
	g.mu.Unlock()
	for _, s := range batch {
		s.done <- err
	}
}

// deletedSize is about the memory of an id of a Deletion, with those of the spans
// that go with it.
const deletedSize = 64

// Delete stores a deletion. When it returns nil, the deletion is durable and no
// read that begins later finds what was deleted. Its faults are those of Append.
func (g *Ingester) Delete(ctx context.Context, d reqlog.Deletion) error {
	if len(d.Logs) > reqlog.MaxDeleted || len(d.Traces) > reqlog.MaxDeleted {
		return fault.New(fault.TooLarge, "at most %d logs and traces can be deleted at once", reqlog.MaxDeleted)
	}
	size := int64(len(d.Logs)+len(d.Traces)+1) * deletedSize
	return g.submit(ctx, &submission{workspace: d.Workspace, deletions: []reqlog.Deletion{d}, bytes: size})
}
