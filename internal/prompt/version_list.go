package prompt

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Model is what the metadata of a version calls its model; both are "" where it
// names none.
type Model struct{ Provider, Name string }

// ListVersions returns a page of the versions of a template with their models,
// newest first, and how many there are in all. The fault is NotFound when there
// is no such template.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]entity.ListedVersion[Model], int64, error) {
	found, err := s.find(ctx, workspace, identifier, Version{})
	if err != nil {
		return nil, 0, err
	}
	return entity.ListVersions(ctx, s.catalog, workspace, found.Entity.ID, page, modelOf)
}

func modelOf(version *entity.Version) (Model, error) {
	content, err := decodeContent(version)
	model := tree(content.Metadata).Get("model")
	return Model{Provider: model.Get("provider").Str(), Name: model.Get("name").Str()}, err
}
