package datasets

import (
	"context"
	"math"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
)

// SetRow replaces a row.
func (s *Store) SetRow(ctx context.Context, content, position int64, cells string) error {
	return s.writeContent(ctx, "set a row", content, func(ctx context.Context) error {
		set, err := engine.Exec(ctx, s.db, table.DatasetRow.Update(`
SET cells = $3
WHERE content_id = $1
AND position = $2`), content, position, cells)
		if err == nil && set == 0 {
			err = fault.NotFoundf("Row %d not found", position)
		}
		return err
	})
}

// RemoveRows removes rows and closes the gaps.
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
		err = fault.NotFoundf("Row not found")
	}
	return err
}

// closeGaps moves rows up. Both engines compare each moved row with those that are yet
// to be moved, so the rows go to negative positions first, which are always free.
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

// RowBytes returns the size of rows.
func (s *Store) RowBytes(ctx context.Context, content, position int64) (int64, error) {
	size, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT CAST(COALESCE(SUM(OCTET_LENGTH(cells)), 0) AS BIGINT)
FROM dataset_row
WHERE content_id = $1
AND position >= $2`, content, position)
	return engine.Wrap(size, err, "measure rows")
}
