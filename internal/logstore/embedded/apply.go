package embedded

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// applyRows is the number of operations that are worth a transaction of their
// own. Setting one up takes as long as appending a thousand rows.
const applyRows = 4000

// maxApplyRows bounds a transaction, so that a reader waiting for the first of
// many operations does not wait for all.
const maxApplyRows = 6000

// logsPerPause is the number of logs whose texts are added in about a millisecond.
const logsPerPause = 32

// apply adds the operations to the text index and then, in one transaction, to
// the table. In this order it can be retried: no query finds a log that is only
// in the text index, and it is not added twice.
func (u *upkeep) apply(ctx context.Context, operations []operation) error {
	for len(operations) > 0 && operations[0].place.Before(u.place) {
		operations = operations[1:] // a rebuild was faster
	}
	if len(operations) == 0 {
		return nil
	}
	for part := range slices.Chunk(operations, logsPerPause) {
		if err := u.texts.add(part); err != nil {
			return err
		}
		runtime.Gosched() // so that commits and short requests are not delayed
	}
	batch, err := u.batch(ctx, operations)
	if err != nil {
		return err
	}
	if err := u.table.Apply(ctx, batch); err != nil {
		return err
	}
	u.place = batch.Next
	return nil
}

// batch computes the rows after the operations. Several annotations of one log
// make one row.
func (u *upkeep) batch(ctx context.Context, operations []operation) (*table.Batch, error) {
	b := &table.Batch{Next: operations[len(operations)-1].place.Next(), Notes: map[int64][]byte{}}
	annotated := map[int64]bool{}
	at := make(map[int64]int, len(operations))
	for i := range operations {
		op := &operations[i]
		if op.log == nil {
			continue
		}
		at[op.ID] = len(b.Rows)
		b.Rows = append(b.Rows, op.log)
		if n := len(b.Blocks); n == 0 || b.Blocks[n-1].Position != op.place.Block {
			b.Blocks = append(b.Blocks, table.Block{FirstID: op.ID, Position: op.place.Block})
		}
	}
	addSpans(b, operations)
	if err := u.loadAnnotated(ctx, b, at, operations); err != nil {
		return nil, err
	}
	for i := range operations {
		op := &operations[i]
		for _, id := range op.rewrites() {
			i, ok := at[id]
			if !ok || b.Rows[i].Workspace != op.owner() {
				continue
			}
			if !annotated[id] {
				// The caller that wrote the log may still read it.
				changed := *b.Rows[i]
				b.Rows[i], annotated[id] = &changed, true
			}
			op.rewrite(b.Rows[i])
		}
		if op.removes() {
			b.Removals = append(b.Removals, op.place.Block)
		}
		if op.deletion != nil {
			b.Deletions = append(b.Deletions, table.Deletion{Deletion: op.deletion, At: op.place.Block})
		}
		b.LastID = max(b.LastID, op.lastID())
	}
	b.Prices = append(b.Prices, priceChanges(operations)...)
	for id := range annotated {
		notes, err := document.EncodeNotes(&b.Rows[at[id]].Notes)
		if err != nil {
			return nil, err
		}
		b.Notes[id] = notes
	}
	return b, nil
}

// addSpans adds the spans and closed traces. Of several spans with the same ids
// the last counts.
func addSpans(b *table.Batch, operations []operation) {
	at := map[int64]int{}
	for i := range operations {
		op := &operations[i]
		switch {
		case op.closure != nil:
			b.Closures = append(b.Closures, *op.closure)
		case op.span != nil:
			row := table.SpanRow{Span: op.span, Key: op.ID, Place: op.place}
			if i, twice := at[row.Key]; twice {
				b.Spans[i] = row
				continue
			}
			at[row.Key] = len(b.Spans)
			b.Spans = append(b.Spans, row)
			if op.replaces {
				b.ReplacedSpans = append(b.ReplacedSpans, row.Key)
			}
		}
	}
}

// loadAnnotated adds the current state of logs that are changed and not new: their
// journal record with the notes and the price that the table has for them. An
// annotation of a log that the workspace does not have, or that is damaged, is
// ignored.
func (u *upkeep) loadAnnotated(ctx context.Context, b *table.Batch, at map[int64]int, operations []operation) error {
	for i := range operations {
		op := &operations[i]
		for _, id := range op.rewrites() {
			if _, ok := at[id]; ok {
				continue
			}
			l, err := u.archive.reader().whole(ctx, op.owner(), id)
			if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Damaged) {
				continue
			}
			if err != nil {
				return fmt.Errorf("annotated log %d: %w", id, err)
			}
			at[id] = len(b.Rows)
			b.Rows = append(b.Rows, l)
			b.Replaced = append(b.Replaced, id)
		}
	}
	if len(b.Replaced) == 0 {
		return nil
	}
	current, err := u.archive.current(ctx, b.Replaced)
	if err != nil {
		return err
	}
	for _, id := range b.Replaced {
		changed, ok := current[id]
		if !ok {
			continue // never changed before
		}
		l := b.Rows[at[id]]
		if changed.notes != nil {
			l.Notes = *changed.notes
			if l.TextsDeleted {
				l.Variables = nil
			}
			l.Index.Metadata = reqlog.FlattenMembers(l.Metadata)
			l.Index.Variables = reqlog.FlattenVariables(&l.Notes)
		}
		if p := changed.price; p != nil {
			b.Prices = append(b.Prices, reqlog.PriceChange{
				Workspace: l.Workspace, Repricing: p.Repricing, Prices: []reqlog.NewPrice{{ID: id, USD: p.USD}},
			})
		}
	}
	return nil
}
