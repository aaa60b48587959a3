package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

type listPromptVersionsQuery struct {
	promptIdentifier
	kit.VersionPaging
}

type promptVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The id of the version."`
	kit.ListedVersion
	Model *versionModel `json:"model" required:"true" description:"Model in the version's metadata; null if there is none."`
}

type versionModel struct {
	Provider *string `json:"provider" required:"true" description:"Provider of the model; null if the metadata has none."`
	Name     *string `json:"name" required:"true" description:"Name of the model; null if the metadata has none."`
}

func (h prompts) versions(ctx context.Context, in *listPromptVersionsQuery) (*kit.Page[promptVersionItem], error) {
	return kit.ListVersions(ctx, in.Identifier, in.VersionPaging, h.service.ListVersions, wirePromptVersionItem)
}

func wirePromptVersionItem(v *registry.ListedVersion[prompt.Model]) promptVersionItem {
	item := promptVersionItem{ID: v.Version.ID, ListedVersion: kit.WireListedVersion(&v.Version, v.Labels)}
	if v.Shown.Provider != "" || v.Shown.Name != "" {
		item.Model = &versionModel{Provider: kit.OrNil(v.Shown.Provider), Name: kit.OrNil(v.Shown.Name)}
	}
	return item
}
