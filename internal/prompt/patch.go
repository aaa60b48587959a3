package prompt

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

// Patch changes one version into a new one.
type Patch struct {
	Base    registry.Selector
	Changes template.Changes
	// ModelParameters and ResponseFormat are absent, null or given.
	ModelParameters jsontree.Value
	ResponseFormat  jsontree.Value
	Release         registry.Release
}

// Patch adds a version that is the base with the changes. Patches of one
// template are serialized, so that none undoes another. On any fault nothing is
// changed: NotFound for an unknown template, version or label, Forbidden if the
// caller lacks the permission, BadRequest for changes that contradict each
// other or the base, Invalid for an invalid result.
func (s *Service) Patch(ctx context.Context, workspace int64, identifier string, patch Patch) (*Record, error) {
	owner, err := s.registry.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	if patch.Base.Number != 0 && patch.Base.Label != "" {
		return nil, fault.BadRequestf("version and label are mutually exclusive")
	}
	return s.registry.AddVersion(ctx, workspace, owner.ID, registry.Edit[Content]{
		Base: patch.Base, Apply: patch.apply, Release: patch.Release,
	})
}

// apply returns the content of a version with the changes.
func (p *Patch) apply(_ context.Context, base entity.FoundVersion) (Content, error) {
	content, err := decodeContent(&base.Version)
	if err != nil {
		return content, err
	}
	if content.Template, err = template.Patch(tree(content.Template), p.Changes); err != nil {
		return content, err
	}
	content.Metadata, err = template.PatchMetadata(tree(content.Metadata), p.ModelParameters, p.ResponseFormat)
	return content, err
}
