package table

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/embedded/chunk"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Deletion is a deletion and the journal block of its record.
type Deletion struct {
	*reqlog.Deletion
	At journal.Position
}

// The kinds of what was deleted.
const (
	deletedLog = iota + 1
	deletedTexts
	deletedSpan
	deletedClosure
	// deletedRows says that the file of the table has rows that were deleted.
	deletedRows
	// deletedNotes is a journal block with the removal of metadata or scores, which
	// has no key: the block says of which logs.
	deletedNotes
)

// Deleted is what was deleted and may still be in files.
type Deleted struct {
	// Logs and Texts are ids of logs that were deleted, and of those whose texts were.
	Logs, Texts     []int64
	Spans, Closures []DeletedKey
	// Removals are journal blocks with records that remove metadata or scores, in their
	// order.
	Removals []journal.Position
	// Rows says that nothing of it is in other files any more, but the file of the
	// table has not been replaced since.
	Rows bool
}

// Empty reports whether nothing is left to remove.
func (d *Deleted) Empty() bool {
	return len(d.Logs)+len(d.Texts)+len(d.Spans)+len(d.Closures)+len(d.Removals) == 0 && !d.Rows
}

// DeletedKey is the key of a span or the end of a trace, and the journal block of
// the deletion.
type DeletedKey struct {
	Key int64
	At  journal.Position
}

// delete removes the rows, and notes what is still in files.
func (t *Table) delete(ctx context.Context, d *Deletion) error {
	kind, logs := deletedLog, d.Logs
	switch {
	case d.Removes():
		logs = nil // their rows were changed, and Removals has the block
	case d.TextsOnly:
		kind = deletedTexts
	}
	for _, part := range []struct {
		table, column string
		kind          int
		keys          []int64
	}{
		{"log", "id", kind, logs}, {"span", "key", deletedSpan, d.SpanKeys}, {"closure", "key", deletedClosure, d.ClosureKeys},
	} {
		if len(part.keys) == 0 {
			continue
		}
		if part.kind != deletedTexts {
			q := newQuery()
			q.write("DELETE FROM ", part.table, " WHERE ", part.column, " IN ", q.list(part.keys))
			if err := t.exec(ctx, q.text(), q.args...); err != nil {
				return fmt.Errorf("delete from %s: %w", part.table, err)
			}
		}
		if err := t.appendRows("deleted", len(part.keys), func(a *chunk.Appender, i int) {
			a.Int(int64(part.kind))
			a.Int(part.keys[i])
			a.Int(int64(d.At))
		}); err != nil {
			return err
		}
	}
	return nil
}

// noteRemovals notes blocks whose records remove metadata or scores.
func (t *Table) noteRemovals(blocks []journal.Position) error {
	return t.appendRows("deleted", len(blocks), func(a *chunk.Appender, i int) {
		a.Int(deletedNotes)
		a.Int(0)
		a.Int(int64(blocks[i]))
	})
}

// Deleted returns what was deleted and may still be in files.
func (t *Table) Deleted(ctx context.Context) (found *Deleted, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		found, err = readDeleted(ctx, db)
		return err
	})
	return found, err
}

func readDeleted(ctx context.Context, db *sql.DB) (*Deleted, error) {
	d := &Deleted{}
	rows, err := db.QueryContext(ctx, "SELECT kind, key, block FROM deleted")
	if err != nil {
		return nil, fmt.Errorf("read what was deleted: %w", err)
	}
	err = scanAll(rows, func() error {
		var kind, key, block int64
		err := rows.Scan(&kind, &key, &block)
		switch at := journal.Position(block); kind {
		case deletedLog:
			d.Logs = append(d.Logs, key)
		case deletedTexts:
			d.Texts = append(d.Texts, key)
		case deletedSpan:
			d.Spans = append(d.Spans, DeletedKey{key, at})
		case deletedClosure:
			d.Closures = append(d.Closures, DeletedKey{key, at})
		case deletedRows:
			d.Rows = true
		case deletedNotes:
			d.Removals = append(d.Removals, at)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read what was deleted: %w", err)
	}
	slices.Sort(d.Removals)
	return d, nil
}

// Reclaimed forgets what was deleted before a block of the journal, because it is in
// no other file any more, and blocks of the journal that are gone. It notes that the
// file of the table has yet to be replaced: a crash before that must not leave the
// deleted rows there. It must be called by the goroutine that applies.
func (t *Table) Reclaimed(ctx context.Context, before journal.Position, blocks []journal.Position) error {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if t.db == nil {
		return ErrClosed
	}
	t.unsaved += len(blocks) + 1
	return t.transact(ctx, func() error {
		if err := t.exec(ctx, "DELETE FROM deleted WHERE block < ?", int64(before)); err != nil {
			return fmt.Errorf("forget what was deleted: %w", err)
		}
		if err := t.exec(ctx, "INSERT INTO deleted VALUES (?, 0, 0)", deletedRows); err != nil {
			return fmt.Errorf("note that deleted rows are in the file: %w", err)
		}
		for len(blocks) > 0 {
			part := blocks[:min(len(blocks), maxForgotten)]
			blocks = blocks[len(part):]
			keys := make([]int64, len(part))
			for i := range part {
				keys[i] = int64(part[i])
			}
			q := newQuery()
			q.write("DELETE FROM block WHERE position IN ", q.list(keys))
			if err := t.exec(ctx, q.text(), q.args...); err != nil {
				return fmt.Errorf("forget blocks: %w", err)
			}
		}
		return nil
	})
}

// maxForgotten is the number of blocks that one statement forgets.
const maxForgotten = 10_000

// Resolve reduces the logs of a deletion to those that the workspace has, and adds
// the keys of the spans and ends of traces that go with them.
func (t *Table) Resolve(ctx context.Context, d *reqlog.Deletion) error {
	traces := make([]int64, len(d.Traces))
	for i, id := range d.Traces {
		traces[i] = reqlog.TraceKey(d.Workspace, id)
	}
	takesTraces := d.TakesTraces()
	return t.read(ctx, func(db *sql.DB) error {
		logs := d.Logs
		d.Logs = []int64{}
		if len(logs) > 0 {
			q := newQuery()
			q.write("SELECT id, coalesce(span_key, 0) FROM log WHERE id IN ", q.list(logs), fmt.Sprintf(" AND workspace = %d ORDER BY id", d.Workspace))
			var spans []int64
			if err := each(ctx, db, q.text(), func(id, key int64) {
				d.Logs = append(d.Logs, id)
				if key != 0 && takesTraces {
					spans = append(spans, key)
				}
			}); err != nil {
				return fmt.Errorf("find what to delete: %w", err)
			}
			if len(spans) > 0 {
				q := newQuery()
				q.write("SELECT DISTINCT trace_key, 0 FROM span WHERE log_key IN ", q.list(spans))
				if err := each(ctx, db, q.text(), func(key, _ int64) { traces = append(traces, key) }); err != nil {
					return fmt.Errorf("find the traces of what to delete: %w", err)
				}
			}
		}
		if len(traces) == 0 {
			return nil
		}
		for from, to := range map[string]*[]int64{"span": &d.SpanKeys, "closure": &d.ClosureKeys} {
			q := newQuery()
			q.write("SELECT key, 0 FROM ", from, " WHERE trace_key IN ", q.list(traces), " ORDER BY key")
			if err := each(ctx, db, q.text(), func(key, _ int64) { *to = append(*to, key) }); err != nil {
				return fmt.Errorf("find the spans of what to delete: %w", err)
			}
		}
		return nil
	})
}
