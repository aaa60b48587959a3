package workflow

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
)

// Patch changes one version into a new one.
type Patch struct {
	// Base is the number of the version to start from, 0 for the latest.
	Base    int64
	Changes Changes
	Release registry.Release
}

// Patch adds a version that is the base with the changes. Patches of one
// workflow are serialized, so that none undoes another. On any fault nothing is
// changed: NotFound for an unknown workflow or version, Forbidden if the caller
// lacks the permission, BadRequest for an invalid result.
func (s *Service) Patch(ctx context.Context, workspace int64, identifier string, patch Patch) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	return s.AddVersion(ctx, workspace, owner.ID, registry.Edit[Definition]{
		Base: registry.Selector{Number: patch.Base}, Release: patch.Release,
		Apply: func(_ context.Context, base entity.FoundVersion) (Definition, error) {
			if err := patch.Changes.checkReserved(); err != nil {
				return Definition{}, err
			}
			definition, err := decode(&base.Version)
			if err != nil {
				return definition, err
			}
			changed, err := definition.Apply(patch.Changes)
			if err != nil {
				return definition, err
			}
			return s.protectChanges(workspace, &definition, changed)
		},
	})
}
