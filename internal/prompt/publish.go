package prompt

import (
	"context"
	"slices"

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
		owner, err := s.catalog.FindByExternalID(ctx, workspace, ref)
		switch {
		case fault.Is(err, fault.NotFound):
			owner, created, err = s.ensure(ctx, workspace, in)
		case err == nil && owner.Kind != entity.KindPrompt:
			err = fault.Conflictf("External ID already mapped to another entity")
		case err == nil:
			created = false
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

// ensure returns the template of the name, new or changed as the publication
// says.
func (s *Service) ensure(ctx context.Context, workspace int64, in Publication) (owner entity.Entity, created bool, err error) {
	owner, err = s.catalog.FindEntityByName(ctx, workspace, entity.KindPrompt, in.Name)
	if fault.Is(err, fault.NotFound) {
		owner, err = s.catalog.CreateEntity(ctx, entity.New{
			WorkspaceID: workspace, Kind: entity.KindPrompt, Variant: variant(in), Name: in.Name,
			FolderID: in.FolderID, Tags: in.Tags, Creator: in.Release.Author,
		})
		if !fault.Is(err, fault.Conflict) {
			return owner, true, err
		}
		// Somebody created it just now.
		owner, err = s.catalog.FindEntityByName(ctx, workspace, entity.KindPrompt, in.Name)
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
	var err error
	if in.HasTags {
		if owner, err = s.catalog.SetTags(ctx, workspace, owner.ID, in.Tags); err != nil {
			return owner, err
		}
	}
	if in.FolderID != nil {
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
	version, err := s.catalog.AddVersion(ctx, workspace, owner.ID, entity.NewVersion{
		Body: content.encode(), CommitMessage: release.CommitMessage, Creator: release.Author,
		References: references(tree(content.Template)),
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

// distinct returns the values in their order, each once.
func distinct[T comparable](values []T) []T {
	var out []T
	for _, v := range values {
		if !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	return out
}
