package eval

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// cancelled is the error of cells whose run was cancelled.
const cancelled = "The run was cancelled"

// scoreColumns returns columns in the form of package score.
func scoreColumns(computed []Column) []score.Column {
	columns := make([]score.Column, len(computed))
	for i, c := range computed {
		columns[i] = score.Column{Name: c.Name, Scored: c.Scored}
		if scale := scaleIn(&c); scale != nil && scale.Kind != step.PassFail {
			columns[i].Points = scale.Points
		}
	}
	return columns
}

// scaleIn returns the scale of the judge in a column, nil if it is none.
func scaleIn(c *Column) *step.Scale {
	if prepared := prepared(c); prepared != nil {
		return prepared.Scale()
	}
	return nil
}

// rating is the result of a run with its column scores.
type rating struct {
	result Result
	// scores are the column scores by column id.
	scores map[int64]string
}

// rate computes the score of a run whose rows are final, with the given columns
// and scoring.
func (s *Service) rate(ctx context.Context, run Run, columns []Column, scoring *Scoring) (rating, error) {
	if run.EndNote != "" {
		return unrated(run.EndNote, scoring != nil), nil
	}
	computed := columns[datasetCount(columns):]
	tally := score.NewTally(scoreColumns(computed))
	if scoring != nil {
		return s.rateByCode(ctx, run, columns, *scoring, tally)
	}
	if err := s.eachRow(ctx, run, false, func(_ []jsontree.Value, cells []grid.Cell) { tally.Add(cells) }); err != nil {
		return rating{}, err
	}
	result := tally.Result()
	return rated(&result, tally, computed), nil
}

// rateByCode lets code compute the score.
func (s *Service) rateByCode(ctx context.Context, run Run, columns []Column, scoring Scoring, tally *score.Tally) (rating, error) {
	done, err := s.scoring.Acquire(ctx, run.Workspace)
	if err != nil {
		return rating{}, err
	}
	defer done()
	given, _ := split(columns)
	computed := columns[len(given):]
	data := score.NewData(given, scoreColumns(computed))
	err = s.eachRow(ctx, run, true, func(values []jsontree.Value, cells []grid.Cell) {
		tally.Add(cells)
		data.Add(values, cells)
	})
	if err != nil {
		return rating{}, err
	}
	var code score.Run
	if scripts := s.env(Scope{Workspace: run.Workspace, RunID: run.ID}).Scripts; scripts != nil {
		code = scripts.Run
	}
	result, err := score.Code{Code: scoring.Code, Language: scoring.Language}.Compute(ctx, code, data)
	if err != nil {
		return rating{}, err
	}
	return rated(&result, tally, computed), nil
}

// rated returns the rating for a score.
func rated(result *score.Result, tally *score.Tally, computed []Column) rating {
	r := rating{scores: map[int64]string{}, result: Result{
		Score: string(result.JSON()), Matrix: string(result.Matrix), Failure: result.Failure,
	}}
	for i, one := range tally.Columns() {
		if one.Score != nil {
			r.scores[computed[i].ID] = string(jsontree.AppendFloat(nil, *one.Score))
		}
	}
	return r
}

// unrated returns the rating of a run without a score, with the reason.
func unrated(why string, hasCode bool) rating {
	result := score.Without(why, hasCode)
	return rating{result: Result{Score: string(result.JSON())}}
}

// scanStep is the number of rows read at a time when scanning a run.
const scanStep = 500

// visitor receives a row. The dataset values are nil unless requested, and if
// the dataset no longer exists.
type visitor func(values []jsontree.Value, cells []grid.Cell)

