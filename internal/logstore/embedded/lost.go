package embedded

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
)

// journalFolder is the folder of the journal within that of the store.
const journalFolder = "journal"

// Damage is a damaged part of the journal and the logs in it.
type Damage struct {
	journal.Damage
	// FirstID and LastID limit the ids of the logs.
	FirstID, LastID int64
	// Logs is the number of logs. It is an upper limit unless Exact.
	Logs  int64
	Exact bool
	// Spans is the number of spans that the table knows to be in it.
	Spans int64
}

// Damage returns the damage of the journal found so far.
func (s *Store) Damage() []Damage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lost)
}

// assess finds out which logs are in damage that was found since the last call,
// and logs it.
func (s *Store) assess(ctx context.Context) {
	known := map[journal.Position]Damage{}
	for _, d := range s.Damage() {
		known[d.From] = d
	}
	var lost []Damage
	for _, found := range s.journal.Damage() {
		d, ok := known[found.From]
		if !ok {
			d = s.assessOne(ctx, found)
			s.log.Error("a part of the journal is damaged: its logs cannot be read, all others can",
				"file", d.Path, "at_byte", d.Offset, "bytes", d.Bytes, "first_id", d.FirstID, "last_id", d.LastID, "logs", d.Logs, "exact", d.Exact, "spans", d.Spans)
		}
		lost = append(lost, d)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = lost
}

// assessOne asks the table for the logs of the damage. A table that was rebuilt
// since lacks them; then the gap in the ids limits their number.
func (s *Store) assessOne(ctx context.Context, found journal.Damage) Damage {
	s.mu.Lock()
	first, last, known := s.blocks.idsBetween(found.From, found.To)
	s.mu.Unlock()
	d := Damage{Damage: found, FirstID: first, LastID: last}
	var err error
	if d.Spans, err = s.table.SpansBetween(ctx, found.From, found.To); err != nil {
		s.log.Warn("cannot look up the spans of a damaged part of the journal", "error", err)
	}
	ids, err := s.table.IDs(ctx, first, last)
	switch {
	case err != nil:
		s.log.Warn("cannot look up the logs of a damaged part of the journal", "error", err)
		d.Logs = max(0, last-first+1)
	case known && len(ids) > 0:
		d.LastID, d.Logs, d.Exact = ids[len(ids)-1], int64(len(ids)), true
	default:
		if len(ids) > 0 {
			d.FirstID = ids[len(ids)-1] + 1
		}
		d.Logs = max(0, last-d.FirstID+1)
	}
	return d
}

// damagedLog returns the fault for a log whose block is damaged, if the log
// belongs to the workspace.
func (s *Store) damagedLog(ctx context.Context, workspace, id int64, cause error) error {
	owner, err := s.owner(ctx, id)
	if err != nil {
		return s.tableError(fmt.Errorf("find the workspace of log %d: %w", id, err))
	}
	if owner != workspace {
		return errNoLog()
	}
	return fault.Wrap(fault.Damaged, cause, "Request %d cannot be read: its storage is damaged", id)
}

// owner returns the workspace of a log, 0 if it is not known. The log is in the
// table, or still pending because it was written just now or the table fails.
func (s *Store) owner(ctx context.Context, id int64) (int64, error) {
	s.mu.Lock()
	for _, op := range s.pending {
		if op.log != nil && op.ID == id {
			s.mu.Unlock()
			return op.Workspace, nil
		}
	}
	s.mu.Unlock()
	return s.table.Owner(ctx, id)
}
