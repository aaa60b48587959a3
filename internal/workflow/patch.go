package workflow

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
)

// Patch is a change of one version that makes a new one.
type Patch struct {
	// Base is the number of the version to start from, 0 for the latest.
	Base    int64
	Changes Changes
	Release Release
}

// Patch adds a version that is the base with the changes. Patches of one
// workflow are made one after the other, so that none undoes another. On any
// fault nothing is changed: NotFound for an unknown workflow or version,
// Forbidden when the caller may not do it, BadRequest for a result that breaks
// a rule.
func (s *Service) Patch(ctx context.Context, workspace int64, identifier string, patch Patch) (*Record, error) {
	base, err := s.find(ctx, workspace, identifier, Version{Number: patch.Base})
	if err != nil {
		return nil, err
	}
	if err := patch.Release.require(ctx, access.WorkflowEdit); err != nil {
		return nil, err
	}
	// What can be refused is refused here, while others can still write.
	prepared, err := s.patched(&base.Version, patch.Changes)
	if err != nil {
		return nil, err
	}
	var record *Record
	err = s.catalog.InTx(ctx, func(ctx context.Context) error {
		if err := s.hold(ctx, workspace, base.Entity.ID); err != nil {
			return err
		}
		// What is the latest version is certain only now.
		current, err := s.selected(ctx, workspace, base.Entity.ID, Version{Number: patch.Base})
		if err != nil {
			return err
		}
		made := prepared
		if current.Version.ID != base.Version.ID {
			if made, err = s.patched(&current.Version, patch.Changes); err != nil {
				return err
			}
		}
		if record, err = s.add(ctx, workspace, current.Entity, made, patch.Release); err != nil {
			return err
		}
		record.Base = current.Version.Number
		return nil
	})
	return record, err
}

// patched returns a version with the changes made, ready to be stored.
func (s *Service) patched(base *entity.Version, changes Changes) (draft, error) {
	definition, err := decode(base)
	if err != nil {
		return draft{}, err
	}
	changed, err := definition.Apply(changes)
	if err != nil {
		return draft{}, err
	}
	return s.draft(&changed, !changes.HasEdges)
}