// eachRow visits the rows of a run in order.
func (s *Service) eachRow(ctx context.Context, run Run, withValues bool, visit visitor) error {
	var over *dataset.Dataset
	if withValues {
		found, err := s.datasets.Get(ctx, run.Workspace, run.DatasetID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		over = &found // without rows if it no longer exists
	}
	for from := int64(0); from < run.Rows; from += scanStep {
		before := min(from+scanStep, run.Rows)
		rows, err := s.cells(ctx, run, from, before)
		if err != nil {
			return err
		}
		if rows, err = s.withValues(ctx, over, from, rows, visit); err != nil {
			return err
		}
		for i := range rows {
			visit(nil, rows[i])
		}
	}
	return nil
}

// withValues visits rows together with the values of a dataset and returns the
// rows that the dataset does not have.
func (s *Service) withValues(ctx context.Context, over *dataset.Dataset, from int64, rows [][]grid.Cell, visit visitor) ([][]grid.Cell, error) {
	if over == nil {
		return rows, nil
	}
	_, err := s.datasets.Rows(ctx, over, dataset.RowQuery{Offset: from, Limit: int64(len(rows))}, func(values []jsontree.Value) error {
		visit(values, rows[0])
		rows = rows[1:]
		return nil
	})
	return rows, err
}

// cells returns the cells of rows of a run, nil for rows that are not stored.
func (s *Service) cells(ctx context.Context, run Run, from, before int64) ([][]grid.Cell, error) {
	stored, err := s.store.ReportRows(ctx, run.ID, from, before, int(before-from))
	if err != nil {
		return nil, err
	}
	rows := make([][]grid.Cell, before-from)
	for _, one := range stored {
		if rows[one.Position-from], err = grid.ParseRow([]byte(one.Cells)); err != nil {
			return nil, fmt.Errorf("row %d of run %d: %w", one.Position, run.ID, err)
		}
	}
	return rows, nil
}

// values returns rows of a dataset, nil for rows that do not exist: an
// evaluation can outlive its dataset.
func (s *Service) values(ctx context.Context, workspace, datasetID, from, before int64) ([][]jsontree.Value, error) {
	rows := make([][]jsontree.Value, before-from)
	if before == from {
		return rows, nil
	}
	found, err := s.datasets.ReadRows(ctx, workspace, datasetID, from, int(before-from))
	if fault.Is(err, fault.NotFound) {
		return rows, nil
	}
	copy(rows, found)
	return rows, err
}

// Score returns the score of a run as JSON. The fault is NotFound if the run
// does not exist, and BadRequest for an evaluation.
func (s *Service) Score(ctx context.Context, workspace, id int64) (string, error) {
	found, err := s.find(ctx, workspace, id)
	if err != nil {
		return "", err
	}
	if found.run == nil {
		return "", fault.BadRequestf("Blueprint reports do not have scores")
	}
	return found.run.scoreText(), nil
}

// scoreText returns the score of a run as JSON, even while the run is active.
func (r *Run) scoreText() string {
	if r.Result.Score != "" {
		return r.Result.Score
	}
	running := score.Running(r.Scoring != nil)
	return string(running.JSON())
}

// SetScoreCard sets the scored columns, and the code that computes the score,
// nil for none. For an evaluation it applies to future runs. A run that has
// ended is scored again; an active one is scored when it ends. The fault is
// NotFound if the report does not exist, Forbidden if the caller lacks the
// permission, and Invalid for an unknown column name.
func (s *Service) SetScoreCard(ctx context.Context, workspace, id int64, names []string, scoring *Scoring) (*Report, error) {
	found, err := s.findLive(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	if err := access.Require(ctx, access.ReportEdit); err != nil {
		return nil, err
	}
	if found.run != nil {
		err = s.setRunCard(ctx, workspace, id, names, scoring)
	} else {
		err = s.setBlueprintCard(ctx, workspace, id, names, scoring)
	}
	if err != nil {
		return nil, err
	}
	return s.Get(ctx, workspace, id)
}

func (s *Service) setBlueprintCard(ctx context.Context, workspace, id int64, names []string, scoring *Scoring) error {
	return s.entities.InTx(ctx, func(ctx context.Context) error {
		if err := s.entities.LockEntity(ctx, workspace, id); err != nil {
			return reportNotFound(err)
		}
		columns, err := s.store.ReportColumns(ctx, id)
		if err != nil {
			return err
		}
		if err := choose(columns, names); err != nil {
			return err
		}
		if _, err := s.store.SaveReportColumns(ctx, workspace, id, columns); err != nil {
			return err
		}
		return s.store.SetReportScoring(ctx, workspace, id, scoring)
	})
}

// choose marks exactly the named columns as scored.
func choose(columns []Column, names []string) error {
	count := datasetCount(columns)
	for i := range columns {
		columns[i].Scored = i >= count && slices.Contains(names, columns[i].Name)
	}
	problems := fault.Problems{}
	for i, name := range names {
		if !slices.ContainsFunc(columns[count:], func(c Column) bool { return c.Name == name }) {
			problems.Add(fault.In("column_names", i), "value_error", "There is no evaluation column '%s'", name)
		}
	}
	return problems.Err()
}

// setRunCard changes the scoring of a run. It retries if the run ends at the
// same time.
func (s *Service) setRunCard(ctx context.Context, workspace, id int64, names []string, scoring *Scoring) error {
	for range maxLost {
		run, err := s.getRun(ctx, workspace, id)
		if err != nil {
			return err
		}
		columns, err := s.store.ReportRunColumns(ctx, id)
		if err != nil {
			return err
		}
		if err := choose(columns, names); err != nil {
			return err
		}
		card := ScoreCard{Scored: chosen(columns), Scoring: scoring}
		if run.EndedAt != nil {
			found, err := s.rate(ctx, run, columns, scoring)
			if err != nil {
				return err
			}
			card.Result, card.Scores = &found.result, found.scores
		}
		if set, err := s.store.SetScoreCard(ctx, workspace, id, card); err != nil || set {
			return err
		}
		if run, err := s.getRun(ctx, workspace, id); err != nil || run.ArchivedAt != nil {
			return fault.NotFoundf("Report not found")
		}
	}
	return fault.Busy(time.Second, nil, "The run keeps changing")
}

// maxLost is the maximum number of attempts when others make changes
// concurrently.
const maxLost = 10

// chosen returns the ids of the scored columns.
func chosen(columns []Column) []int64 {
	var ids []int64
	for i := range columns {
		if columns[i].Scored {
			ids = append(ids, columns[i].ID)
		}
	}
	return ids
}
