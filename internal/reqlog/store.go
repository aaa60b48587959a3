package reqlog

import "context"

// Writer stores request logs and the spans of traces. Every method is safe for
// concurrent use.
//
// A log belongs to the span whose LogSpanID is its SpanID, and to that span's
// trace, whichever of the two arrives first.
//
// If the engine cannot write (disk full, read-only, server down), writing
// methods return a fault of kind Unavailable and have stored nothing; reads
// continue, and writes work again once the cause is gone.
type Writer interface {
	// Write stores the batch, all or nothing. When it returns nil the batch is
	// durable: a crash of the process or the machine does not lose it. The ids
	// of the logs are set, unique, and higher than those of any earlier batch;
	// Write is not called concurrently with itself. The store owns the logs and
	// spans afterwards.
	//
	// Spans of a closed trace are not stored. A span replaces the one with the same
	// ids. The log of a span is not stored if the workspace has a log with its
	// SpanID already. The ids of these logs, too, are set and higher than those of
	// any earlier batch.
	Write(ctx context.Context, batch Batch) error

	// Backlog is how much work earlier writes have left, as a part of what the
	// store can hold comfortably. From 1 on, large batches should wait.
	Backlog() float64

	// LastID returns the highest id of a log, or a higher one that a deleted log had,
	// 0 without logs.
	LastID() int64

	// Close writes what is still in memory and releases the engine.
	Close() error
}

// Remover removes what was deleted.
type Remover interface {
	// Reclaim removes everything that was deleted before it was called from the
	// files of the store, wherever it is, and returns their space to the system.
	// Reads and writes go on in the meantime. It is called by one goroutine at a time, and
	// again after an error or a crash: then it continues with what is left. progress,
	// unless nil, is called after each file that was rewritten or removed.
	Reclaim(ctx context.Context, progress ReclaimProgress) (Reclaimed, error)
}

// Batch is the content of one commit.
type Batch struct {
	Logs []*Log
	// Changes annotate logs that exist or are part of the batch. They are applied
	// in order.
	Changes []Change
	Spans   []*SpanBatch
	// Prices change prices of logs that exist. They are applied in order. The price
	// that a log was written with is kept, so that it can return to it.
	Prices []PriceChange
	// Deletions delete logs of earlier batches, or their texts.
	Deletions []Deletion
}

// Change is an annotation of one log.
type Change struct {
	Workspace, ID int64
	Annotation    Annotation
}
