package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/skill"
)

type listSkillVersionsQuery struct {
	skillIdentifier
	kit.VersionPaging
}

type skillVersionItem struct {
	ID string `json:"id" required:"true" description:"The id of the version."`
	kit.ListedVersion
	AuthorID *int64 `json:"user_id" required:"true" description:"The id of the account that saved it; null for a key."`
	Files    int    `json:"file_count" required:"true" description:"Number of files."`
}

func (h skills) versions(ctx context.Context, in *listSkillVersionsQuery) (*kit.Page[skillVersionItem], error) {
	return kit.ListVersions(ctx, in.Identifier, in.VersionPaging, h.service.ListVersions, wireSkillVersionItem)
}

func wireSkillVersionItem(v *registry.ListedVersion[skill.Outline]) skillVersionItem {
	return skillVersionItem{
		ID: v.Shown.ID, ListedVersion: kit.WireListedVersion(&v.Version, v.Labels), AuthorID: v.Shown.AuthorID, Files: v.Shown.Files,
	}
}
