package dataset

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Get returns a dataset by its id, even one of a deleted group, or a NotFound
// fault.
func (s *Service) Get(ctx context.Context, workspace, id int64) (Dataset, error) {
	stored, err := s.store.GetDataset(ctx, workspace, id)
	if err != nil {
		return Dataset{}, missing(err, "Dataset not found")
	}
	return datasetOf(stored)
}

// GetLive is Get without datasets of deleted groups.
func (s *Service) GetLive(ctx context.Context, workspace, id int64) (Dataset, error) {
	found, err := s.Get(ctx, workspace, id)
	if err == nil && found.Deleted {
		return Dataset{}, fault.NotFoundf("Dataset not found")
	}
	return found, err
}

// Version returns a numbered dataset of a group, the latest if number is nil.
// The fault is NotFound for an unknown group or number, and BadRequest for the
// number of a draft and for a group with only a draft.
func (s *Service) Version(ctx context.Context, workspace, groupID int64, number *int64) (Dataset, error) {
	group, err := s.group(ctx, workspace, groupID)
	if err != nil {
		return Dataset{}, err
	}
	switch {
	case group.LatestVersion == 0:
		return Dataset{}, fault.BadRequestf("Dataset must have at least one non-draft version")
	case number != nil && *number == DraftNumber:
		return Dataset{}, fault.BadRequestf("A draft cannot be evaluated: choose a saved version")
	}
	wanted := int64(0)
	if number != nil {
		if wanted = *number; wanted < 1 {
			return Dataset{}, fault.NotFoundf("Dataset version not found")
		}
	}
	stored, err := s.store.FindDataset(ctx, workspace, groupID, wanted)
	if err != nil {
		return Dataset{}, missing(err, "Dataset version not found")
	}
	return datasetOf(stored)
}

// List returns a page of datasets, including drafts, and the total number.
func (s *Service) List(ctx context.Context, query ListQuery) ([]Dataset, int64, error) {
	workspace := query.Filters.WorkspaceID
	if query.ReportID != nil {
		ids, err := s.reportDatasets(ctx, workspace, *query.ReportID)
		if err != nil {
			return nil, 0, err
		}
		query.IDs = ids
	}
	found, total, err := s.store.ListDatasets(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	datasets, err := s.withExternalIDs(ctx, workspace, found)
	return datasets, total, err
}

// maxReportDatasets is the maximum number of datasets of an evaluation that a
// list considers: the newest. Each of them is a run over other data.
const maxReportDatasets = 1000

func (s *Service) reportDatasets(ctx context.Context, workspace, report int64) ([]int64, error) {
	if s.reports == nil {
		return []int64{}, nil
	}
	found, err := s.reports.ReportDatasets(ctx, workspace, report)
	ids := append([]int64{}, found...)
	slices.Sort(ids)
	ids = slices.Compact(ids)
	return ids[max(0, len(ids)-maxReportDatasets):], err
}

func (s *Service) withExternalIDs(ctx context.Context, workspace int64, found []Stored) ([]Dataset, error) {
	groups := make([]int64, len(found))
	for i := range found {
		groups[i] = found[i].Group.ID
	}
	attached, err := s.entities.ExternalIDsByEntity(ctx, workspace, groups)
	if err != nil {
		return nil, err
	}
	datasets := make([]Dataset, len(found))
	for i := range found {
		if datasets[i], err = datasetOf(found[i]); err != nil {
			return nil, err
		}
		datasets[i].ExternalIDs = attached[found[i].Group.ID]
	}
	return datasets, nil
}

// group returns a live dataset group, or a NotFound fault.
func (s *Service) group(ctx context.Context, workspace, id int64) (entity.Entity, error) {
	found, err := entity.Owner{Workspace: workspace, Kind: entity.KindDataset, ID: id}.Find(ctx, s.entities)
	return found, missing(err, "Dataset group not found")
}

// checkEditable returns a NotFound fault if there is no live dataset group with
// the id, and a Forbidden fault if the caller may not edit it.
func (s *Service) checkEditable(ctx context.Context, workspace, id int64) error {
	if _, err := s.group(ctx, workspace, id); err != nil {
		return err
	}
	return access.Require(ctx, access.DatasetEdit)
}

// draft returns the draft of a live group, or a NotFound fault.
func (s *Service) draft(ctx context.Context, workspace, groupID int64) (Dataset, error) {
	stored, err := s.store.FindDataset(ctx, workspace, groupID, DraftNumber)
	if err != nil {
		return Dataset{}, missing(err, "The dataset group has no draft")
	}
	return datasetOf(stored)
}

// missing replaces a NotFound fault by one in the terms of clients.
func missing(err error, message string) error {
	if fault.Is(err, fault.NotFound) {
		return fault.NotFoundf("%s", message)
	}
	return err
}
