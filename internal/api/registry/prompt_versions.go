package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h prompts) versionOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: "/prompt-templates/{identifier...}/versions", ID: "listPromptVersions", Tag: promptTag,
			Summary:     "List versions",
			Description: "Returns a page of the versions of a template, newest first, without what they say.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	}
}

type listPromptVersionsQuery struct {
	promptIdentifier
	kit.VersionPaging
}

type promptVersionPage struct {
	Items []promptVersionItem `json:"items" required:"true" description:"The versions."`
	kit.PageInfo
}

type promptVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The version."`
	kit.ListedVersion
	Model *versionModel `json:"model" required:"true" description:"The model that its metadata names; null for none."`
}

type versionModel struct {
	Provider *string `json:"provider" required:"true" description:"The model's provider; null where the metadata does not say."`
	Name     *string `json:"name" required:"true" description:"The model's name; null where the metadata does not say."`
}

func (h prompts) versions(ctx context.Context, in *listPromptVersionsQuery) (*promptVersionPage, error) {
	page := in.Paging()
	found, total, err := h.service.ListVersions(ctx, kit.Workspace(ctx), in.Identifier, page.Slice())
	if err != nil {
		return nil, err
	}
	list := &promptVersionPage{Items: make([]promptVersionItem, len(found)), PageInfo: page.Info(total)}
	for i := range found {
		one := &found[i]
		list.Items[i] = promptVersionItem{ID: one.Version.ID, ListedVersion: kit.WireListedVersion(&one.Version, one.Labels)}
		if one.Shown.Provider != "" || one.Shown.Name != "" {
			list.Items[i].Model = &versionModel{Provider: kit.OrNil(one.Shown.Provider), Name: kit.OrNil(one.Shown.Name)}
		}
	}
	return list, nil
}
