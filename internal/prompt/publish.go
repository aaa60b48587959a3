package prompt

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/registry"
)

// Publication is a version to be published under a name.
type Publication struct {
	Name string
	// Tags replace those of an existing template if HasTags is set.
	Tags    []string
	HasTags bool
	// FolderID moves an existing template; nil leaves it where it is.
	FolderID *int64
	// IsSnippet applies to a new template; nil makes it a snippet if it is a
	// completion.
	IsSnippet *bool
	Content   Content
	Release   registry.Release
}

// Record is a version of a template with its labels and external ids.
type Record = registry.Record[Content]

// Publish adds a version to the template with the name, and creates the
// template if necessary. On any fault nothing is changed: Invalid for invalid
// content and for a snippet that cannot be resolved or would contain itself,
// NotFound for an unknown folder, Forbidden if the caller lacks the permission,
// Conflict for an external id of another entity.
func (s *Service) Publish(ctx context.Context, workspace int64, in Publication) (*Record, error) {
	record, _, err := s.publish(ctx, workspace, nil, in)
	return record, err
}

// Upsert adds a version to the template with the external id. If there is none,
// the version is published under its name and the external id attached; created
// reports whether the template is new. Faults are those of Publish; Conflict
// also if the external id belongs to another kind of entity.
func (s *Service) Upsert(
	ctx context.Context, workspace int64, ref entity.ExternalRef, in Publication,
) (record *Record, created bool, err error) {
	return s.publish(ctx, workspace, &ref, in)
}

func (s *Service) publish(ctx context.Context, workspace int64, ref *entity.ExternalRef, in Publication) (*Record, bool, error) {
	return s.registry.Publish(ctx, workspace, registry.Publication[Content]{
		Name: in.Name, ExternalID: ref, Variant: in.variant(), Tags: in.Tags, HasTags: in.HasTags, FolderID: in.FolderID,
		Content: in.Content, Release: in.Release,
	})
}

func (in *Publication) variant() string {
	isSnippet := isCompletion(in.Content.Template)
	if in.IsSnippet != nil {
		isSnippet = *in.IsSnippet
	}
	if isSnippet {
		return entity.VariantSnippet
	}
	return ""
}
