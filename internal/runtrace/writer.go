package runtrace

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/trace"
)

const (
	// gather is how long spans wait for others, so that they share a commit.
	gather = 100 * time.Millisecond
	// retryPause is the time after which spans that could not be stored are tried
	// again.
	retryPause = time.Second
	// batchSpans and batchBytes limit one commit.
	batchSpans = 1000
	batchBytes = 4 << 20
	// maxWaiting and maxWaitingBytes limit what waits to be stored. A workspace can
	// use half of it.
	maxWaiting      = 4 * MaxSpans
	maxWaitingBytes = 64 << 20
)

// Store stores spans.
type Store interface {
	LogSpans(ctx context.Context, workspace int64, in requests.SpanInput) (reqlog.SpanResult, error)
}

// Options configure a Writer.
type Options struct {
	Store Store
	// Logger reports spans that could not be stored. It may be nil.
	Logger *slog.Logger
}

// Writer stores spans in the background. If the store is slow or not available,
// spans wait in memory; when too many wait, more are left out. It is safe for
// concurrent use. A nil writer records nothing.
type Writer struct {
	store  Store
	logger *slog.Logger

	mu sync.Mutex
	// waiting are the spans of each workspace, in the order in which they were
	// added.
	waiting map[int64]*lane
	held    size
	dropped int64
	told    bool
	added   chan struct{}

	life    context.Context
	stop    context.CancelFunc
	closing chan struct{}
	closed  sync.Once
	done    chan struct{}
}

// size is the number of spans and of their bytes.
type size struct {
	spans int
	bytes int64
}

func (s size) exceeds(part int) bool {
	return s.spans > maxWaiting/part || s.bytes > maxWaitingBytes/int64(part)
}

// lane has the spans of a workspace that wait.
type lane struct {
	spans []*reqlog.Span
	held  size
}

// NewWriter returns a running writer; Close stops it.
func NewWriter(o Options) *Writer {
	life, stop := context.WithCancel(context.Background())
	w := &Writer{
		store: o.Store, logger: o.Logger, waiting: map[int64]*lane{}, added: make(chan struct{}, 1),
		life: life, stop: stop, closing: make(chan struct{}), done: make(chan struct{}),
	}
	if w.logger == nil {
		w.logger = slog.New(slog.DiscardHandler)
	}
	guard.Go("traces of runs", w.run)
	return w
}

// Dropped returns the number of spans that were left out because too many
// waited, or because the store rejected them.
func (w *Writer) Dropped() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.dropped
}

// add queues a span and reports whether there was room. There is more room for
// roots, without which a trace has no beginning.
func (w *Writer) add(span *reqlog.Span, root bool) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.waiting[span.Workspace]
	if l == nil {
		l = &lane{}
	}
	more := size{1, span.DataSize()}
	own, all := l.held.plus(more), w.held.plus(more)
	if !root && (own.exceeds(2) || all.exceeds(1)) || root && own.spans > maxWaiting {
		w.drop(1)
		return false
	}
	l.spans, l.held, w.held = append(l.spans, span), own, all
	w.waiting[span.Workspace] = l
	w.wake()
	return true
}

func (s size) plus(more size) size { return size{s.spans + more.spans, s.bytes + more.bytes} }

// drop counts spans that are left out. The first of them is reported.
func (w *Writer) drop(n int) {
	w.dropped += int64(n)
	if !w.told {
		w.told = true
		w.logger.Warn("spans of runs are left out of their traces: too many wait to be stored")
	}
}

// run stores spans until the writer is closed.
func (w *Writer) run() {
	defer close(w.done)
	guard.Loop("traces of runs", w.life.Done(), w.serve)()
}

func (w *Writer) serve() {
	for {
		closing := w.wait()
		stored := w.flush()
		if closing {
			return
		}
		if !stored {
			w.pause(retryPause)
			w.wake()
		}
	}
}

