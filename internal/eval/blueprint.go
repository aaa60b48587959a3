package eval

import (
	"context"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

// CreateInput is an evaluation to be created.
type CreateInput struct {
	DatasetGroupID int64
	// DatasetNumber selects a version of the dataset, nil for the latest.
	DatasetNumber *int64
	// Name is generated if nil.
	Name *string
	// Comment may be nil or empty.
	Comment     *string
	FolderID    *int64
	Columns     []NewColumn
	Scoring     *Scoring
	ExternalIDs []entity.ExternalRef
	Author      *string
}

// Create creates an evaluation and returns it with all of its columns. On any
// fault nothing is changed: NotFound for an unknown group, dataset or folder,
// Forbidden if the caller lacks the permission, BadRequest for a group with
// only a draft and for an invalid column, Conflict for an external id of
// another entity.
func (s *Service) Create(ctx context.Context, workspace int64, in CreateInput) (Evaluation, []Column, error) {
	over, err := s.datasets.Version(ctx, workspace, in.DatasetGroupID, in.DatasetNumber)
	if fault.Is(err, fault.NotFound) {
		return Evaluation{}, nil, err
	}
	if err := entity.CheckFolder(ctx, s.entities, workspace, in.FolderID); err != nil {
		return Evaluation{}, nil, err
	}
	if err := access.Require(ctx, access.ReportCreate); err != nil {
		return Evaluation{}, nil, err
	}
	if err != nil {
		return Evaluation{}, nil, err
	}
	columns, err := addAll(datasetColumns(over.Columns), in.Columns)
	if err != nil {
		return Evaluation{}, nil, err
	}
	if err := s.protectAll(workspace, columns); err != nil {
		return Evaluation{}, nil, err
	}
	var made Evaluation
	var saved []Column
	err = s.entities.InTx(ctx, func(ctx context.Context) error {
		wanted, err := s.entity(ctx, workspace, in)
		if err != nil {
			return err
		}
		one := Evaluation{DatasetID: over.ID, Comment: given(in.Comment), Scoring: in.Scoring}
		made, saved, err = s.store.CreateReport(ctx, wanted, one, columns)
		if err != nil {
			return err
		}
		made.ExternalIDs, err = s.attach(ctx, workspace, made.Entity.ID, in.ExternalIDs)
		return err
	})
	return made, saved, err
}

// attach adds external ids to a new evaluation and returns them.
func (s *Service) attach(ctx context.Context, workspace, id int64, refs []entity.ExternalRef) ([]entity.ExternalID, error) {
	for _, ref := range refs {
		if err := s.entities.AttachExternalID(ctx, workspace, id, ref); err != nil {
			return nil, err
		}
	}
	attached, err := s.entities.ExternalIDsByEntity(ctx, workspace, []int64{id})
	return attached[id], err
}

// entity returns the entity to be created.
func (s *Service) entity(ctx context.Context, workspace int64, in CreateInput) (wanted entity.New, err error) {
	wanted = entity.New{WorkspaceID: workspace, Kind: entity.KindReport, FolderID: in.FolderID, Creator: in.Author}
	if in.Name != nil {
		wanted.Name = *in.Name
		return wanted, nil
	}
	// Names need not be unique, so two evaluations created at the same time may
	// get the same one.
	wanted.Name, err = registry.FreeName(ctx, s.entities, workspace, entity.KindReport, func(n int) string {
		return "Evaluation " + strconv.Itoa(n)
	})
	return wanted, err
}

// Report is an evaluation or a run with all of its columns. The other one is
// nil.
type Report struct {
	Evaluation *Evaluation
	Run        *Run
	Columns    []Column
}

// Archived reports whether the evaluation or the run is archived.
func (r *Report) Archived() bool { return subject{evaluation: r.Evaluation, run: r.Run}.archived() }

// Get returns an evaluation or a run, including deleted ones. The fault is
// NotFound if the workspace has neither.
func (s *Service) Get(ctx context.Context, workspace, id int64) (*Report, error) {
	found, err := s.find(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	report := &Report{Evaluation: found.evaluation, Run: found.run}
	if found.run != nil {
		report.Columns, err = s.store.ReportRunColumns(ctx, id)
		return report, err
	}
	attached, err := s.entities.ExternalIDsByEntity(ctx, workspace, []int64{id})
	if err != nil {
		return nil, err
	}
	report.Evaluation.ExternalIDs = attached[id]
	report.Columns, err = s.store.ReportColumns(ctx, id)
	return report, err
}

// Rename changes the name, the tags and the comment of an evaluation or a run. The
// fault is NotFound if it does not exist, Forbidden if the caller lacks the
// permission, and BadRequest if the patch is empty.
func (s *Service) Rename(ctx context.Context, workspace, id int64, patch Patch) (*Report, error) {
	found, err := s.findLive(ctx, workspace, id)
	if err != nil {
		return nil, err
	}
	if err := access.Require(ctx, access.ReportEdit); err != nil {
		return nil, err
	}
	if patch.Name == nil && patch.Tags == nil && patch.Comment == nil {
		return nil, fault.BadRequestf("A name, tags or a comment must be given")
	}
	if found.run != nil {
		err = s.store.PatchReportRun(ctx, workspace, id, patch)
	} else {
		err = s.entities.InTx(ctx, func(ctx context.Context) error { return s.patchEvaluation(ctx, workspace, id, patch) })
	}
	if err != nil {
		return nil, reportNotFound(err)
	}
	return s.Get(ctx, workspace, id)
}

func (s *Service) patchEvaluation(ctx context.Context, workspace, id int64, patch Patch) error {
	if patch.Name != nil {
		if _, err := s.entities.RenameEntity(ctx, workspace, id, *patch.Name); err != nil {
			return err
		}
	}
	if patch.Tags != nil {
		if _, err := s.entities.SetTags(ctx, workspace, id, patch.Tags); err != nil {
			return err
		}
	}
	if patch.Comment == nil {
		return nil
	}
	return s.store.SetReportComment(ctx, workspace, id, given(patch.Comment))
}

// Delete archives an evaluation or a run and cancels an active run. The fault
// is NotFound if it does not exist or is already archived, and Forbidden if the
// caller lacks the permission.
func (s *Service) Delete(ctx context.Context, workspace, id int64) error {
	found, err := s.findLive(ctx, workspace, id)
	if err != nil {
		return err
	}
	if err := access.Require(ctx, access.ReportDelete); err != nil {
		return err
	}
	if found.run == nil {
		_, err := s.entities.SoftDelete(ctx, workspace, []int64{id})
		return reportNotFound(err)
	}
	if _, err := s.store.ArchiveReportRuns(ctx, workspace, []int64{id}); err != nil {
		return err
	}
	return s.cancelAll(ctx, workspace, []int64{id})
}

// cancelAll cancels those of the runs that are active.
func (s *Service) cancelAll(ctx context.Context, workspace int64, ids []int64) error {
	for _, id := range ids {
		if err := s.cancel(ctx, workspace, id); err != nil {
			return fmt.Errorf("cancel run %d: %w", id, err)
		}
	}
	return nil
}

// DeleteByName archives all evaluations and runs with exactly this name. The
// fault is NotFound if there are none, and Forbidden if the caller lacks the
// permission.
func (s *Service) DeleteByName(ctx context.Context, workspace int64, name string) error {
	evaluations, err := s.store.LiveReports(ctx, workspace, name)
	if err != nil {
		return err
	}
	runs, err := s.store.LiveReportRuns(ctx, workspace, name)
	if err != nil {
		return err
	}
	if len(evaluations)+len(runs) == 0 {
		return fault.NotFoundf("Report not found")
	}
	if err := access.Require(ctx, access.ReportDelete); err != nil {
		return err
	}
	err = s.entities.InTx(ctx, func(ctx context.Context) error {
		if len(evaluations) > 0 {
			if _, err := s.entities.SoftDelete(ctx, workspace, evaluations); err != nil {
				return err
			}
		}
		_, err := s.store.ArchiveReportRuns(ctx, workspace, runs)
		return err
	})
	if err != nil {
		return reportNotFound(err)
	}
	return s.cancelAll(ctx, workspace, runs)
}

// maxRuns is the maximum number of runs listed with an evaluation.
const maxRuns = 100

// runStatus returns the status of the runs to list with evaluations of a
// status. Archived runs are included unless only live evaluations are listed.
func runStatus(status entity.Status) entity.Status {
	if status == entity.Live {
		return entity.Live
	}
	return entity.LiveOrDeleted
}

// List returns a page of evaluations, with their newest runs if requested, and
// the total number.
func (s *Service) List(ctx context.Context, query entity.Query, withRuns bool) ([]Evaluation, int64, error) {
	query.Kinds = []entity.Kind{entity.KindReport}
	found, total, err := s.entities.ListEntities(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	list, ids := make([]Evaluation, len(found)), make([]int64, len(found))
	for i, one := range found {
		list[i].Entity, ids[i] = one, one.ID
	}
	if err := s.store.FillReports(ctx, query.WorkspaceID, list); err != nil {
		return nil, 0, err
	}
	attached, err := s.entities.ExternalIDsByEntity(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, 0, err
	}
	for i := range list {
		list[i].ExternalIDs = attached[ids[i]]
	}
	if withRuns {
		err = s.addRuns(ctx, query.WorkspaceID, list, ids, runStatus(query.Status))
	}
	return list, total, err
}

// addRuns sets the newest runs of evaluations and the number of all their runs.
func (s *Service) addRuns(ctx context.Context, workspace int64, list []Evaluation, ids []int64, status entity.Status) error {
	runs, err := s.store.ReportRuns(ctx, workspace, ids, status, maxRuns)
	if err != nil {
		return err
	}
	var cut []int64 // only these may have more runs than were read
	for _, id := range ids {
		if len(runs[id]) == maxRuns {
			cut = append(cut, id)
		}
	}
	counts, err := s.store.CountReportRuns(ctx, workspace, cut, status)
	for i, id := range ids {
		list[i].Runs, list[i].RunCount = runs[id], max(counts[id], int64(len(runs[id])))
	}
	return err
}
