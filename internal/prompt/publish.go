package prompt

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Publication is a version to be published under a name.
type Publication struct {
	Name string
	// Tags replace those of an existing template when HasTags is set.
	Tags    []string
	HasTags bool
	// FolderID moves an existing template; nil leaves it where it is.
	FolderID *int64
	// IsSnippet counts when the template is new; nil means: when it is a
	// completion.
	IsSnippet *bool
	Content   Content
	// Release says what happens beside adding the version.
	Release Release
}

// Release is what comes along with a new version.
type Release struct {
	CommitMessage *string
	// Labels are created at, or moved to, the new version; nil is answered as
	// null and an empty list as one.
	Labels      []string
	ExternalIDs []entity.ExternalRef
	Author      *string
}

// Record is a version right after it was added.
type Record struct {
	Entity  entity.Entity
	Version entity.Version
	Content Content
	// Labels are those that were asked for.
	Labels      []string
	ExternalIDs []entity.ExternalID
}

// Publish adds a version to the template of the name, which is created when
// there is none. On any fault nothing is changed: Invalid for a snippet that
// cannot be resolved or would contain itself, NotFound for an unknown folder,
// Conflict for an external id of another entity.
func (s *Service) Publish(ctx context.Context, workspace int64, in Publication) (*Record, error) {
	var record *Record
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		owner, _, err := s.ensure(ctx, workspace, in)
		if err == nil {
			record, err = s.add(ctx, workspace, owner, in.Content, in.Release)
		}
		return err
	})
	return record, err
}

// Upsert adds a version to the template that has the external id. When no
// entity has it, the version is published under its name and the external id
// attached; created reports that the template is new then. The fault is
// Conflict when the external id is that of another kind of entity.
func (s *Service) Upsert(
	ctx context.Context, workspace int64, ref entity.ExternalRef, in Publication,
) (record *Record, created bool, err error) {
	err = s.catalog.InTx(ctx, func(ctx context.Context) error {
		owner, err := s.mapped(ctx, workspace, ref)
		created = false
		switch {
		case fault.Is(err, fault.NotFound):
			owner, created, err = s.ensure(ctx, workspace, in)
		case err == nil:
			owner, err = s.adjust(ctx, workspace, owner, in)
		}
		if err != nil {
			return err
		}
		release := in.Release
		release.ExternalIDs = slices.Concat([]entity.ExternalRef{ref}, release.ExternalIDs)
		record, err = s.add(ctx, workspace, owner, in.Content, release)
		return err
	})
	return record, created, err
}

// mapped returns the template that has the external id, held.
func (s *Service) mapped(ctx context.Context, workspace int64, ref entity.ExternalRef) (entity.Entity, error) {
	owner, err := s.catalog.FindByExternalID(ctx, workspace, ref)
	if err != nil {
		return owner, err
	}
	if owner.Kind != entity.KindPrompt {
		return owner, fault.Conflictf("External ID already mapped to another entity")
	}
	return s.hold(ctx, workspace, owner)
}

// hold returns a template as it stays until the transaction ends, but for what
// the transaction itself does. The fault is NotFound when it was deleted since
// it was found.
func (s *Service) hold(ctx context.Context, workspace int64, found entity.Entity) (entity.Entity, error) {
	if err := s.catalog.LockEntity(ctx, workspace, found.ID); err != nil {
		return found, err
	}
	return s.catalog.GetEntity(ctx, workspace, found.ID)
}

// named returns the template of the name, held.
func (s *Service) named(ctx context.Context, workspace int64, name string) (entity.Entity, error) {
	found, err := s.catalog.FindEntityByName(ctx, workspace, entity.KindPrompt, name)
	if err != nil {
		return found, err
	}
	return s.hold(ctx, workspace, found)
}

