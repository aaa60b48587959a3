package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/tool"
)

type listToolVersionsQuery struct {
	toolIdentifier
	kit.VersionPaging
}

type toolVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The id of the version."`
	kit.ListedVersion
	Function *string `json:"function_name" required:"true" description:"Function name that models call; null if the definition has none."`
	Language *string `json:"language" required:"true" description:"Programming language of the code; null if there is no code."`
}

func (h tools) versions(ctx context.Context, in *listToolVersionsQuery) (*kit.Page[toolVersionItem], error) {
	return kit.ListVersions(ctx, in.Identifier, in.VersionPaging, h.service.ListVersions, wireToolVersionItem)
}

func wireToolVersionItem(v *registry.ListedVersion[tool.Outline]) toolVersionItem {
	return toolVersionItem{
		ID: v.Version.ID, ListedVersion: kit.WireListedVersion(&v.Version, v.Labels),
		Function: kit.OrNil(v.Shown.Function), Language: kit.OrNil(v.Shown.Language),
	}
}
