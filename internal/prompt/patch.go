package prompt

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/template"
)

// Patch is a change of one version that makes a new one.
type Patch struct {
	Base    Version
	Changes template.Changes
	// ModelParameters and ResponseFormat are absent, null or given.
	ModelParameters jsontree.Value
	ResponseFormat  jsontree.Value
	Release         Release
}

// Patch adds a version that is the base with the changes. Patches of one
// template are made one after the other, so that none undoes another. On any
// fault nothing is changed: NotFound for an unknown template, version or
// label, BadRequest for changes that contradict each other or the base,
// Invalid for a result that breaks a rule.
func (s *Service) Patch(ctx context.Context, workspace int64, identifier string, patch Patch) (*Record, error) {
	var record *Record
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		base, err := s.base(ctx, workspace, identifier, patch.Base)
		if err != nil {
			return err
		}
		if err := s.catalog.LockEntity(ctx, workspace, base.Entity.ID); err != nil {
			return err
		}
		// What is the latest version, or carries the label, is certain only now.
		base, err = s.catalog.FindVersion(ctx, workspace, entity.KindPrompt,
			entity.Selector{ID: base.Entity.ID, Number: patch.Base.Number, Label: patch.Base.Label})
		if err != nil {
			return err
		}
		if err := access.Require(ctx, access.PromptEdit); err != nil {
			return err
		}
		content, err := patch.apply(&base.Version)
		if err == nil {
			record, err = s.add(ctx, workspace, base.Entity, content, patch.Release)
		}
		return err
	})
	return record, err
}

// base returns the version that a patch starts from. Whether there is such a
// template is told before what is wrong with the choice.
func (s *Service) base(ctx context.Context, workspace int64, identifier string, version Version) (entity.FoundVersion, error) {
	if version.Number == 0 || version.Label == "" {
		return s.find(ctx, workspace, identifier, version)
	}
	found, err := s.find(ctx, workspace, identifier, Version{})
	if err == nil {
		err = fault.BadRequestf("version and label are mutually exclusive")
	}
	return found, err
}

// apply returns the content of a version with the changes made.
func (p *Patch) apply(base *entity.Version) (Content, error) {
	content, err := decodeContent(base)
	if err != nil {
		return content, err
	}
	changed, err := template.Patch(tree(content.Template), p.Changes)
	if err != nil {
		return content, err
	}
	patched, err := jsontree.Parse(changed)
	if err != nil {
		return content, fmt.Errorf("patched template: %w", err)
	}
	var problems fault.Problems
	template.Check(patched, []any{"body"}, templateKey, template.Strict, &problems)
	if err := problems.Err(); err != nil {
		return content, err
	}
	content.Template = template.Normalize(patched)
	content.Metadata, err = template.PatchMetadata(tree(content.Metadata), p.ModelParameters, p.ResponseFormat)
	return content, err
}
