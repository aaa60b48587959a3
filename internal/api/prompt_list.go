package api

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/rest"
)

// paging chooses a page of a list.
type paging struct {
	Page    int64 `query:"page" minimum:"1" default:"1" description:"The page, from 1."`
	PerPage int64 `query:"per_page" minimum:"1" default:"30" description:"How many to a page; more than 1,000 count as 1,000."`
}

const maxPerPage = 1000

func (p paging) size() int64 { return min(p.PerPage, maxPerPage) }

// slice returns the page as the catalog takes it. A page that lies beyond every
// number is beyond the end of every list.
func (p paging) slice() entity.Page {
	return entity.Page{Limit: int(p.size()), Offset: int(min(p.Page-1, 1<<40) * p.size())}
}

// pageInfo tells where a page lies in its list.
type pageInfo struct {
	Page    int64  `json:"page" required:"true" description:"The page."`
	PerPage int64  `json:"per_page" required:"true" description:"How many to a page."`
	Pages   int64  `json:"pages" required:"true" description:"How many pages there are."`
	Total   int64  `json:"total" required:"true" description:"How many there are in all."`
	HasNext bool   `json:"has_next" required:"true" description:"Whether a page follows."`
	HasPrev bool   `json:"has_prev" required:"true" description:"Whether a page comes before."`
	NextNum *int64 `json:"next_num" required:"true" description:"The next page."`
	PrevNum *int64 `json:"prev_num" required:"true" description:"The page before."`
}

func (p paging) info(total int64) pageInfo {
	info := pageInfo{Page: p.Page, PerPage: p.size(), Total: total, Pages: (total + p.size() - 1) / p.size()}
	if info.HasNext = p.Page < info.Pages; info.HasNext {
		next := p.Page + 1
		info.NextNum = &next
	}
	if info.HasPrev = p.Page > 1; info.HasPrev {
		previous := p.Page - 1
		info.PrevNum = &previous
	}
	return info
}

// entityFilters are the filters that lists of every kind of entity share.
type entityFilters struct {
	ExternalSource *string    `query:"external_source" maxLength:"128" description:"With external_id: only the entity that has this external id."`
	ExternalID     *string    `query:"external_id" maxLength:"512" description:"With external_source: only the entity that has this external id."`
	CreatorEmail   *string    `query:"created_by_email" description:"Only what this person created."`
	CreatedAfter   *rest.Time `query:"created_after" description:"Created then or later."`
	CreatedBefore  *rest.Time `query:"created_before" description:"Created then or earlier."`
	UpdatedAfter   *rest.Time `query:"updated_after" description:"Changed then or later."`
	UpdatedBefore  *rest.Time `query:"updated_before" description:"Changed then or earlier."`
	SortBy         string     `query:"sort_by" enum:"created_at,updated_at,name,id" default:"created_at" description:"What to sort by."`
	SortOrder      string     `query:"sort_order" enum:"asc,desc" default:"desc" description:"In which direction."`
	WorkspaceID    *int64     `query:"workspace_id" minimum:"1" description:"The key's workspace."`
}

// check adds a problem when only a part of an external id is given.
func (f *entityFilters) check(problems *fault.Problems) {
	if text(f.ExternalSource) != "" && text(f.ExternalID) != "" || f.ExternalSource == nil && f.ExternalID == nil {
		return
	}
	missing := "external_id"
	if text(f.ExternalSource) == "" {
		missing = "external_source"
	}
	problems.Add([]any{"query", missing}, "missing", "external_source and external_id must be given together")
}

var sortKeys = map[string]entity.SortKey{
	"created_at": entity.ByCreated, "updated_at": entity.ByUpdated, "name": entity.ByName, "id": entity.ByID,
}

// query returns the filters as the catalog takes them.
func (f *entityFilters) query(workspace int64) entity.Query {
	q := entity.Query{
		WorkspaceID: workspace, Creator: f.CreatorEmail,
		CreatedAfter: instant(f.CreatedAfter), CreatedBefore: instant(f.CreatedBefore),
		UpdatedAfter: instant(f.UpdatedAfter), UpdatedBefore: instant(f.UpdatedBefore),
		Sort: sortKeys[f.SortBy], Ascending: f.SortOrder == "asc",
	}
	if f.ExternalID != nil {
		q.ExternalID = &entity.ExternalRef{Source: *f.ExternalSource, ID: *f.ExternalID}
	}
	return q
}

