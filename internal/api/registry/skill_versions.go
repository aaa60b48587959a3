package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h skills) versionOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: skillPath + "/{identifier...}/versions", ID: "listSkillVersions", Tag: skillTag,
			Summary:     "List versions",
			Description: "Returns a page of the versions of a skill collection, newest first, without their files. There is none until there is a file.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	}
}

type listSkillVersionsQuery struct {
	skillIdentifier
	kit.VersionPaging
}

type skillVersionPage struct {
	Items []skillVersionItem `json:"items" required:"true" description:"The versions."`
	kit.PageInfo
}

type skillVersionItem struct {
	ID string `json:"id" required:"true" description:"The version."`
	kit.ListedVersion
	AuthorID *int64 `json:"user_id" required:"true" description:"The account of who saved it; null for a key."`
	Files    int    `json:"file_count" required:"true" description:"How many files it has."`
}

func (h skills) versions(ctx context.Context, in *listSkillVersionsQuery) (*skillVersionPage, error) {
	page := in.Paging()
	found, total, err := h.service.ListVersions(ctx, kit.Workspace(ctx), in.Identifier, page.Slice())
	if err != nil {
		return nil, err
	}
	list := &skillVersionPage{Items: make([]skillVersionItem, len(found)), PageInfo: page.Info(total)}
	for i := range found {
		one := &found[i]
		list.Items[i] = skillVersionItem{
			ID: one.Shown.ID, ListedVersion: kit.WireListedVersion(&one.Version, one.Labels),
			AuthorID: one.Shown.AuthorID, Files: one.Shown.Files,
		}
	}
	return list, nil
}
