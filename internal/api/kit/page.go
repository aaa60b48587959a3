package kit

import "github.com/promptuary/promptuary/internal/entity"

// Paging selects a page of a list.
type Paging struct {
	Page    int64 `query:"page" minimum:"1" default:"1" description:"Page number, starting at 1."`
	PerPage int64 `query:"per_page" minimum:"1" default:"30" description:"Page size; values above 1,000 count as 1,000."`
}

const maxPerPage = 1000

func (p Paging) size() int64 { return min(p.PerPage, maxPerPage) }

// Slice returns the page in the form of the catalog. The offset is capped so
// that it cannot overflow; no list is that long.
func (p Paging) Slice() entity.Page {
	return entity.Page{Limit: int(p.size()), Offset: int(min(p.Page-1, 1<<40) * p.size())}
}

// VersionPaging selects a page of versions or runs.
type VersionPaging struct {
	Page    int64 `query:"page" minimum:"1" default:"1" description:"Page number, starting at 1."`
	PerPage int64 `query:"per_page" minimum:"1" maximum:"100" default:"50" description:"Page size."`
}

// Paging returns the page as Paging.
func (p VersionPaging) Paging() Paging { return Paging(p) }

// ShortPaging selects a page of datasets, evaluations or their rows.
type ShortPaging struct {
	Page    int64 `query:"page" minimum:"1" default:"1" description:"Page number, starting at 1."`
	PerPage int64 `query:"per_page" minimum:"1" maximum:"100" default:"10" description:"Page size."`
}

// Slice returns the page in the form of the catalog.
func (p ShortPaging) Slice() entity.Page { return Paging(p).Slice() }

// Counts describes the page in a list of total elements.
func (p ShortPaging) Counts(total int64) PageCounts { return Paging(p).counts(total) }

// PageCounts describes a page and the list that it is part of.
type PageCounts struct {
	Page    int64 `json:"page" required:"true" description:"Page number."`
	PerPage int64 `json:"per_page" required:"true" description:"Page size."`
	Pages   int64 `json:"pages" required:"true" description:"Number of pages."`
	Total   int64 `json:"total" required:"true" description:"Number of elements on all pages."`
}

func (p Paging) counts(total int64) PageCounts {
	return PageCounts{Page: p.Page, PerPage: p.size(), Total: total, Pages: (total + p.size() - 1) / p.size()}
}

// PageInfo describes a page, the list that it is part of, and its neighbors.
type PageInfo struct {
	PageCounts
	HasNext bool   `json:"has_next" required:"true" description:"Whether there is a next page."`
	HasPrev bool   `json:"has_prev" required:"true" description:"Whether there is a previous page."`
	NextNum *int64 `json:"next_num" required:"true" description:"Number of the next page; null on the last page."`
	PrevNum *int64 `json:"prev_num" required:"true" description:"Number of the previous page, which is the last one past the end; null on the first page."`
}

// Info describes the page in a list of total elements.
func (p Paging) Info(total int64) PageInfo {
	info := PageInfo{PageCounts: p.counts(total)}
	if info.HasNext = p.Page < info.Pages; info.HasNext {
		info.NextNum = new(p.Page + 1)
	}
	if info.HasPrev = p.Page > 1; info.HasPrev {
		info.PrevNum = new(PreviousPage(p.Page, info.Pages))
	}
	return info
}

// PreviousPage returns the number of the page before a page after the first. Past
// the end that is the last page, which is the first one if there are none.
func PreviousPage(page, pages int64) int64 { return max(1, min(page-1, pages)) }

// Page is a response with one page of a list.
type Page[T any] struct {
	Items []T `json:"items" required:"true" description:"The elements of the page."`
	PageInfo
}

// NewPage returns a page of a list of total elements, each converted by wire.
func NewPage[T, W any](p Paging, total int64, found []T, wire func(*T) W) *Page[W] {
	return &Page[W]{Items: EachRef(found, wire), PageInfo: p.Info(total)}
}

// Cursor selects a page of a list that grows at its beginning: the elements, by falling
// id, after one of the page before. Unlike numbered pages, no element is on two pages.
type Cursor struct {
	Before int64 `query:"before" minimum:"1" description:"Only entries older than this one; use next_before of the previous page."`
	Limit  int   `query:"limit" default:"100" minimum:"1" maximum:"1000" description:"Maximum number of entries."`
}

// Wanted returns the number of elements to read: one more than the page has, which says
// whether there is a next page.
func (c Cursor) Wanted() int { return c.Limit + 1 }

// NextCursor says where the next page begins.
type NextCursor struct {
	NextBefore *int64 `json:"next_before" required:"true" description:"Value of before for the next page; null on the last page."`
}

// Cut returns the page of a list of up to Wanted elements, and where the next one begins.
func Cut[T any](c Cursor, found []T, id func(*T) int64) ([]T, NextCursor) {
	if len(found) <= c.Limit {
		return found, NextCursor{}
	}
	return found[:c.Limit], NextCursor{NextBefore: new(id(&found[c.Limit-1]))}
}
