package kit

import (
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/rest"
)

// Filters select the entities of a list, of any kind.
type Filters struct {
	ExternalSource *string    `query:"external_source" maxLength:"128" description:"Source of an external id; requires external_id. Returns only the entity with this external id."`
	ExternalID     *string    `query:"external_id" maxLength:"512" description:"External id; requires external_source. Returns only the entity with this external id."`
	CreatorEmail   *string    `query:"created_by_email" description:"Email address of the creator."`
	CreatedAfter   *rest.Time `query:"created_after" description:"Earliest creation time, inclusive."`
	CreatedBefore  *rest.Time `query:"created_before" description:"Latest creation time, inclusive."`
	UpdatedAfter   *rest.Time `query:"updated_after" description:"Earliest time of the last change, inclusive."`
	UpdatedBefore  *rest.Time `query:"updated_before" description:"Latest time of the last change, inclusive."`
}

// Validate rejects an external id of which only one half is given.
func (f *Filters) Validate(problems *fault.Problems) {
	if OrZero(f.ExternalSource) != "" && OrZero(f.ExternalID) != "" || f.ExternalSource == nil && f.ExternalID == nil {
		return
	}
	missing := "external_id"
	if OrZero(f.ExternalSource) == "" {
		missing = "external_source"
	}
	problems.Add([]any{"query", missing}, "missing", "external_source and external_id must be given together")
}

// Query returns the filters in the form of the catalog.
func (f *Filters) Query(workspace int64) entity.Query {
	q := entity.Query{
		WorkspaceID: workspace, Creator: f.CreatorEmail,
		CreatedAfter: Instant(f.CreatedAfter), CreatedBefore: Instant(f.CreatedBefore),
		UpdatedAfter: Instant(f.UpdatedAfter), UpdatedBefore: Instant(f.UpdatedBefore),
	}
	if f.ExternalID != nil {
		q.ExternalID = &entity.ExternalRef{Source: *f.ExternalSource, ID: *f.ExternalID}
	}
	return q
}

// EntityFilters are filters and an order, by default the newest first.
type EntityFilters struct {
	Filters
	SortBy    string `query:"sort_by" enum:"created_at,updated_at,name,id" default:"created_at" description:"Sort key."`
	SortOrder string `query:"sort_order" enum:"asc,desc" default:"desc" description:"Sort direction."`
	WorkspaceQuery
}

// Query returns the filters and the order in the form of the catalog.
func (f *EntityFilters) Query(workspace int64) entity.Query {
	q := f.Filters.Query(workspace)
	Sort(&q, f.SortBy, f.SortOrder)
	return q
}

// Sort sets the order of a query from the parameters sort_by and sort_order.
func Sort(q *entity.Query, by, order string) {
	q.Sort, q.Ascending = sortKeys[by], order == "asc"
}

var sortKeys = map[string]entity.SortKey{
	"created_at": entity.ByCreated, "updated_at": entity.ByUpdated, "name": entity.ByName, "id": entity.ByID,
}

// Statuses maps the values of the parameter status.
var Statuses = map[string]entity.Status{"active": entity.Live, "deleted": entity.Deleted, "all": entity.LiveOrDeleted}
