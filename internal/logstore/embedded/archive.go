package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// archive returns logs as they were written, from the journal, without what was
// deleted since, and what was changed of them, from the table.
type archive struct {
	journal *journal.Journal
	table   *table.Table
	index   *index
	queue   *queue
	alarms  *alarms
}

func (a *archive) reader() *blockReader { return &blockReader{archive: a} }

// blockReader reads logs and spans from the journal. It keeps the last block: logs that
// are read one after the other are often in the same one, as those of a page are.
type blockReader struct {
	archive *archive
	block   journal.Block
}

func errNoLog() error { return fault.NotFoundf("Request not found") }

// first returns a log of the workspace as it was originally written.
func (r *blockReader) first(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	return r.decode(ctx, workspace, id, decodeLog)
}

// whole is first with the index of the log.
func (r *blockReader) whole(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	return r.decode(ctx, workspace, id, decodeWhole)
}

func (r *blockReader) decode(ctx context.Context, workspace, id int64, decode func(record) (*reqlog.Log, error)) (*reqlog.Log, error) {
	found, err := r.record(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	return r.stripped(decode(found))
}

// log returns a log that the table has, of any workspace, as it was written.
func (r *blockReader) log(id int64) (*reqlog.Log, error) {
	found, err := r.find(id)
	if fault.Is(err, fault.NotFound) {
		err = fmt.Errorf("log %d: %w", id, journal.ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	return r.stripped(decodeLog(found))
}

// stripped removes the texts of a log if they were deleted.
func (r *blockReader) stripped(l *reqlog.Log, err error) (*reqlog.Log, error) {
	if err == nil && r.archive.index.isStripped(l.ID) {
		l.DropTexts()
	}
	return l, err
}

// span returns a span that the table has.
func (r *blockReader) span(row table.ScannedSpan) (*reqlog.Span, error) {
	block, err := r.at(row.Place.Block)
	if err != nil {
		return nil, fmt.Errorf("read span %s: %w", row.Ref.SpanID, err)
	}
	one, err := spanRecord(block, row.Place, row.Key, row.Ref.Workspace)
	if err != nil {
		return nil, err
	}
	return decodeSpan(one)
}

// record returns the record of a log of the workspace.
func (r *blockReader) record(ctx context.Context, workspace, id int64) (record, error) {
	found, err := r.find(id)
	if r.archive.index.isDeleted(id) { // perhaps since it was found
		return nil, errNoLog()
	}
	switch {
	case errors.Is(err, journal.ErrDamaged):
		return nil, r.archive.damagedLog(ctx, workspace, id, err)
	case err == nil && found.workspace() != workspace:
		return nil, errNoLog()
	}
	return found, err
}

// find returns the record of a log of any workspace.
func (r *blockReader) find(id int64) (record, error) {
	position, ok := r.archive.index.block(id)
	if !ok || r.archive.index.isDeleted(id) {
		return nil, errNoLog()
	}
	block, err := r.at(position)
	if err != nil {
		return nil, fmt.Errorf("read log %d: %w", id, err)
	}
	for _, raw := range block.Records {
		if one := record(raw); one.valid() && one.kind() == recordLog && one.id() == id {
			return one, nil
		}
	}
	return nil, errNoLog()
}

// at returns the block at a position.
func (r *blockReader) at(position journal.Position) (journal.Block, error) {
	if r.block.Records != nil && r.block.Position == position {
		return r.block, nil
	}
	block, err := r.archive.journal.Read(position)
	if err == nil {
		r.block = block
	}
	return block, err
}

// exists is requests.Store.Exists.
func (a *archive) exists(ctx context.Context, workspace, id int64) error {
	_, err := a.reader().record(ctx, workspace, id)
	return err
}

// damagedLog returns the fault for a log whose block is damaged, if the log
// belongs to the workspace.
func (a *archive) damagedLog(ctx context.Context, workspace, id int64, cause error) error {
	owner, err := a.owner(ctx, id)
	if err != nil {
		return a.alarms.tableError(fmt.Errorf("find the workspace of log %d: %w", id, err))
	}
	if owner != workspace {
		return errNoLog()
	}
	return fault.Wrap(fault.Damaged, cause, "Request %d cannot be read: its storage is damaged", id)
}

// owner returns the workspace of a log, 0 if it is not known. The log is in the
// table, or still pending because it was written just now or the table fails.
func (a *archive) owner(ctx context.Context, id int64) (int64, error) {
	if owner := a.queue.owner(id); owner != 0 {
		return owner, nil
	}
	return a.table.Owner(ctx, id)
}

// changes are the current notes and price of a log, nil if it still has those
// that it was written with.
type changes struct {
	notes *reqlog.Notes
	price *reqlog.Price
}

// current returns what was changed of those of the logs that were changed.
func (a *archive) current(ctx context.Context, ids []int64) (map[int64]changes, error) {
	rows, err := a.table.Changed(ctx, ids)
	if err != nil {
		return nil, a.alarms.tableError(err)
	}
	found := make(map[int64]changes, len(rows))
	for id, row := range rows {
		c := changes{price: row.Price}
		if row.Notes != nil {
			notes, err := document.DecodeNotes([]byte(*row.Notes))
			if err != nil {
				return nil, err
			}
			c.notes = &notes
		}
		found[id] = c
	}
	return found, nil
}
