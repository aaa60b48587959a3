package eval

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Table is a page of the rows of a run, or of the rows that a run of an
// evaluation would have.
type Table struct {
	// Given are the names of the dataset columns, Computed those of the others.
	Given, Computed []string
	// Explains reports whether a column gives reasons for its values, and Asks whether
	// one asks people.
	Explains, Asks bool
	// Total is the number of rows.
	Total int64

	service      *Service
	workspace    int64
	datasetID    int64
	run          *Run
	grid         *grid.Grid
	from, before int64
}

// TableRow is one row.
type TableRow struct {
	// Values has an element for each dataset column, absent if the row has no
	// value for it.
	Values []jsontree.Value
	// Cells has an element for each computed column, and none for an evaluation.
	Cells []grid.Cell
	// Answers are the answers of people by the index of their cell.
	Answers map[int]Answer
}

// Rows returns a page of the rows of a run or an evaluation, including deleted
// ones. The fault is NotFound if the workspace has neither.
func (s *Service) Rows(ctx context.Context, workspace, id int64, page entity.Page) (*Table, error) {
	report, err := s.Get(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	given, computed := split(report.Columns)
	t := &Table{Given: given, service: s, workspace: workspace, run: report.Run, grid: grid.Read(given, computed)}
	t.Explains, t.Asks = t.grid.Explains(), t.grid.Asks()
	for _, c := range computed {
		t.Computed = append(t.Computed, c.Name)
	}
	if report.Run != nil {
		t.datasetID, t.Total = report.Run.DatasetID, report.Run.Rows
	} else {
		t.datasetID = report.Evaluation.DatasetID
		t.Total, err = s.rowCount(ctx, workspace, t.datasetID)
	}
	t.from = min(int64(page.Offset), t.Total)
	t.before = min(t.from+int64(page.Limit), t.Total)
	return t, err
}

// tableStep is the number of rows of a page in memory at a time.
const tableStep = 10

// Each visits the rows of the page in order.
func (t *Table) Each(ctx context.Context, visit func(row TableRow) error) error {
	for from := t.from; from < t.before; from += tableStep {
		rows, err := t.part(ctx, from, min(from+tableStep, t.before))
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := visit(row); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *Table) part(ctx context.Context, from, before int64) ([]TableRow, error) {
	values, err := t.service.values(ctx, t.workspace, t.datasetID, from, before)
	if err != nil {
		return nil, err
	}
	rows := make([]TableRow, len(values))
	for i := range values {
		rows[i].Values = make([]jsontree.Value, len(t.Given))
		copy(rows[i].Values, values[i])
	}
	if t.run == nil {
		return rows, nil
	}
	cells, err := t.service.cells(ctx, *t.run, from, before)
	for i := range cells {
		rows[i].Cells = completeRow(*t.run, cells[i], len(t.Computed))
	}
	if err == nil && t.Asks {
		err = t.addAnswers(ctx, rows, from, before)
	}
	return rows, err
}

// rowCount returns the number of rows of a dataset, 0 if it no longer exists.
func (s *Service) rowCount(ctx context.Context, workspace, id int64) (int64, error) {
	found, err := s.datasets.Get(ctx, workspace, id)
	if fault.Is(err, fault.NotFound) {
		return 0, nil
	}
	return found.RowCount, err
}

// completeRow returns all cells of a row. The cells of a run that has ended are
// final.
func completeRow(run Run, cells []grid.Cell, count int) []grid.Cell {
	all := make([]grid.Cell, count)
	for i := range all {
		all[i].Status = grid.Queued
	}
	copy(all, cells)
	if run.EndedAt != nil {
		grid.GiveUp(all, run.EndNote)
	}
	return all
}
