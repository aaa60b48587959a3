package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/tool"
)

type listToolVersionsQuery struct {
	toolIdentifier
	kit.VersionPaging
}

type toolVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The version."`
	kit.ListedVersion
	Function *string `json:"function_name" required:"true" description:"The name that models call it by; null where the definition says none."`
	Language *string `json:"language" required:"true" description:"What the code that runs it is written in; null where there is no code."`
}

func (h tools) versions(ctx context.Context, in *listToolVersionsQuery) (*kit.Page[toolVersionItem], error) {
	return kit.ListVersions(ctx, in.Identifier, in.VersionPaging, h.service.ListVersions, wireToolVersionItem)
}

func wireToolVersionItem(v *entity.ListedVersion[tool.Outline]) toolVersionItem {
	return toolVersionItem{
		ID: v.Version.ID, ListedVersion: kit.WireListedVersion(&v.Version, v.Labels),
		Function: kit.OrNil(v.Shown.Function), Language: kit.OrNil(v.Shown.Language),
	}
}
