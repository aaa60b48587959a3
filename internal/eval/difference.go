package eval

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval/compare"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Difference describes what changed between two runs of an evaluation, overall
// and in a page of rows.
type Difference struct {
	Before, After Run
	Result        compare.Result
	// Names are the columns that both runs have.
	Names []string
	Rows  []RowDifference
	// Total is the number of rows.
	Total int64
}

// RowDifference describes what changed in one row.
type RowDifference struct {
	// Position counts from 0.
	Position int64
	// Before, After and Changes have an element for each column that both runs
	// have; Before or After is empty if that run does not have the row.
	Before, After []grid.Cell
	Changes       []compare.Change
}

// Compare compares a run with a later one. The fault is NotFound if the
// workspace does not have both runs, BadRequest if they belong to different
// evaluations, and Conflict if one of them is active.
func (s *Service) Compare(ctx context.Context, workspace, beforeID, afterID int64, page entity.Page) (*Difference, error) {
	before, err := s.side(ctx, workspace, beforeID)
	if err != nil {
		return nil, err
	}
	after, err := s.side(ctx, workspace, afterID)
	switch {
	case err != nil:
		return nil, err
	case before.run.ReportID != after.run.ReportID:
		return nil, fault.BadRequestf("Only runs of one evaluation can be compared")
	case before.run.EndedAt == nil || after.run.EndedAt == nil:
		return nil, fault.Conflictf("Only runs that have ended can be compared")
	}
	sameDataset := before.run.DatasetID == after.run.DatasetID
	before.withInput, after.withInput = !sameDataset, !sameDataset
	difference := &Difference{Before: before.run, After: after.run, Total: max(before.run.Rows, after.run.Rows)}
	if difference.Result, err = s.compared(ctx, before, after); err != nil {
		return nil, err
	}
	return difference, s.comparePage(ctx, difference, before, after, page)
}

// side is one of the compared runs.
type side struct {
	run      Run
	given    []string
	computed []Column
	// withInput reports whether dataset values are compared, too.
	withInput bool
}

func (s *Service) side(ctx context.Context, workspace, id int64) (side, error) {
	run, err := s.getRun(ctx, workspace, id)
	if err != nil {
		return side{}, err
	}
	columns, err := s.store.ReportRunColumns(ctx, id)
	given, _ := split(columns)
	return side{run: run, given: given, computed: columns[len(given):]}, err
}

// known returns the side in the form of package compare.
func (s *side) known() compare.Side {
	known := compare.Side{Columns: scoreColumns(s.computed)}
	if s.withInput {
		known.Dataset = s.given
	}
	return known
}

// rowsOf returns rows of a side, nil for rows that it does not have.
func (s *Service) rowsOf(ctx context.Context, of side, from, before int64) ([]*compare.Row, error) {
	rows := make([]*compare.Row, before-from)
	before = min(before, of.run.Rows)
	if from >= before {
		return rows, nil
	}
	cells, err := s.cells(ctx, of.run, from, before)
	if err != nil {
		return nil, err
	}
	values := make([][]jsontree.Value, before-from)
	if of.withInput {
		if values, err = s.values(ctx, of.run.Workspace, of.run.DatasetID, from, before); err != nil {
			return nil, err
		}
	}
	for i := range cells {
		rows[i] = &compare.Row{Dataset: values[i], Cells: completeRow(of.run, cells[i], len(of.computed))}
	}
	return rows, nil
}

// inputStep is the number of rows compared at a time with dataset values, which
// can be large.
const inputStep = 50

// compared returns the overall difference. It is cached because clients request
// the same pair page by page.
func (s *Service) compared(ctx context.Context, before, after side) (compare.Result, error) {
	key := pairKey{before.run.ID, before.run.Revision, after.run.ID, after.run.Revision}
	if known, ok := s.differences.get(key); ok {
		return known, nil
	}
	done, err := s.scoring.Acquire(ctx, after.run.Workspace)
	if err != nil {
		return compare.Result{}, err
	}
	defer done()
	comparison := compare.New(before.known(), after.known())
	total := max(before.run.Rows, after.run.Rows)
	step := int64(scanStep)
	if before.withInput {
		step = inputStep
	}
	for from := int64(0); from < total; from += step {
		end := min(from+step, total)
		one, err := s.rowsOf(ctx, before, from, end)
		if err != nil {
			return compare.Result{}, err
		}
		other, err := s.rowsOf(ctx, after, from, end)
		if err != nil {
			return compare.Result{}, err
		}
		for i := range one {
			comparison.Add(one[i], other[i])
		}
	}
	result := comparison.Result()
	s.differences.put(key, result, maxDifferences)
	return result, nil
}

// comparePage adds a page of rows.
func (s *Service) comparePage(ctx context.Context, d *Difference, before, after side, page entity.Page) error {
	comparison := compare.New(before.known(), after.known())
	d.Names = comparison.Names()
	from := min(int64(page.Offset), d.Total)
	end := min(from+int64(page.Limit), d.Total)
	one, err := s.rowsOf(ctx, before, from, end)
	if err != nil {
		return err
	}
	other, err := s.rowsOf(ctx, after, from, end)
	if err != nil {
		return err
	}
	for i := range one {
		d.Rows = append(d.Rows, RowDifference{
			Position: from + int64(i), Changes: comparison.Changes(one[i], other[i]),
			Before: pick(one[i], before.computed, d.Names), After: pick(other[i], after.computed, d.Names),
		})
	}
	return nil
}

// pick returns the cells of the named columns, nil if there is no row.
func pick(row *compare.Row, columns []Column, names []string) []grid.Cell {
	if row == nil {
		return nil
	}
	places := make(map[string]int, len(columns))
	for i, c := range columns {
		places[c.Name] = i
	}
	cells := make([]grid.Cell, len(names))
	for i, name := range names {
		cells[i] = row.Cells[places[name]]
	}
	return cells
}

// pairKey identifies two runs and their scoring.
type pairKey struct{ before, beforeRevision, after, afterRevision int64 }

// maxDifferences is the maximum number of cached comparisons.
const maxDifferences = 100
