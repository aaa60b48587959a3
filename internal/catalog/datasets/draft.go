package datasets

import (
	"context"
	"fmt"
	"math"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

// SetRow replaces the row of a content at a position. The fault is NotFound
// when there is none, or the content is gone or being removed, and Invalid when
// the row has text that cannot be stored.
func (s *Store) SetRow(ctx context.Context, content, position int64, cells string) error {
	return s.writeContent(ctx, "set a row", content, func(ctx context.Context) error {
		set, err := engine.Exec(ctx, s.db, table.DatasetRow.Update(`
SET cells = $3
WHERE content_id = $1
AND position = $2`), content, position, cells)
		if err == nil && set == 0 {
			err = fault.NotFoundf("row %d not found", position)
		}
		return err
	})
}

// RemoveRows removes the rows of a content at the positions, in any order, and
// moves the rows behind them up, so that positions run without a gap again. The
// fault is NotFound when one of them is not there, or the content is gone or
// being removed; then nothing is changed.
func (s *Store) RemoveRows(ctx context.Context, content int64, positions []int64) error {
	positions = engine.Distinct(positions)
	if len(positions) == 0 {
		return nil
	}
	return s.writeContent(ctx, "remove rows", content, func(ctx context.Context) error {
		err := engine.InChunks(positions, func(part []int64) error { return s.removeRows(ctx, content, part) })
		if err != nil {
			return err
		}
		return s.closeGaps(ctx, content, positions)
	})
}

func (s *Store) removeRows(ctx context.Context, content int64, positions []int64) error {
	where := engine.Where{Args: []any{content}}
	engine.AddList(&where, "position", positions)
	removed, err := engine.Exec(ctx, s.db, table.DatasetRow.Delete(`
WHERE content_id = $1
AND `+where.SQL()), where.Args...)
	if err == nil && removed < int64(len(positions)) {
		err = fault.NotFoundf("a row is not there any more")
	}
	return err
}

// closeGaps moves rows up to where rows were removed. Both engines compare each
// moved row with those that are still to be moved, so that the rows go to
// negative positions first, of which there are none.
func (s *Store) closeGaps(ctx context.Context, content int64, removed []int64) error {
	for i, gap := range removed {
		next := int64(math.MaxInt64)
		if i+1 < len(removed) {
			next = removed[i+1]
		}
		if next == gap+1 {
			continue
		}
		_, err := engine.Exec(ctx, s.db, table.DatasetRow.Update(`
SET position = $4 - position
WHERE content_id = $1
AND position > $2
AND position < $3`), content, gap, next, int64(i))
		if err != nil {
			return err
		}
	}
	_, err := engine.Exec(ctx, s.db, table.DatasetRow.Update(`
SET position = -1 - position
WHERE content_id = $1
AND position < 0`), content)
	return err
}

// RowBytes returns how many bytes the rows of a content from a position on
// take, 0 for none.
func (s *Store) RowBytes(ctx context.Context, content, position int64) (int64, error) {
	size, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT CAST(COALESCE(SUM(OCTET_LENGTH(cells)), 0) AS BIGINT)
FROM dataset_row
WHERE content_id = $1
AND position >= $2`, content, position)
	if err != nil {
		return 0, fmt.Errorf("measure rows: %w", err)
	}
	return size, nil
}
