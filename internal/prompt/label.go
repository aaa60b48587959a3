package prompt

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Labels returns the release labels of a template, oldest first.
func (s *Service) Labels(ctx context.Context, workspace int64, identifier string) ([]entity.Label, error) {
	found, err := s.find(ctx, workspace, identifier, Version{})
	if err != nil {
		return nil, err
	}
	return s.catalog.ListLabels(ctx, workspace, found.Entity.ID)
}

// Pointer names a version by its number, or by its id when Number is 0.
type Pointer struct {
	Number int64
	ID     int64
}

// number returns the number of the version of a template that is meant.
func (s *Service) number(ctx context.Context, workspace, prompt int64, to Pointer) (int64, error) {
	if to.Number != 0 {
		return to.Number, nil
	}
	version, err := s.catalog.GetVersionByID(ctx, workspace, to.ID)
	if err == nil && version.EntityID != prompt {
		err = fault.NotFoundf("the template has no version with the id %d", to.ID)
	}
	return version.Number, err
}

// CreateLabel lets a new label point at a version. A label that does so
// already is returned as it is; the fault is Conflict when it points at
// another version, and NotFound for an unknown template or version.
func (s *Service) CreateLabel(ctx context.Context, workspace, prompt int64, name string, to Pointer) (entity.Label, error) {
	var label entity.Label
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		if err := s.check(ctx, workspace, prompt); err != nil {
			return err
		}
		number, err := s.number(ctx, workspace, prompt, to)
		if err != nil {
			return err
		}
		if err := access.Require(ctx, access.PromptDeploy); err != nil {
			return err
		}
		label, err = s.catalog.CreateLabel(ctx, workspace, prompt, name, number)
		if !fault.Is(err, fault.Conflict) {
			return err
		}
		if label, err = s.catalog.FindLabel(ctx, workspace, prompt, name); err != nil {
			return err
		}
		if label.VersionNumber != number {
			return fault.Conflictf("the label %q points at version %d already; move it instead", name, label.VersionNumber)
		}
		return nil
	})
	return label, err
}

// check returns a NotFound fault unless the id is that of a template.
func (s *Service) check(ctx context.Context, workspace, id int64) error {
	found, err := s.catalog.GetEntity(ctx, workspace, id)
	if fault.Is(err, fault.NotFound) || err == nil && found.Kind != entity.KindPrompt {
		err = fault.NotFoundf("prompt template %d not found", id)
	}
	return err
}

// MoveLabel lets a label point at another version of its template. The fault
// is NotFound for an unknown label or version.
func (s *Service) MoveLabel(ctx context.Context, workspace, id int64, to Pointer) (entity.Label, error) {
	var label entity.Label
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		present, err := s.label(ctx, workspace, id)
		if err != nil {
			return err
		}
		number, err := s.number(ctx, workspace, present.EntityID, to)
		if err != nil {
			return err
		}
		if err := access.Require(ctx, access.PromptDeploy); err != nil {
			return err
		}
		label, err = s.catalog.MoveLabel(ctx, workspace, id, number)
		return err
	})
	return label, err
}

// DeleteLabel removes a label, and an A/B test with it.
func (s *Service) DeleteLabel(ctx context.Context, workspace, id int64) error {
	return s.catalog.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.label(ctx, workspace, id); err != nil {
			return err
		}
		if err := access.Require(ctx, access.PromptDeploy); err != nil {
			return err
		}
		return s.catalog.DeleteLabel(ctx, workspace, id)
	})
}

// label returns a label of a template; labels of other kinds are not found.
func (s *Service) label(ctx context.Context, workspace, id int64) (entity.Label, error) {
	label, err := s.catalog.GetLabel(ctx, workspace, id)
	if err != nil {
		return label, err
	}
	if err = s.check(ctx, workspace, label.EntityID); fault.Is(err, fault.NotFound) {
		err = fault.NotFoundf("label %d not found", id)
	}
	return label, err
}
