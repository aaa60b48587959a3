package table

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Batch is what one transaction changes.
type Batch struct {
	Rows []*reqlog.Log
	// Replaced are the ids whose present rows give way to new ones.
	Replaced []int64
	// Notes are the encoded notes of the annotated rows, by id.
	Notes map[int64][]byte
	// Prices are changes of prices, in their order. They are made after the rows
	// are there, which have the prices that they were written with.
	Prices []reqlog.PriceChange
	Blocks []Block
	// Spans are distinct by key.
	Spans []SpanRow
	// ReplacedSpans are the keys of those that the table may have already.
	ReplacedSpans []int64
	Closures      []reqlog.Closure
	// Deletions are made after everything else.
	Deletions []Deletion
	// Removals are the journal blocks of what removes metadata or scores, in their
	// order.
	Removals []journal.Position
	Next     journal.Place // after the last record applied
	// LastID is the highest id that the deletions prove to have been there, 0 without
	// any.
	LastID int64
}

// Block is a journal block and the id of its first log.
type Block struct {
	FirstID  int64
	Position journal.Position
}

// Apply makes the changes of a batch in one transaction.
func (t *Table) Apply(ctx context.Context, b *Batch) error {
	t.mu.RLock()
	err := ErrClosed
	if t.db != nil {
		t.starts.add(b.Rows)
		err = t.transact(ctx, func() error { return t.change(ctx, b) })
	}
	t.mu.RUnlock()
	if err != nil {
		return err
	}
	t.unsaved += len(b.Rows) + len(b.Spans)
	for _, c := range b.Prices {
		t.unsaved += len(c.Prices)
	}
	for _, d := range b.Deletions {
		t.unsaved += len(d.Logs) + len(d.SpanKeys) + 1
	}
	return nil
}

func (t *Table) transact(ctx context.Context, work func() error) error {
	if err := t.recurring.Exec("BEGIN"); err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	if err := work(); err != nil {
		return errors.Join(err, t.exec(ctx, "ROLLBACK"))
	}
	if err := t.recurring.Exec("COMMIT"); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	return nil
}

func (t *Table) change(ctx context.Context, b *Batch) error {
	if len(b.Replaced) > 0 {
		q := newQuery()
		q.write("DELETE FROM log WHERE id IN ", q.list(b.Replaced))
		if err := t.exec(ctx, q.text(), q.args...); err != nil {
			return fmt.Errorf("replace rows: %w", err)
		}
	}
	if err := t.appendRows("log", len(b.Rows), func(a *chunk.Appender, i int) {
		writeRow(a, b.Rows[i], b.Notes[b.Rows[i].ID])
	}); err != nil {
		return err
	}
	if err := t.appendRows("block", len(b.Blocks), func(a *chunk.Appender, i int) {
		a.Int(b.Blocks[i].FirstID)
		a.Int(int64(b.Blocks[i].Position))
	}); err != nil {
		return err
	}
	for i := range b.Prices {
		if err := t.setPrices(ctx, &b.Prices[i]); err != nil {
			return err
		}
	}
	if err := t.changeSpans(ctx, b); err != nil {
		return err
	}
	for i := range b.Deletions {
		if err := t.delete(ctx, &b.Deletions[i]); err != nil {
			return err
		}
	}
	if err := t.noteRemovals(slices.Compact(b.Removals)); err != nil {
		return err
	}
	lastID := b.LastID
	for _, l := range b.Rows {
		lastID = max(lastID, l.ID)
	}
	return t.recurring.Exec("UPDATE applied SET block = ?, records = ?, last_id = greatest(last_id, ?)", int64(b.Next.Block), b.Next.Slot, lastID)
}

// rowsPerPause is the number of rows that are written in about a millisecond.
const rowsPerPause = 64

// appendRows adds so many rows to a table, whose values write gives.
func (t *Table) appendRows(name string, count int, write func(a *chunk.Appender, i int)) error {
	if count == 0 {
		return nil
	}
	a, err := chunk.Open(t.writer, name)
	if err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	for i := range count {
		if i%rowsPerPause == 0 {
			runtime.Gosched() // so that commits and short requests are not delayed
		}
		write(a, i)
		if err := a.EndRow(); err != nil {
			return errors.Join(fmt.Errorf("append to %s: %w", name, err), a.Discard())
		}
	}
	if err := a.Close(); err != nil {
		return fmt.Errorf("append to %s: %w", name, err)
	}
	return nil
}
