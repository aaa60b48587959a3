package embedded

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Mark is how far a reader of the journal has come.
type Mark struct {
	// Next is the first block that was not read.
	Next journal.Position `json:"next"`
	// Last is the last block that was read, and Sum its checksum.
	Last journal.Position `json:"last"`
	Sum  uint32           `json:"sum"`
	// LastID is the highest id of a log that was read.
	LastID int64 `json:"last_id"`
}

// Part is a part of the journal: everything that was written in a row.
type Part struct {
	Batch reqlog.Batch
	// End is the mark behind the part.
	End Mark
	// Bytes is the size of the part in the journal.
	Bytes int64
}

// Follower reads the journal of a store that another process may be writing to.
type Follower struct {
	journal *journal.Journal
	// settled says that nobody writes.
	settled bool
	// PartRecords is the number of records at which a part ends.
	PartRecords int
}

// ErrRewritten says that the journal is not the one that was read before.
var ErrRewritten = errors.New("the journal has changed where it was read before")

// Follow opens the journal of the store in dir for reading, up to the end that it
// has now. The caller says whether it is settled, because nobody writes to it.
func Follow(dir string, settled bool) (*Follower, error) {
	j, err := journal.Open(filepath.Join(dir, journalFolder), journal.Options{ReadOnly: true, WellFormed: wellFormed})
	if err != nil {
		return nil, err
	}
	return &Follower{journal: j, settled: settled, PartRecords: maxPartRecords}, nil
}

// Close closes the files.
func (f *Follower) Close() error { return f.journal.Close() }

// Left returns how many bytes follow a mark.
func (f *Follower) Left(from Mark) int64 { return f.journal.BytesFrom(from.Next) }

// Damage returns the damage found until now.
func (f *Follower) Damage() []journal.Damage { return f.journal.Damage() }

const (
	// maxPartRecords and maxPartBytes are the size of a part at which it ends, with
	// the block that exceeds it.
	maxPartRecords = 4_000
	maxPartBytes   = 8 << 20
	// maxDamageBytes limits what a missing file counts for.
	maxDamageBytes = 256 << 20
	// maxPartChanges is the number of annotations and changes of prices at which a
	// part ends. They cost more than logs.
	maxPartChanges = 1_000
)

// Parts calls use for each part behind the mark. It returns ErrRewritten if the
// journal is not the one in which the mark was made. What could be a write in
// progress is left for another time: damage in the last file, unless the journal
// is settled.
func (f *Follower) Parts(ctx context.Context, from Mark, use func(Part) error) error {
	if err := f.check(from); err != nil {
		return err
	}
	p := parts{use: use, limit: f.PartRecords, part: Part{End: from}}
	for block, err := range f.journal.Scan(from.Next) {
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if block.Damaged && !f.settled && f.journal.InLastFile(block.Position) {
			break
		}
		sum := p.part.End.Sum
		if !block.Damaged {
			if sum, err = f.journal.Sum(block.Position); err != nil && !errors.Is(err, journal.ErrDropped) {
				return fmt.Errorf("read journal: %w", err)
			}
		}
		if err := p.add(block, sum); err != nil {
			return err
		}
	}
	return p.flush()
}

func (f *Follower) check(from Mark) error {
	if from.Next == 0 {
		return nil
	}
	if end := f.journal.End(); end < from.Next {
		return ErrRewritten
	}
	sum, err := f.journal.Sum(from.Last)
	if errors.Is(err, journal.ErrDropped) {
		return nil // everything in it was deleted since
	}
	if err != nil || sum != from.Sum {
		return ErrRewritten
	}
	return nil
}

// parts collects the operations of blocks.
type parts struct {
	use   func(Part) error
	limit int
	part  Part
	// records and changes count what the part has, and bytes their size.
	records, changes, bytes int
	month                   int
	begun                   bool           // a block was added
	deletes                 bool           // the part has deletions and nothing else
	spans                   map[int64]bool // keys in the last batch of spans
}

// add adds a block, and ends the part if it is large enough. A part has logs of
// one month, because a store may keep months apart and commit one before another.
func (p *parts) add(block journal.Block, sum uint32) error {
	operations, err := decodeBlock(block)
	if err != nil {
		return err
	}
	for i := range operations {
		op := &operations[i]
		month := monthOf(op.log)
		// What is deleted is in an earlier part.
		if month != 0 && p.month != 0 && month != p.month || p.records > 0 && (op.deletion != nil) != p.deletes {
			if err := p.cut(); err != nil {
				return err
			}
		}
		p.deletes = op.deletion != nil
		p.addOperation(op)
	}
	end := &p.part.End
	end.Next = block.Next
	if !block.Damaged {
		end.Last, end.Sum = block.Position, sum
	}
	p.begun = true
	p.part.Bytes += min(int64(block.Next-block.Position), maxDamageBytes)
	if p.records >= p.limit || p.changes >= maxPartChanges || p.bytes >= maxPartBytes {
		return p.flush()
	}
	return nil
}

// monthOf returns a number for the month in which a log arrived, 0 if it cannot
// be, before there was this program for example.
func monthOf(l *reqlog.Log) int {
	if l == nil || l.CreatedAt.Time().Year() < 2025 {
		return 0
	}
	at := l.CreatedAt.Time()
	return at.Year()*12 + int(at.Month())
}

func (p *parts) addOperation(op *operation) {
	b := &p.part.Batch
	p.records++
	p.bytes += op.size
	switch {
	case op.log != nil:
		if op.ID <= p.part.End.LastID {
			return // it is out of order, and the store leaves it out, too
		}
		p.part.End.LastID, p.month = op.ID, monthOf(op.log)
		b.Logs = append(b.Logs, op.log)
	case op.span != nil:
		p.addSpan(op.span)
	case op.closure != nil:
		batch := p.spanBatch(op.closure.Workspace)
		batch.Close = append(batch.Close, *op.closure)
	case op.prices != nil:
		p.changes += max(1, len(op.prices.Prices)/100)
		b.Prices = append(b.Prices, *op.prices)
	case op.deletion != nil:
		p.changes += max(1, len(op.deletion.Logs)/100)
		b.Deletions = append(b.Deletions, *op.deletion)
	default:
		p.changes++
		b.Changes = append(b.Changes, op.Change)
	}
}

func (p *parts) addSpan(span *reqlog.Span) {
	batch := p.spanBatch(span.Workspace)
	if p.spans[span.Key()] { // spans of a batch are distinct
		batch = p.newSpanBatch(span.Workspace)
	}
	p.spans[span.Key()] = true
	batch.Spans, batch.Logs = append(batch.Spans, span), append(batch.Logs, nil)
}

// spanBatch returns the last batch of spans if it is one of the workspace, or a
// new one.
func (p *parts) spanBatch(workspace int64) *reqlog.SpanBatch {
	if n := len(p.part.Batch.Spans); n > 0 && p.part.Batch.Spans[n-1].Workspace == workspace {
		return p.part.Batch.Spans[n-1]
	}
	return p.newSpanBatch(workspace)
}

func (p *parts) newSpanBatch(workspace int64) *reqlog.SpanBatch {
	batch := &reqlog.SpanBatch{Workspace: workspace}
	p.part.Batch.Spans, p.spans = append(p.part.Batch.Spans, batch), map[int64]bool{}
	return batch
}

// flush ends the part and begins the next one.
func (p *parts) flush() error {
	if !p.begun {
		return nil
	}
	return p.cut()
}

// cut hands over what was collected until now.
func (p *parts) cut() error {
	err := p.use(p.part)
	*p = parts{use: p.use, limit: p.limit, part: Part{End: p.part.End}}
	return err
}
