package api

import (
	"context"
	"net/http"

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
	versionPaging
}

type toolVersionPage struct {
	Items []toolVersionItem `json:"items" required:"true" description:"The versions."`
	pageInfo
}

type toolVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The version."`
	listedVersion
	Function *string `json:"function_name" required:"true" description:"The name that models call it by; null where the definition says none."`
	Language *string `json:"language" required:"true" description:"What the code that runs it is written in; null where there is no code."`
}

func (h tools) versions(ctx context.Context, in *listToolVersionsQuery) (*toolVersionPage, error) {
	page := in.paging()
	found, total, err := h.service.ListVersions(ctx, workspace(ctx), in.Identifier, page.slice())
	if err != nil {
		return nil, err
	}
	list := &toolVersionPage{Items: make([]toolVersionItem, len(found)), pageInfo: page.info(total)}
	for i := range found {
		one := &found[i]
		list.Items[i] = toolVersionItem{
			ID: one.Version.ID, listedVersion: wireListedVersion(&one.Version, one.Labels),
			Function: orNull(one.Shown.Function), Language: orNull(one.Shown.Language),
		}
	}
	return list, nil
}
