package export

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// anyColumns returns columns of JSON values. Names that occur before get a number,
// because the columns of a file have different names.
func anyColumns(names ...string) []format.Column {
	columns := make([]format.Column, len(names))
	taken := make(map[string]bool, len(names))
	for i, name := range names {
		unique := name
		for n := 2; taken[unique]; n++ {
			unique = fmt.Sprintf("%s (%d)", name, n)
		}
		taken[unique] = true
		columns[i] = format.Column{Name: unique, Type: format.Any}
	}
	return columns
}

// anyOf returns a JSON value, or none for null.
func anyOf(v jsontree.Value) format.Value {
	if !v.Given() {
		return format.Value{}
	}
	return format.JSONOf(v.Raw())
}

// Dataset returns an export of the rows of a dataset, in order. The fault is NotFound
// if the workspace has no such dataset.
func (s *Service) Dataset(ctx context.Context, workspace, id int64, file File) (*Export, error) {
	found, err := s.datasets.GetLive(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	subject := audit.Subject{Kind: string(entity.KindDataset), ID: found.GroupID, Name: found.GroupName}
	return s.newExport(ctx, &workspace, s.datasetTable(found), file, Note{Subject: subject})
}

// DatasetPart is Dataset for an export that was noted before.
func (s *Service) DatasetPart(ctx context.Context, workspace, id int64, file File) (*Export, error) {
	found, err := s.datasets.GetLive(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	return s.part(workspace, s.datasetTable(found), file)
}

// LatestDatasetPart is DatasetPart for the latest saved version of a dataset. The fault
// is BadRequest if there is only a draft.
func (s *Service) LatestDatasetPart(ctx context.Context, workspace, group int64, file File) (*Export, error) {
	found, err := s.datasets.Version(ctx, workspace, group, nil)
	if err != nil {
		return nil, err
	}
	return s.part(workspace, s.datasetTable(found), file)
}

// datasetTable returns the rows of a dataset as a table.
func (s *Service) datasetTable(found dataset.Dataset) table {
	t := table{columns: anyColumns(found.Columns...)}
	t.rows = func(ctx context.Context, each func([]format.Value) error) (int64, error) {
		values := make([]format.Value, len(t.columns))
		_, err := s.datasets.Rows(ctx, &found, dataset.RowQuery{Limit: math.MaxInt64}, func(cells []jsontree.Value) error {
			for i, cell := range cells {
				values[i] = anyOf(cell)
			}
			return each(values)
		})
		return 0, err
	}
	return t
}

// Evaluation returns an export of the rows of a run of an evaluation: the values of
// the dataset, those of the computed columns, and the notes about the cells.
// The fault is NotFound if the workspace has neither a run nor an evaluation with the
// id.
func (s *Service) Evaluation(ctx context.Context, workspace, id int64, file File) (*Export, error) {
	report, err := s.evaluations.Get(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	t, err := s.evaluationTable(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	subject := audit.Subject{Kind: string(entity.KindReport), ID: id}
	if subject.Name = "evaluation"; report.Evaluation != nil {
		subject.Name = report.Evaluation.Entity.Name
	}
	return s.newExport(ctx, &workspace, t, file, Note{Subject: subject})
}

// EvaluationPart is Evaluation for an export that was noted before. Of an evaluation
// with several runs, it exports the newest that has ended. The fault is BadRequest if
// none has, and NotFound if it was archived.
func (s *Service) EvaluationPart(ctx context.Context, workspace, id int64, file File) (*Export, error) {
	report, err := s.evaluations.Get(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	if report.Archived() {
		return nil, fault.NotFoundf("The evaluation was archived")
	}
	if report.Run == nil {
		if id, err = s.lastRun(ctx, workspace, id); err != nil {
			return nil, err
		}
	}
	t, err := s.evaluationTable(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	return s.part(workspace, t, file)
}

// runsAtOnce is the number of runs that are looked at together.
const runsAtOnce = 100

// lastRun returns the id of the newest run of an evaluation that has ended.
func (s *Service) lastRun(ctx context.Context, workspace, id int64) (int64, error) {
	for offset := 0; ; offset += runsAtOnce {
		runs, _, err := s.evaluations.ListRuns(ctx, workspace, id, entity.Live, entity.Page{Offset: offset, Limit: runsAtOnce})
		if err != nil {
			return 0, err
		}
		for i := range runs {
			if runs[i].EndedAt != nil {
				return runs[i].ID, nil
			}
		}
		if len(runs) < runsAtOnce {
			return 0, fault.BadRequestf("The evaluation has no run that has ended")
		}
	}
}

// evaluationTable returns the rows of a run or an evaluation as a table.
func (s *Service) evaluationTable(ctx context.Context, workspace, id int64) (table, error) {
	found, err := s.evaluations.Rows(ctx, workspace, id, entity.Page{Limit: math.MaxInt32})
	if err != nil {
		return table{}, err
	}
	notes := notesOf(found)
	names := slices.Concat(found.Given, found.Computed)
	for _, one := range notes {
		names = append(names, one.name)
	}
	t := table{columns: anyColumns(names...)}
	t.rows = func(ctx context.Context, each func([]format.Value) error) (int64, error) {
		values := make([]format.Value, len(t.columns))
		return 0, found.Each(ctx, func(row eval.TableRow) error {
			clear(values)
			for i, value := range row.Values {
				values[i] = anyOf(value)
			}
			for i := range row.Cells {
				values[len(found.Given)+i] = anyOf(row.Cells[i].Value)
			}
			for i, one := range notes {
				values[len(values)-len(notes)+i] = noted(found.Computed, &row, one.of)
			}
			return each(values)
		})
	}
	return t, nil
}

// note is a column with texts about the cells of a row.
type note struct {
	name string
	// of returns the text about the cell with the index, nil if there is none.
	of func(row *eval.TableRow, i int) *string
}

// notesOf returns the notes of a run: the reasons of judges, the comments of people,
// and why cells failed.
func notesOf(found *eval.Table) (notes []note) {
	if found.Explains {
		notes = append(notes, note{"reasons", func(row *eval.TableRow, i int) *string { return unlessEmpty(row.Cells[i].Reason) }})
	}
	if found.Asks {
		notes = append(notes, note{"comments", func(row *eval.TableRow, i int) *string { return row.Answers[i].Comment }})
	}
	return append(notes, note{"errors", func(row *eval.TableRow, i int) *string {
		if row.Cells[i].Status != grid.Failed {
			return nil
		}
		return &row.Cells[i].Error
	}})
}

func unlessEmpty(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// noted returns the texts about the cells of a row, by column, no value if there are
// none.
func noted(names []string, row *eval.TableRow, of func(row *eval.TableRow, i int) *string) format.Value {
	w, found := jsontree.NewWriter(nil), false
	w.Object(func() {
		for i := range row.Cells {
			if text := of(row, i); text != nil {
				found = true
				w.Key(names[i]).String(*text)
			}
		}
	})
	if !found {
		return format.Value{}
	}
	return format.JSONOf(w.Bytes())
}
