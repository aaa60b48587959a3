package embedded

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// operation is a durable change that is not yet in the table and the text index:
// a new log, a span, the end of a trace, a change of prices, a deletion, or an
// annotation of an older log.
type operation struct {
	// At most one of these is set; an annotation has none.
	log     *reqlog.Log
	span    *reqlog.Span
	closure *reqlog.Closure
	prices  *reqlog.PriceChange
	// deletion deletes logs or their texts.
	deletion *reqlog.Deletion
	// Change is the annotation. Its Workspace and ID are also those of a log, and ID
	// is the key of a span.
	reqlog.Change
	size  int
	place journal.Place
	// replaces says that the table may have the span already.
	replaces bool
}

// annotates reports whether the operation is an annotation.
func (op *operation) annotates() bool {
	return op.log == nil && op.span == nil && op.closure == nil && op.prices == nil && op.deletion == nil
}

// rows is how many rows of the table the operation changes at most.
func (op *operation) rows() int {
	switch {
	case op.deletion != nil:
		return 1 + len(op.deletion.Logs) + len(op.deletion.SpanKeys)
	case op.prices == nil:
		return 1
	case len(op.prices.Prices) > 0:
		return len(op.prices.Prices)
	default:
		return int(min(op.prices.Last-op.prices.First+1, maxApplyRows))
	}
}

// rewrites returns the logs whose rows the operation changes in place.
func (op *operation) rewrites() []int64 {
	switch {
	case op.annotates():
		return []int64{op.ID}
	case op.deletion != nil && op.deletion.KeepsLogs():
		return op.deletion.Logs
	}
	return nil
}

// rewrite changes the row of a log.
func (op *operation) rewrite(l *reqlog.Log) {
	switch {
	case op.deletion == nil:
		op.Annotation.Apply(l)
	case op.deletion.Removes():
		op.deletion.Removal().Apply(l)
	default:
		l.DropTexts()
	}
}

// removes reports whether the operation removes metadata or scores, which are in
// records of the journal until it is rewritten.
func (op *operation) removes() bool {
	if op.deletion != nil {
		return op.deletion.Removes()
	}
	return op.annotates() && op.Annotation.Removes()
}

// owner returns the workspace of an annotation or a deletion.
func (op *operation) owner() int64 {
	if op.deletion != nil {
		return op.deletion.Workspace
	}
	return op.Workspace
}

// lastID returns the highest id of a log that the operation proves to have been
// there, 0 for none. The record of a deletion may be all that is left of the last
// log.
func (op *operation) lastID() int64 {
	switch {
	case op.log != nil:
		return op.ID
	case op.deletion != nil && len(op.deletion.Logs) > 0:
		return op.deletion.Logs[len(op.deletion.Logs)-1]
	}
	return 0
}

// upTo returns the first operations that change at most so many rows together,
// or the first alone.
func upTo(operations []operation, rows int) []operation {
	for i := range operations {
		if rows -= operations[i].rows(); rows < 0 {
			return operations[:max(i, 1)]
		}
	}
	return operations
}

// decodeBlock returns the operations of a block that are not deleted.
func decodeBlock(block journal.Block) ([]operation, error) {
	operations := make([]operation, 0, len(block.Records))
	for slot, raw := range block.Records {
		if len(raw) == 0 {
			continue
		}
		op, err := decodeOperation(record(raw), journal.Place{Block: block.Position, Slot: int64(slot)})
		if err != nil {
			return nil, fmt.Errorf("journal block %d: %w", block.Position, err)
		}
		operations = append(operations, op)
	}
	return operations, nil
}

func decodeOperation(r record, at journal.Place) (operation, error) {
	if !r.valid() {
		return operation{}, errRecord
	}
	op := operation{Change: reqlog.Change{Workspace: r.workspace(), ID: r.id()}, size: len(r), place: at}
	var err error
	switch r.kind() {
	case recordLog:
		op.log, err = decodeWhole(r)
	case recordAnnotation:
		op.Annotation, err = document.DecodeAnnotation(r[recordHeader:])
	case recordSpan:
		op.span, err = decodeSpan(r)
		op.replaces = true // unless it is known to be new
	case recordClosure:
		op.closure, err = decodeClosure(r)
	case recordPrices:
		op.ID = 0
		op.prices, err = decodePriceChange(r)
	case recordDeletion:
		op.deletion, err = decodeDeletion(r)
	default:
		err = fmt.Errorf("%w: kind %d is not known to this version", errRecord, r.kind())
	}
	return op, err
}
