package embedded

import (
	"slices"
	"sync"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// index is what is known of each log in memory: the block that has it, and whether it
// was changed or deleted since. It knows everything that is durable, also what is not
// applied yet, and waits for nothing. Its lock is held for moments and no other is
// taken below it.
type index struct {
	mu       sync.Mutex
	blocks   blockIndex
	changed  idSet         // logs whose notes or price were changed
	deleted  textindex.Set // logs that were deleted, at least those that are still in files
	stripped textindex.Set // logs whose texts were deleted, likewise
	owners   owners
	seen     keySet // of spans, their logs and closed traces
}

// note remembers what can be asked before the operation is applied.
func (x *index) note(op *operation) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case op.log != nil:
		x.blocks.add(op.ID, op.place.Block)
		x.owners.add(op.log.Workspace)
		x.seen.add(reqlog.LogKey(op.log.Workspace, op.log.SpanID))
	case op.span != nil:
		op.replaces = x.seen.add(op.ID)
	case op.closure != nil:
		x.seen.add(op.closure.Key())
	case op.prices != nil:
		for _, p := range op.prices.Prices {
			x.changed.add(p.ID)
		}
	case op.deletion != nil:
		x.noteDeletion(op.deletion)
	default:
		x.changed.add(op.ID)
	}
}

// noteDeletion hides logs or their texts from reads that do not ask the table. The
// caller holds mu.
func (x *index) noteDeletion(d *reqlog.Deletion) {
	for _, id := range d.Logs {
		switch {
		case !d.KeepsLogs():
			x.deleted.Add(id)
			continue
		case d.TextsOnly:
			x.stripped.Add(id)
		}
		x.changed.add(id)
	}
	if n := len(d.Logs); n > 0 {
		x.blocks.lastID = max(x.blocks.lastID, d.Logs[n-1])
	}
}

// adopt takes over what the table contains about the journal.
func (x *index) adopt(state table.State) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.blocks, x.changed, x.owners = blockIndex{}, nil, owners{}
	for _, b := range state.Blocks {
		x.blocks.add(b.FirstID, b.Position)
	}
	x.blocks.lastID = max(x.blocks.lastID, state.LastID)
	for _, id := range state.Changed {
		x.changed.add(id)
	}
	for _, id := range state.Deleted.Logs {
		x.deleted.Add(id)
	}
	for _, id := range state.Deleted.Texts {
		x.stripped.Add(id)
	}
	if state.LastID > 0 {
		x.owners.add(state.Lowest)
		x.owners.add(state.Highest)
	}
}

// addKey remembers a key of a span, a log of a span or a closed trace.
func (x *index) addKey(key int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.seen.add(key)
}

// known returns the keys that may be stored.
func (x *index) known(keys []int64) []int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.DeleteFunc(keys, func(key int64) bool { return !x.seen.has(key) })
}

// lastID returns the highest id of a log.
func (x *index) lastID() int64 {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.blocks.lastID
}

// raise makes sure that ids up to this one are not used again.
func (x *index) raise(lastID int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.blocks.lastID = max(x.blocks.lastID, lastID)
}

// block returns the block of a log, also of one that was deleted.
func (x *index) block(id int64) (at journal.Position, ok bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.blocks.find(id)
}

// idsBetween returns the range of ids between two positions, as blockIndex.idsBetween
// does.
func (x *index) idsBetween(from, to journal.Position) (first, last int64, known bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.blocks.idsBetween(from, to)
}

// locate returns the blocks of candidates.
func (x *index) locate(candidates *textindex.Set) (blocks []candidateBlock) {
	x.mu.Lock()
	defer x.mu.Unlock()
	for id := range candidates.Each() {
		at, ok := x.blocks.find(id)
		if !ok {
			continue
		}
		if n := len(blocks); n == 0 || blocks[n-1].at != at {
			blocks = append(blocks, candidateBlock{at: at})
		}
		last := &blocks[len(blocks)-1]
		last.ids = append(last.ids, id)
	}
	return blocks
}

func (x *index) isChanged(id int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.changed.has(id)
}

func (x *index) isDeleted(id int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.deleted.Has(id)
}

func (x *index) isStripped(id int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.stripped.Has(id)
}

// only reports whether all logs belong to the workspace.
func (x *index) only(workspace int64) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.owners.one == workspace && !x.owners.several
}

// dropHidden corrects the logs that the text index found: those that were deleted
// go, and of those without texts the ones that do not pass a test of no text.
func (x *index) dropHidden(found *textindex.Set, test func(text string) bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if test != nil && test("") {
		found.Or(&x.stripped)
	} else {
		found.AndNot(&x.stripped)
	}
	found.AndNot(&x.deleted)
}

// dropBlocks removes the blocks that the journal no longer has, and returns them.
func (x *index) dropBlocks(has func(journal.Position) bool) (dropped []journal.Position) {
	x.mu.Lock()
	defer x.mu.Unlock()
	left := blockIndex{lastID: x.blocks.lastID}
	for i, at := range x.blocks.positions {
		if has(at) {
			left.firstIDs, left.positions = append(left.firstIDs, x.blocks.firstIDs[i]), append(left.positions, at)
		} else {
			dropped = append(dropped, at)
		}
	}
	if len(dropped) > 0 {
		x.blocks = left
	}
	return dropped
}