func instant(t *rest.Time) *time.Time {
	if t == nil {
		return nil
	}
	at := time.UnixMicro(int64(*t)).UTC()
	return &at
}

type listPromptsQuery struct {
	paging
	entityFilters
	Label     *string  `query:"label" minLength:"1" description:"Only templates with this release label, in the version that carries it."`
	Name      string   `query:"name" description:"A part of the name, in any case."`
	Tags      []string `query:"tags" description:"Tags that must all be there."`
	Status    string   `query:"status" enum:"active,deleted,all" default:"active" description:"Whether deleted templates are listed."`
	IsSnippet *bool    `query:"is_snippet" description:"Only snippets, or only other templates."`
}

// Validate refuses half an external id.
func (in *listPromptsQuery) Validate(problems *fault.Problems) { in.check(problems) }

var statuses = map[string]entity.Status{"active": entity.Live, "deleted": entity.Deleted, "all": entity.LiveOrDeleted}

func (in *listPromptsQuery) query(workspace int64) entity.Query {
	q := in.entityFilters.query(workspace)
	q.Label, q.NameContains, q.Tags, q.Status, q.Page = in.Label, in.Name, in.Tags, statuses[in.Status], in.slice()
	if in.IsSnippet != nil {
		variant := ""
		if *in.IsSnippet {
			variant = prompt.VariantSnippet
		}
		q.Variant = &variant
	}
	return q
}

type promptPage struct {
	Items []promptItem `json:"items" required:"true" description:"The templates."`
	pageInfo
}

type promptItem struct {
	ID             int64           `json:"id" required:"true" description:"The template."`
	Name           string          `json:"prompt_name" required:"true" description:"Its name."`
	Tags           []string        `json:"tags" required:"true" description:"Its tags."`
	FolderID       *int64          `json:"folder_id" required:"true" description:"The folder that it lies in; null at the root."`
	Template       *rest.RawObject `json:"prompt_template" required:"true" description:"The version as it is stored."`
	Version        int64           `json:"version" required:"true" description:"The version's number."`
	CommitMessage  *string         `json:"commit_message" required:"true" description:"What changed with this version."`
	Metadata       *rest.RawObject `json:"metadata" required:"true" description:"The model, and any other members."`
	ParentFolder   *string         `json:"parent_folder_name" required:"true" description:"The name of the folder."`
	FullFolderPath *string         `json:"full_folder_path" required:"true" description:"The names of all folders from the root, with dots between them."`
	ExternalIDs    []externalID    `json:"external_ids" required:"true" description:"The external ids."`
	IsSnippet      bool            `json:"is_snippet" required:"true" description:"Whether it was made to be used in other templates."`
}

func (h prompts) list(ctx context.Context, in *listPromptsQuery) (*promptPage, error) {
	if err := inWorkspace(ctx, in.WorkspaceID); err != nil {
		return nil, err
	}
	items, total, err := h.service.List(ctx, in.query(workspace(ctx)))
	if err != nil {
		return nil, err
	}
	page := &promptPage{Items: make([]promptItem, len(items)), pageInfo: in.info(total)}
	for i := range items {
		page.Items[i] = wirePrompt(&items[i])
	}
	return page, nil
}

func wirePrompt(i *prompt.Item) promptItem {
	item := promptItem{
		ID: i.Entity.ID, Name: i.Entity.Name, Tags: rest.NonNil(i.Entity.Tags), FolderID: i.Entity.FolderID,
		Template: rawOrNull(i.Content.Template), Version: i.Version.Number, CommitMessage: i.Version.CommitMessage,
		Metadata: rawOrNull(i.Content.Metadata), ExternalIDs: wireExternalIDs(i.ExternalIDs),
		IsSnippet: i.Entity.Variant == prompt.VariantSnippet,
	}
	if last := len(i.Folder) - 1; last >= 0 {
		path := i.FolderPath()
		item.ParentFolder, item.FullFolderPath = &i.Folder[last].Name, &path
	}
	return item
}

func rawOrNull(text []byte) *rest.RawObject {
	if len(text) == 0 {
		return nil
	}
	return (*rest.RawObject)(&text)
}
