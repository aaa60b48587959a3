package kit

import (
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

// Paging selects a page of a list.
type Paging struct {
	Page    int64 `query:"page" minimum:"1" default:"1" description:"The page, from 1."`
	PerPage int64 `query:"per_page" minimum:"1" default:"30" description:"How many to a page; more than 1,000 count as 1,000."`
}

const maxPerPage = 1000

func (p Paging) size() int64 { return min(p.PerPage, maxPerPage) }

// Slice returns the page as the catalog takes it. The offset is capped so that
// it cannot overflow; no list is that long.
func (p Paging) Slice() entity.Page {
	return entity.Page{Limit: int(p.size()), Offset: int(min(p.Page-1, 1<<40) * p.size())}
}

// PageInfo describes the page and the list that it is part of.
type PageInfo struct {
	Page    int64  `json:"page" required:"true" description:"The page."`
	PerPage int64  `json:"per_page" required:"true" description:"How many to a page."`
	Pages   int64  `json:"pages" required:"true" description:"How many pages there are."`
	Total   int64  `json:"total" required:"true" description:"How many there are in all."`
	HasNext bool   `json:"has_next" required:"true" description:"Whether a page follows."`
	HasPrev bool   `json:"has_prev" required:"true" description:"Whether a page comes before."`
	NextNum *int64 `json:"next_num" required:"true" description:"The next page."`
	PrevNum *int64 `json:"prev_num" required:"true" description:"The page before."`
}

// Info describes the page in a list of total elements.
func (p Paging) Info(total int64) PageInfo {
	info := PageInfo{Page: p.Page, PerPage: p.size(), Total: total, Pages: (total + p.size() - 1) / p.size()}
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

// EntityFilters are the filters that lists of all kinds share.
type EntityFilters struct {
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

// Check adds a problem if only one half of an external id is given.
func (f *EntityFilters) Check(problems *fault.Problems) {
	if OrZero(f.ExternalSource) != "" && OrZero(f.ExternalID) != "" || f.ExternalSource == nil && f.ExternalID == nil {
		return
	}
	missing := "external_id"
	if OrZero(f.ExternalSource) == "" {
		missing = "external_source"
	}
	problems.Add([]any{"query", missing}, "missing", "external_source and external_id must be given together")
}

var sortKeys = map[string]entity.SortKey{
	"created_at": entity.ByCreated, "updated_at": entity.ByUpdated, "name": entity.ByName, "id": entity.ByID,
}

// Statuses maps the values of the parameter status.
var Statuses = map[string]entity.Status{"active": entity.Live, "deleted": entity.Deleted, "all": entity.LiveOrDeleted}

// Query returns the filters as the catalog takes them.
func (f *EntityFilters) Query(workspace int64) entity.Query {
	q := entity.Query{
		WorkspaceID: workspace, Creator: f.CreatorEmail,
		CreatedAfter: Instant(f.CreatedAfter), CreatedBefore: Instant(f.CreatedBefore),
		UpdatedAfter: Instant(f.UpdatedAfter), UpdatedBefore: Instant(f.UpdatedBefore),
		Sort: sortKeys[f.SortBy], Ascending: f.SortOrder == "asc",
	}
	if f.ExternalID != nil {
		q.ExternalID = &entity.ExternalRef{Source: *f.ExternalSource, ID: *f.ExternalID}
	}
	return q
}
