package eval

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval/score"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
)

// RunInput describes a run to start.
type RunInput struct {
	Name string
	// Comment is that of the evaluation if nil, and none if empty.
	Comment *string
	// DatasetID selects another dataset; nil uses that of the evaluation.
	DatasetID *int64
	// Refresh runs the filter of the dataset again and evaluates the result.
	Refresh bool
	Author  *string
}

// Start starts a run. The fault is NotFound if the evaluation or dataset does
// not exist, Forbidden if the caller lacks the permission, for a run, and for a
// refresh of a dataset without a filter, and BadRequest for a draft and for a
// filter without results.
func (s *Service) Start(ctx context.Context, workspace, reportID int64, in RunInput) (Run, error) {
	found, err := s.findLive(ctx, workspace, reportID)
	if err != nil {
		return Run{}, err
	}
	over, err := s.over(ctx, workspace, found, in)
	if err != nil {
		return Run{}, err
	}
	if err := in.permitted(ctx); err != nil {
		return Run{}, err
	}
	if found.run != nil {
		return Run{}, fault.New(fault.Forbidden, "Can only run evaluation pipeline reports")
	}
	if over.Number == dataset.DraftNumber {
		return Run{}, fault.BadRequestf("A draft cannot be evaluated: save it first")
	}
	if in.Refresh {
		if over, err = s.refresh(ctx, workspace, over); err != nil {
			return Run{}, err
		}
	}
	columns, err := s.store.ReportColumns(ctx, reportID)
	if err != nil {
		return Run{}, err
	}
	return s.start(ctx, found.evaluation, over, columns, in)
}

// permitted returns a Forbidden fault if the caller may not start the run. A
// refresh needs permission to add to the dataset group.
func (in *RunInput) permitted(ctx context.Context) error {
	if in.Refresh {
		return access.Require(ctx, access.ReportRun, access.DatasetEdit)
	}
	return access.Require(ctx, access.ReportRun)
}

// over returns the dataset of a run, or a NotFound fault.
func (s *Service) over(ctx context.Context, workspace int64, found subject, in RunInput) (dataset.Dataset, error) {
	var id int64
	switch {
	case in.DatasetID != nil:
		id = *in.DatasetID
	case found.evaluation != nil:
		id = found.evaluation.DatasetID
	default:
		return dataset.Dataset{}, nil // the caller rejects runs
	}
	over, err := s.datasets.Get(ctx, workspace, id)
	if fault.Is(err, fault.NotFound) || err == nil && over.Deleted {
		err = fault.NotFoundf("Dataset not found")
	}
	return over, err
}

func (s *Service) refresh(ctx context.Context, workspace int64, over dataset.Dataset) (dataset.Dataset, error) {
	if !over.HasFilter {
		return over, fault.New(fault.Forbidden, "The dataset has no filter to run again")
	}
	return s.datasets.Refresh(ctx, workspace, over.ID)
}

// commentFor returns the comment of a run of the evaluation.
func (in *RunInput) commentFor(of *Evaluation) *string {
	if in.Comment == nil {
		return of.Comment
	}
	return given(in.Comment)
}

// start stores a run and starts its job unless there is nothing to do.
func (s *Service) start(ctx context.Context, of *Evaluation, over dataset.Dataset, columns []Column, in RunInput) (Run, error) {
	computed := columns[datasetCount(columns):]
	all := append(datasetColumns(over.Columns), computed...)
	renumber(all)
	now := s.clock()
	run := Run{
		Workspace: of.Entity.WorkspaceID, ReportID: of.Entity.ID, DatasetID: over.ID, Name: in.Name, Comment: in.commentFor(of), Scoring: of.Scoring,
		Rows: over.RowCount, Cells: over.RowCount * int64(len(computed)), Creator: in.Author, CreatedAt: now, State: StateRows,
	}
	if run.Cells == 0 {
		result := score.NewTally(scoreColumns(computed)).Result()
		result.HasCustom = of.Scoring != nil
		run.EndedAt, run.Result.Score = &now, string(result.JSON())
		created, _, err := s.store.CreateReportRun(ctx, run, all)
		return created, reportNotFound(err)
	}
	err := s.jobs.Add(ctx, job.Job{Workspace: run.Workspace, Kind: Kind}, s.entities.InTx, func(ctx context.Context) (int64, error) {
		created, _, err := s.store.CreateReportRun(ctx, run, all)
		run.ID = created.ID
		return created.ID, err
	})
	return run, reportNotFound(err)
}

// Cancel ends a run: active steps are interrupted, and cells that are not final
// fail. A run that has ended is left unchanged. The fault is NotFound if the
// workspace has no such run, and Forbidden if the caller may not run
// evaluations.
func (s *Service) Cancel(ctx context.Context, workspace, id int64) (Run, error) {
	run, err := s.getRun(ctx, workspace, id)
	if err != nil {
		return Run{}, err
	}
	if err := access.Require(ctx, access.ReportRun); err != nil {
		return Run{}, err
	}
	if run.EndedAt != nil {
		return run, nil
	}
	return run, s.cancel(ctx, workspace, id)
}

// cancel cancels a run. One that waits for people has no job that could be
// cancelled, so it gets one.
func (s *Service) cancel(ctx context.Context, workspace, id int64) error {
	found, err := s.jobs.Cancel(ctx, workspace, Kind, id)
	if err != nil || found {
		return err
	}
	waits, err := s.store.QueueReportRun(ctx, workspace, id)
	if err != nil || !waits {
		return err
	}
	_, err = s.jobs.Cancel(ctx, workspace, Kind, id)
	return err
}

// getRun returns a run, or a NotFound fault.
func (s *Service) getRun(ctx context.Context, workspace, id int64) (Run, error) {
	run, err := s.store.GetReportRun(ctx, workspace, id)
	if fault.Is(err, fault.NotFound) {
		err = fault.NotFoundf("Evaluation run not found")
	}
	return run, err
}
