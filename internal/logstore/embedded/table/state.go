package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// State is what an opened table contains.
type State struct {
	Blocks []Block // in the order of their ids
	// LastID is the highest id that a log ever had, 0 without logs.
	LastID int64
	// Deleted is what was deleted and may still be in files.
	Deleted Deleted
	// Changed are the ids of the logs whose notes or price were changed.
	Changed []int64
	// Lowest and Highest are the extreme workspace ids, 0 without logs.
	Lowest, Highest int64
	Next            journal.Place // the first record that is not applied
}

func readState(ctx context.Context, db *sql.DB) (State, error) {
	var st State
	if err := db.QueryRowContext(ctx, "SELECT block, records, last_id FROM applied").Scan(&st.Next.Block, &st.Next.Slot, &st.LastID); err != nil {
		return st, fmt.Errorf("read applied position: %w", err)
	}
	if err := each(ctx, db, "SELECT first_id, position FROM block ORDER BY first_id", func(id, position int64) {
		st.Blocks = append(st.Blocks, Block{id, journal.Position(position)})
	}); err != nil {
		return st, fmt.Errorf("read blocks: %w", err)
	}
	var lowest, highest sql.NullInt64
	if err := db.QueryRowContext(ctx, "SELECT min(workspace), max(workspace) FROM log").Scan(&lowest, &highest); err != nil {
		return st, fmt.Errorf("read workspaces: %w", err)
	}
	st.Lowest, st.Highest = lowest.Int64, highest.Int64
	deleted, err := readDeleted(ctx, db)
	if err != nil {
		return st, err
	}
	st.Deleted = *deleted
	err = each(ctx, db, "SELECT id, 0 FROM log WHERE notes IS NOT NULL OR repricing IS NOT NULL", func(id, _ int64) { st.Changed = append(st.Changed, id) })
	return st, err
}

// Row is what was changed of a log, nil where nothing was.
type Row struct {
	Notes *string // encoded
	Price *reqlog.Price
}

// Changed returns what was changed of those of the logs that were changed.
func (t *Table) Changed(ctx context.Context, ids []int64) (map[int64]Row, error) {
	found := make(map[int64]Row, len(ids))
	return found, t.read(ctx, func(db *sql.DB) error {
		q := newQuery()
		q.write("SELECT id, notes, price, repricing FROM log WHERE (notes IS NOT NULL OR repricing IS NOT NULL) AND id IN ", q.list(ids))
		return q.rows(ctx, db, func(rows *sql.Rows) error {
			var id int64
			var row Row
			var cost sql.NullFloat64
			var repricing sql.NullInt64
			err := rows.Scan(&id, &row.Notes, &cost, &repricing)
			if repricing.Valid {
				row.Price = &reqlog.Price{USD: cost.Float64, Source: reqlog.PriceRepriced, Repricing: repricing.Int64}
			}
			found[id] = row
			return err
		})
	})
}

// each runs a query that returns two integers per row.
func each(ctx context.Context, db *sql.DB, query string, use func(a, b int64)) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	return scanAll(rows, func() error {
		var a, b int64
		err := rows.Scan(&a, &b)
		use(a, b)
		return err
	})
}

// scanAll calls scan for each row and closes the rows.
func scanAll(rows *sql.Rows, scan func() error) error {
	defer func() { _ = rows.Close() }() // rows.Err reports the same errors
	for rows.Next() {
		if err := scan(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Owner returns the workspace of a log, 0 if the table does not have the log.
func (t *Table) Owner(ctx context.Context, id int64) (workspace int64, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		err := db.QueryRowContext(ctx, "SELECT workspace FROM log WHERE id = ?", id).Scan(&workspace)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return workspace, err
}

// IDs returns the ids of the logs from first to last.
func (t *Table) IDs(ctx context.Context, first, last int64) (ids []int64, err error) {
	err = t.read(ctx, func(db *sql.DB) error {
		return each(ctx, db, fmt.Sprintf("SELECT id, 0 FROM log WHERE id BETWEEN %d AND %d ORDER BY id", first, last), func(id, _ int64) { ids = append(ids, id) })
	})
	return ids, err
}

// Check reads every value of the logs with ids from first to last, so that the
// engine checks what it reads from the file.
func (t *Table) Check(ctx context.Context, first, last int64) error {
	return t.read(ctx, func(db *sql.DB) error {
		var count int64
		return db.QueryRowContext(ctx, "SELECT count(hash(log)) FROM log WHERE id BETWEEN ? AND ?", first, last).Scan(&count)
	})
}

// Size returns the size of the file.
func (t *Table) Size() (int64, error) {
	info, err := os.Stat(t.file.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil // before the first checkpoint
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
