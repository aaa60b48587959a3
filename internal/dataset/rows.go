package dataset

import (
	"context"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/jsontree"
)

const (
	// readRows and readBytes limit one read.
	readRows  = 500
	readBytes = 4 << 20
)

// null is the value of missing cells.
var null, _ = jsontree.Parse([]byte("null"))

// ReadRows returns up to limit rows of a dataset from a position on, which
// counts from 0. Each row has a value for each column; missing ones are null.
func (s *Service) ReadRows(ctx context.Context, workspace, datasetID, from int64, limit int) ([][]jsontree.Value, error) {
	found, err := s.Get(ctx, workspace, datasetID)
	if err != nil {
		return nil, err
	}
	rows := [][]jsontree.Value{}
	err = s.each(ctx, &found, max(from, 0), int64(limit), func(text string) error {
		cells, err := found.cells(text)
		rows = append(rows, cells)
		return err
	})
	return rows, err
}

// each calls use with rows from a position on and keeps only some of them in
// memory.
func (s *Service) each(ctx context.Context, d *Dataset, from, limit int64, use func(text string) error) error {
	if from >= d.RowCount {
		return nil
	}
	for end := from + min(limit, d.RowCount-from); from < end; {
		rows, err := s.store.ReadRows(ctx, d.content, from, min(end-from, readRows), readBytes)
		if err != nil {
			return err
		}
		if len(rows) == 0 && d.Number == DraftNumber {
			return nil // rows were removed in the meantime
		}
		if len(rows) == 0 {
			return fmt.Errorf("dataset %d has no row %d", d.ID, from)
		}
		for _, text := range rows {
			if err := use(text); err != nil {
				return err
			}
		}
		from += int64(len(rows))
	}
	return nil
}

// cells parses a row.
func (d *Dataset) cells(text string) ([]jsontree.Value, error) {
	tree, err := jsontree.Parse([]byte(text))
	if err != nil {
		return nil, fmt.Errorf("read a row of dataset %d: %w", d.ID, err)
	}
	cells := make([]jsontree.Value, len(d.Columns))
	for i := range cells {
		cells[i] = null
	}
	for i, cell := range tree.Elems() {
		if i < len(cells) {
			cells[i] = cell
		}
	}
	return cells, nil
}

// RowQuery selects rows.
type RowQuery struct {
	// Text must be part of a cell, ignoring case; a blank text matches all rows.
	Text string
	// Offset and Limit select a page of the matching rows.
	Offset, Limit int64
}

// Rows calls use with each row of a page and returns the number of matching
// rows. Only a few rows are in memory at a time.
func (s *Service) Rows(
	ctx context.Context, d *Dataset, query RowQuery, use func(cells []jsontree.Value) error,
) (total int64, err error) {
	return s.PlacedRows(ctx, d, query, func(_ int64, cells []jsontree.Value) error { return use(cells) })
}

// PlacedRows is Rows with the position of each row in the dataset, from 0.
func (s *Service) PlacedRows(
	ctx context.Context, d *Dataset, query RowQuery, use func(position int64, cells []jsontree.Value) error,
) (total int64, err error) {
	position := query.Offset - 1
	read := func(text string) error {
		cells, err := d.cells(text)
		if err != nil {
			return err
		}
		return use(position, cells)
	}
	if strings.TrimSpace(query.Text) == "" {
		return d.RowCount, s.each(ctx, d, query.Offset, query.Limit, func(text string) error {
			position++
			return read(text)
		})
	}
	wanted := newFinder(query.Text)
	position = -1
	err = s.each(ctx, d, 0, d.RowCount, func(text string) error {
		position++
		matches, err := wanted.inRow(text)
		if err != nil || !matches {
			return err
		}
		total++
		if total <= query.Offset || total > query.Offset+query.Limit {
			return nil
		}
		return read(text)
	})
	return total, err
}
