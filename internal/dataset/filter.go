package dataset

import (
	"context"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// CreateFromLogs creates the next numbered dataset of a group from request
// logs. A draft of the group becomes that dataset. The fault is NotFound for an
// unknown group, Forbidden if the caller lacks the permission, and BadRequest
// if a log selected by id does not exist.
func (s *Service) CreateFromLogs(ctx context.Context, workspace, groupID int64, sel Selection, creator *string) (Dataset, error) {
	if err := s.checkEditable(ctx, workspace, groupID); err != nil {
		return Dataset{}, err
	}
	found, err := s.find(ctx, workspace, &sel)
	if err != nil {
		return Dataset{}, err
	}
	return s.fromLogs(ctx, workspace, found, Dataset{Filter: sel.stored, Creator: creator},
		func(made Dataset) (Stored, error) { return s.publish(ctx, workspace, groupID, made) })
}

// Refresh runs the stored filter of a dataset again and stores the result as a
// new numbered dataset of the group; a draft is left unchanged. The fault is
// NotFound for an unknown dataset, and BadRequest if it has no filter or the
// filter finds nothing. The caller checks permissions.
func (s *Service) Refresh(ctx context.Context, workspace, datasetID int64) (Dataset, error) {
	old, err := s.GetLive(ctx, workspace, datasetID)
	if err != nil {
		return Dataset{}, err
	}
	sel, err := old.selection()
	if err != nil {
		return Dataset{}, err
	}
	found, err := s.find(ctx, workspace, &sel)
	if err != nil {
		return Dataset{}, err
	}
	if len(found.ids) == 0 {
		return Dataset{}, fault.BadRequestf("No requests found for the given criteria")
	}
	return s.fromLogs(ctx, workspace, found, Dataset{Filter: old.Filter, Creator: old.Creator},
		func(made Dataset) (Stored, error) {
			stored, err := s.store.AddNumbered(ctx, workspace, old.GroupID, made.stateOf())
			return stored, missing(err, "Dataset group not found")
		})
}

// selection parses the stored filter.
func (d *Dataset) selection() (Selection, error) {
	if !d.HasFilter {
		return Selection{}, fault.BadRequestf("The dataset was not created from a filter")
	}
	tree, err := jsontree.Parse(d.Filter)
	if err != nil {
		return Selection{}, err
	}
	var problems fault.Problems
	sel, err := ParseSelection(tree, &problems)
	return sel, orElse(err, problems.Err())
}

// fromLogs creates a dataset from the found logs and passes it to use.
func (s *Service) fromLogs(
	ctx context.Context, workspace int64, found *selected, made Dataset, use func(made Dataset) (Stored, error),
) (Dataset, error) {
	fill := func(c *content) error { return s.addLogs(ctx, workspace, found, c) }
	return s.build(ctx, workspace, fill, func(c *content) (Stored, error) {
		made.Columns, made.content, made.RowCount = found.layout.columns, c.id, c.count
		return use(made)
	})
}

// addLogs writes a row for each log. It skips logs that no longer exist.
func (s *Service) addLogs(ctx context.Context, workspace int64, found *selected, c *content) error {
	for _, id := range found.ids {
		l, err := s.logs.Get(ctx, workspace, id)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		row := rowOf(l, found.columns)
		if row.prompt != nil {
			c.prompts[*row.prompt] = true
		}
		if err := c.add(ctx, found.layout.row(row.cells)); err != nil {
			return err
		}
	}
	return nil
}
