package api

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/entity"
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

// versionPaging chooses a page of versions or of runs.
type versionPaging struct {
	Page    int64 `query:"page" minimum:"1" default:"1" description:"The page, from 1."`
	PerPage int64 `query:"per_page" minimum:"1" maximum:"100" default:"50" description:"How many to a page."`
}

func (p versionPaging) paging() paging { return paging(p) }

// listedVersion is what versions of all kinds have in a list.
type listedVersion struct {
	Number        int64          `json:"number" required:"true" description:"The version's number."`
	CommitMessage *string        `json:"commit_message" required:"true" description:"What changed with this version."`
	CreatedBy     *string        `json:"created_by" required:"true" description:"The email address of who made it; null where it is not known."`
	CreatedAt     rest.Time      `json:"created_at" required:"true" description:"When it was made."`
	Labels        []versionLabel `json:"release_labels" required:"true" description:"The release labels that point at it, by name."`
}

type versionLabel struct {
	ID   int64  `json:"id" required:"true" description:"The label."`
	Name string `json:"name" required:"true" description:"Its name."`
}

func wireListedVersion(v *entity.Version, labels []entity.Label) listedVersion {
	wired := listedVersion{
		Number: v.Number, CommitMessage: v.CommitMessage, CreatedBy: v.Creator, CreatedAt: rest.Time(v.CreatedAt.UnixMicro()),
		Labels: make([]versionLabel, len(labels)),
	}
	for i, label := range labels {
		wired.Labels[i] = versionLabel{ID: label.ID, Name: label.Name}
	}
	return wired
}

type listPromptVersionsQuery struct {
	promptIdentifier
	versionPaging
}

type promptVersionPage struct {
	Items []promptVersionItem `json:"items" required:"true" description:"The versions."`
	pageInfo
}

type promptVersionItem struct {
	ID int64 `json:"id" required:"true" description:"The version."`
	listedVersion
	Model *versionModel `json:"model" required:"true" description:"The model that its metadata names; null for none."`
}

type versionModel struct {
	Provider *string `json:"provider" required:"true" description:"The model's provider; null where the metadata does not say."`
	Name     *string `json:"name" required:"true" description:"The model's name; null where the metadata does not say."`
}

func (h prompts) versions(ctx context.Context, in *listPromptVersionsQuery) (*promptVersionPage, error) {
	page := in.paging()
	found, total, err := h.service.ListVersions(ctx, workspace(ctx), in.Identifier, page.slice())
	if err != nil {
		return nil, err
	}
	list := &promptVersionPage{Items: make([]promptVersionItem, len(found)), pageInfo: page.info(total)}
	for i := range found {
		one := &found[i]
		list.Items[i] = promptVersionItem{ID: one.Version.ID, listedVersion: wireListedVersion(&one.Version, one.Labels)}
		if one.Shown.Provider != "" || one.Shown.Name != "" {
			list.Items[i].Model = &versionModel{Provider: orNull(one.Shown.Provider), Name: orNull(one.Shown.Name)}
		}
	}
	return list, nil
}
