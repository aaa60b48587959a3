package embedded

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/logstore/embedded/textindex"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// resolveDeletions finds out what deletions remove, so that their records say it.
func (s *Store) resolveDeletions(ctx context.Context, deletions []reqlog.Deletion) error {
	if len(deletions) == 0 {
		return nil
	}
	if _, err := s.catchUp(ctx); err != nil {
		return err
	}
	for i := range deletions {
		d := &deletions[i]
		d.SpanKeys, d.ClosureKeys = slices.Clone(d.SpanKeys), slices.Clone(d.ClosureKeys)
		if err := s.table.Resolve(ctx, d); err != nil {
			return s.tableError(err)
		}
	}
	return nil
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
// records of the journal until it is written again.
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

// noteDeletion hides logs or their texts from reads that do not ask the table. The
// caller holds mu.
func (s *Store) noteDeletion(d *reqlog.Deletion) {
	for _, id := range d.Logs {
		switch {
		case !d.KeepsLogs():
			s.deleted.Add(id)
			continue
		case d.TextsOnly:
			s.stripped.Add(id)
		}
		s.changed.add(id)
	}
	if n := len(d.Logs); n > 0 {
		s.blocks.lastID = max(s.blocks.lastID, d.Logs[n-1])
	}
}

// hide hides what the table knows to be deleted.
func (s *Store) hide(d *table.Deleted) {
	for _, id := range d.Logs {
		s.deleted.Add(id)
	}
	for _, id := range d.Texts {
		s.stripped.Add(id)
	}
}

func (s *Store) isDeleted(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.deleted.Has(id)
}

func (s *Store) isStripped(id int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stripped.Has(id)
}

// dropHidden corrects the logs that the text index found: those that were deleted
// go, and of those without texts the ones that do not pass a test of no text.
func (s *Store) dropHidden(found *textindex.Set, test func(text string) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if test != nil && test("") {
		found.Or(&s.stripped)
	} else {
		found.AndNot(&s.stripped)
	}
	found.AndNot(&s.deleted)
}
