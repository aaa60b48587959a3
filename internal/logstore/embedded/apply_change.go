package embedded

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// loadAnnotated adds the current state of logs that are changed and not new: their
// journal record with the notes and the price that the table has for them. An
// annotation of a log that the workspace does not have, or that is damaged, is
// ignored.
func (s *Store) loadAnnotated(ctx context.Context, b *table.Batch, at map[int64]int, operations []operation) error {
	for i := range operations {
		op := &operations[i]
		for _, id := range op.rewrites() {
			if _, ok := at[id]; ok {
				continue
			}
			l, err := s.reader().whole(ctx, op.owner(), id)
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
	current, err := s.current(ctx, b.Replaced)
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
