package workflow

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Get returns a version of a workflow; the fault is NotFound when there is no
// such workflow, version or label.
func (s *Service) Get(ctx context.Context, workspace int64, identifier string, version Version) (*Record, error) {
	found, err := s.find(ctx, workspace, identifier, version)
	if err != nil {
		return nil, err
	}
	record := &Record{Entity: found.Entity, Version: found.Version}
	if record.Definition, err = decode(&found.Version); err != nil {
		return nil, err
	}
	labels, err := s.catalog.ListLabels(ctx, workspace, found.Entity.ID)
	if err != nil {
		return nil, err
	}
	record.Labels = names(slices.DeleteFunc(labels, func(l entity.Label) bool { return l.VersionID != found.Version.ID }))
	attached, err := s.catalog.ExternalIDsByEntity(ctx, workspace, []int64{found.Entity.ID})
	record.ExternalIDs = attached[found.Entity.ID]
	return record, err
}

// Labels returns the release labels of a workflow by name; the fault is
// NotFound when there is no such workflow.
func (s *Service) Labels(ctx context.Context, workspace int64, identifier string) ([]entity.Label, error) {
	owner, err := s.identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	labels, err := s.catalog.ListLabels(ctx, workspace, owner.ID)
	slices.SortFunc(labels, func(a, b entity.Label) int { return cmp.Compare(a.Name, b.Name) })
	return labels, err
}

// names returns the names of labels in their order.
func names(labels []entity.Label) []string {
	list := make([]string, len(labels))
	for i, label := range labels {
		list[i] = label.Name
	}
	slices.Sort(list)
	return list
}

// find returns the version that is chosen. Most calls need one query.
func (s *Service) find(ctx context.Context, workspace int64, identifier string, version Version) (entity.FoundVersion, error) {
	found, err := s.catalog.FindVersion(ctx, workspace, entity.KindWorkflow, entity.Selector{
		ID: entity.IDOf(identifier), Name: identifier, Number: version.Number, Label: version.Label,
	})
	if !fault.Is(err, fault.NotFound) {
		return found, err
	}
	owner, err := s.identify(ctx, workspace, identifier)
	if err != nil {
		return found, err
	}
	return s.selected(ctx, workspace, owner.ID, version)
}

// selected returns the version that is chosen of a workflow that is there.
func (s *Service) selected(ctx context.Context, workspace, id int64, version Version) (entity.FoundVersion, error) {
	found, err := s.catalog.FindVersion(ctx, workspace, entity.KindWorkflow,
		entity.Selector{ID: id, Number: version.Number, Label: version.Label})
	switch {
	case fault.Is(err, fault.NotFound) && version.Label != "":
		err = fault.NotFoundf("Release label not found")
	case fault.Is(err, fault.NotFound):
		err = fault.NotFoundf("Version not found")
	}
	return found, err
}

// identify returns the workflow with the id or else the name.
func (s *Service) identify(ctx context.Context, workspace int64, identifier string) (entity.Entity, error) {
	found, err := entity.Identify(ctx, s.catalog, workspace, entity.KindWorkflow, identifier)
	return found, workflowNotFound(err)
}

func (s *Service) byID(ctx context.Context, workspace, id int64) (entity.Entity, error) {
	found, err := entity.Owner{Workspace: workspace, Kind: entity.KindWorkflow, ID: id}.Find(ctx, s.catalog)
	return found, workflowNotFound(err)
}

func (s *Service) byName(ctx context.Context, workspace int64, name string) (entity.Entity, error) {
	found, err := s.catalog.FindEntityByName(ctx, workspace, entity.KindWorkflow, name)
	return found, workflowNotFound(err)
}

// workflowNotFound says what is missing to people who know nothing of
// entities.
func workflowNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.NotFoundf("Workflow not found")
	}
	return err
}
