package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// reader reads logs and spans from the journal. It keeps the last block: logs that are
// read one after the other are often in the same one, as those of a page are.
type reader struct {
	store *Store
	block journal.Block
}

func (s *Store) reader() *reader { return &reader{store: s} }

func errNoLog() error { return fault.NotFoundf("Request not found") }

// first returns a log of the workspace as it was originally written.
func (r *reader) first(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	return r.decode(ctx, workspace, id, decodeLog)
}

// whole is first with the index of the log.
func (r *reader) whole(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	return r.decode(ctx, workspace, id, decodeWhole)
}

func (r *reader) decode(ctx context.Context, workspace, id int64, decode func(record) (*reqlog.Log, error)) (*reqlog.Log, error) {
	found, err := r.record(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	return r.stripped(decode(found))
}

// log returns a log that the table has, of any workspace, as it was written.
func (r *reader) log(id int64) (*reqlog.Log, error) {
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
func (r *reader) stripped(l *reqlog.Log, err error) (*reqlog.Log, error) {
	if err == nil && r.store.isStripped(l.ID) {
		l.DropTexts()
	}
	return l, err
}

// span returns a span that the table has.
func (r *reader) span(row table.ScannedSpan) (*reqlog.Span, error) {
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
func (r *reader) record(ctx context.Context, workspace, id int64) (record, error) {
	found, err := r.find(id)
	if r.store.isDeleted(id) { // perhaps since it was found
		return nil, errNoLog()
	}
	switch {
	case errors.Is(err, journal.ErrDamaged):
		return nil, r.store.damagedLog(ctx, workspace, id, err)
	case err == nil && found.workspace() != workspace:
		return nil, errNoLog()
	}
	return found, err
}

// find returns the record of a log of any workspace.
func (r *reader) find(id int64) (record, error) {
	s := r.store
	s.mu.Lock()
	position, ok := s.blocks.find(id)
	ok = ok && !s.deleted.Has(id)
	s.mu.Unlock()
	if !ok {
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
func (r *reader) at(position journal.Position) (journal.Block, error) {
	if r.block.Records != nil && r.block.Position == position {
		return r.block, nil
	}
	block, err := r.store.journal.Read(position)
	if err == nil {
		r.block = block
	}
	return block, err
}