// wait waits for spans, and a moment for more. It reports whether the writer is
// closing.
func (w *Writer) wait() (closing bool) {
	select {
	case <-w.added:
		return w.pause(gather)
	case <-w.closing:
		return true
	}
}

// pause waits unless the writer is closing, and reports whether it is.
func (w *Writer) pause(how time.Duration) (closing bool) {
	timer := time.NewTimer(how)
	defer timer.Stop()
	select {
	case <-timer.C:
		return false
	case <-w.closing:
		return true
	}
}

func (w *Writer) wake() {
	select {
	case w.added <- struct{}{}:
	default: // it will wake up
	}
}

// flush stores all spans that wait, and reports whether it did. If that fails for
// a workspace, its spans go on waiting.
func (w *Writer) flush() (all bool) {
	all = true
	for _, workspace := range w.workspaces() {
		for batch := w.take(workspace); len(batch) > 0; batch = w.take(workspace) {
			if !w.write(workspace, batch) {
				w.putBack(workspace, batch)
				all = false
				break
			}
		}
	}
	return all
}

func (w *Writer) workspaces() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := make([]int64, 0, len(w.waiting))
	for id := range w.waiting {
		ids = append(ids, id)
	}
	return ids
}

// take removes the next spans of a workspace.
func (w *Writer) take(workspace int64) []*reqlog.Span {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.waiting[workspace]
	if l == nil {
		return nil
	}
	var taken size
	for taken.spans < len(l.spans) && taken.spans < batchSpans && taken.bytes < batchBytes {
		taken = taken.plus(size{1, l.spans[taken.spans].DataSize()})
	}
	batch := l.spans[:taken.spans:taken.spans]
	l.spans = l.spans[taken.spans:]
	l.held = size{l.held.spans - taken.spans, l.held.bytes - taken.bytes}
	w.held = size{w.held.spans - taken.spans, w.held.bytes - taken.bytes}
	if len(l.spans) == 0 {
		delete(w.waiting, workspace)
	}
	return batch
}

// putBack returns spans to the front of the queue.
func (w *Writer) putBack(workspace int64, batch []*reqlog.Span) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.waiting[workspace]
	if l == nil {
		l = &lane{}
		w.waiting[workspace] = l
	}
	l.spans = append(batch, l.spans...)
	for _, span := range batch {
		one := size{1, span.DataSize()}
		l.held, w.held = l.held.plus(one), w.held.plus(one)
	}
}

// write stores spans on behalf of the program and reports whether they need not
// be stored again. Spans of a trace that somebody has closed are left out.
func (w *Writer) write(workspace int64, batch []*reqlog.Span) bool {
	ctx := access.WithCaller(w.life, access.Caller{Workspace: workspace, Permissions: access.SetOf(access.RequestCreate)})
	latest := lastOfEach(batch)
	for _, span := range latest {
		span.Index = trace.Index(span, nil)
	}
	_, err := w.store.LogSpans(ctx, workspace, requests.SpanInput{Spans: latest})
	switch {
	case err == nil:
		return true
	case fault.Is(err, fault.Unavailable):
		w.logger.Debug("spans of runs wait to be stored", "error", err)
		return false
	}
	w.logger.Error("spans of runs were not stored", "workspace", workspace, "spans", len(latest), "error", err)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dropped += int64(len(latest))
	return true
}

// lastOfEach returns the spans without those that another one later in the batch
// replaces.
func lastOfEach(batch []*reqlog.Span) []*reqlog.Span {
	last := make(map[int64]int, len(batch))
	for i, span := range batch {
		last[span.Key()] = i
	}
	kept := make([]*reqlog.Span, 0, len(last))
	for i, span := range batch {
		if last[span.Key()] == i {
			kept = append(kept, span)
		}
	}
	return kept
}

// Close stores what waits and stops the writer. What the store does not accept
// now, or before ctx ends, is lost. Nothing may be written afterwards.
func (w *Writer) Close(ctx context.Context) error {
	w.closed.Do(func() { close(w.closing) })
	defer w.stop()
	select {
	case <-w.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
