package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/rest"
)

func (h tools) versionOperations() []rest.Op {
	return []rest.Op{
		{
			Method: http.MethodGet, Path: toolBase + "/{identifier...}/versions", ID: "listToolVersions", Tag: toolTag,
			Summary:     "List versions",
			Description: "Returns a page of the versions of a tool, newest first, without their definitions and code.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	}
}

type listToolVersionsQuery struct {
	toolIdentifier
	kit.VersionPaging
}

type toolVersionPage struct {
	Items []toolVersionItem `json:"items" required:"true" description:"The versions."`
	kit.PageInfo
}

type toolVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The version."`
	kit.ListedVersion
	Function *string `json:"function_name" required:"true" description:"The name that models call it by; null where the definition says none."`
	Language *string `json:"language" required:"true" description:"What the code that runs it is written in; null where there is no code."`
}

func (h tools) versions(ctx context.Context, in *listToolVersionsQuery) (*toolVersionPage, error) {
	page := in.Paging()
	found, total, err := h.service.ListVersions(ctx, kit.Workspace(ctx), in.Identifier, page.Slice())
	if err != nil {
		return nil, err
	}
	list := &toolVersionPage{Items: make([]toolVersionItem, len(found)), PageInfo: page.Info(total)}
	for i := range found {
		one := &found[i]
		list.Items[i] = toolVersionItem{
			ID: one.Version.ID, ListedVersion: kit.WireListedVersion(&one.Version, one.Labels),
			Function: kit.OrNil(one.Shown.Function), Language: kit.OrNil(one.Shown.Language),
		}
	}
	return list, nil
}