// ensure returns the template of the name, new or changed as the publication
// says.
func (s *Service) ensure(ctx context.Context, workspace int64, in Publication) (owner entity.Entity, created bool, err error) {
	owner, err = s.named(ctx, workspace, in.Name)
	if fault.Is(err, fault.NotFound) {
		if err := access.Require(ctx, access.PromptCreate); err != nil {
			return owner, false, err
		}
		owner, err = s.catalog.CreateEntity(ctx, entity.New{
			WorkspaceID: workspace, Kind: entity.KindPrompt, Variant: variant(in), Name: in.Name,
			FolderID: in.FolderID, Tags: in.Tags, Creator: in.Release.Author,
		})
		if !fault.Is(err, fault.Conflict) {
			return owner, true, err
		}
		// Somebody created it just now.
		owner, err = s.named(ctx, workspace, in.Name)
	}
	if err != nil {
		return owner, false, err
	}
	owner, err = s.adjust(ctx, workspace, owner, in)
	return owner, false, err
}

func variant(in Publication) string {
	isSnippet := isCompletion(in.Content.Template)
	if in.IsSnippet != nil {
		isSnippet = *in.IsSnippet
	}
	if isSnippet {
		return VariantSnippet
	}
	return ""
}

// adjust gives an existing template the tags and the folder of a publication.
func (s *Service) adjust(ctx context.Context, workspace int64, owner entity.Entity, in Publication) (entity.Entity, error) {
	if err := access.Require(ctx, access.PromptEdit); err != nil {
		return owner, err
	}
	var err error
	if in.HasTags {
		if owner, err = s.catalog.SetTags(ctx, workspace, owner.ID, in.Tags); err != nil {
			return owner, err
		}
	}
	if in.FolderID != nil && (owner.FolderID == nil || *owner.FolderID != *in.FolderID) {
		if _, err = s.catalog.MoveEntities(ctx, workspace, []int64{owner.ID}, in.FolderID); err != nil {
			return owner, err
		}
		owner.FolderID = in.FolderID
	}
	return owner, nil
}

// add adds a version with all that comes along. It runs in a transaction, so
// what it has written is seen by its own checks: a snippet that contains the
// new version is found like any other.
func (s *Service) add(
	ctx context.Context, workspace int64, owner entity.Entity, content Content, release Release,
) (*Record, error) {
	if len(release.Labels) > 0 {
		if err := access.Require(ctx, access.PromptDeploy); err != nil {
			return nil, err
		}
	}
	refs := references(tree(content.Template))
	if err := release.checkAmounts(len(refs)); err != nil {
		return nil, err
	}
	version, err := s.catalog.AddVersion(ctx, workspace, owner.ID, entity.NewVersion{
		Body: content.encode(), CommitMessage: release.CommitMessage, Creator: release.Author, References: refs,
	})
	if err != nil {
		return nil, err
	}
	for _, label := range distinct(release.Labels) {
		if _, err := s.catalog.SetLabel(ctx, workspace, owner.ID, label, version.Number); err != nil {
			return nil, err
		}
	}
	for _, ref := range release.ExternalIDs {
		if err := s.catalog.AttachExternalID(ctx, workspace, owner.ID, ref); err != nil {
			return nil, err
		}
	}
	if err := s.checkSnippets(ctx, workspace, version, content); err != nil {
		return nil, err
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, workspace, []int64{owner.ID})
	if err != nil {
		return nil, err
	}
	return &Record{
		Entity: owner, Version: version, Content: content,
		Labels: release.Labels, ExternalIDs: attached[owner.ID],
	}, nil
}

// maxAttached bounds the labels and the external ids of one publication: each
// takes statements of its own while other writers wait.
const maxAttached = 1000

// checkAmounts refuses a version that comes along with too much.
func (r *Release) checkAmounts(snippets int) error {
	var problems fault.Problems
	check := func(name string, count int) {
		if count > maxAttached {
			problems.Add([]any{"body", name}, "too_long", "must not have more than %d elements", maxAttached)
		}
	}
	check("release_labels", len(r.Labels))
	check("external_ids", len(r.ExternalIDs))
	if snippets > maxSnippets {
		problems.Add(templateLoc, "value_error", "must not use more than %d snippets", maxSnippets)
	}
	return problems.Err()
}

// distinct returns the values in their order, each once.
func distinct[T comparable](values []T) []T {
	var out []T
	seen := map[T]struct{}{}
	for _, v := range values {
		if _, known := seen[v]; !known {
			seen[v] = struct{}{}
			out = append(out, v)
		}
	}
	return out
}
