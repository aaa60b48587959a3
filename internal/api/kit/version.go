package kit

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
)

// ListedVersion is what listed versions of all kinds have in common.
type ListedVersion struct {
	Number        int64          `json:"number" required:"true" description:"Version number."`
	CommitMessage *string        `json:"commit_message" required:"true" description:"What changed in this version."`
	CreatedBy     *string        `json:"created_by" required:"true" description:"Email address of the author; null if unknown."`
	CreatedAt     rest.Time      `json:"created_at" required:"true" description:"When the version was created."`
	Labels        []versionLabel `json:"release_labels" required:"true" description:"Release labels that point at the version, by name."`
}

type versionLabel struct {
	ID   int64  `json:"id" required:"true" description:"The id of the label."`
	Name string `json:"name" required:"true" description:"Name of the label."`
}

// WireListedVersion returns a version and the labels that point at it in the
// form of the wire.
func WireListedVersion(v *entity.Version, labels []entity.Label) ListedVersion {
	return ListedVersion{
		Number: v.Number, CommitMessage: v.CommitMessage, CreatedBy: v.Creator, CreatedAt: Time(v.CreatedAt),
		Labels: Each(labels, func(l entity.Label) versionLabel { return versionLabel{ID: l.ID, Name: l.Name} }),
	}
}

// ListVersions returns a page of the versions of an entity, each converted by
// wire.
func ListVersions[T, W any](
	ctx context.Context, identifier string, paging VersionPaging,
	list func(ctx context.Context, workspace int64, identifier string, page entity.Page) ([]registry.ListedVersion[T], int64, error),
	wire func(*registry.ListedVersion[T]) W,
) (*Page[W], error) {
	page := paging.Paging()
	found, total, err := list(ctx, Workspace(ctx), identifier, page.Slice())
	if err != nil {
		return nil, err
	}
	return NewPage(page, total, found, wire), nil
}

// VersionQuery selects a version in a query, by its number or by a release label.
type VersionQuery struct {
	Version *int64  `query:"version" minimum:"1" description:"Version number. Defaults to the latest version if neither version nor label is given."`
	Label   *string `query:"label" minLength:"1" description:"Release label of the version."`
}

// Validate rejects a version together with a label.
func (q *VersionQuery) Validate(problems *fault.Problems) {
	if q.Version != nil && q.Label != nil {
		problems.Add([]any{"query", "label"}, "value_error", "version and label are mutually exclusive")
	}
}
