package registry

import (
	"cmp"
	"encoding/json"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/rest"
)

type listFoldersQuery struct {
	kit.EntityFilters
	Name string `query:"name" description:"Part of the name, ignoring case."`
}

type folderList struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Folders []folderItem `json:"folders" required:"true" description:"The folders."`
}

// listEntitiesQuery selects the entities of a folder. Unlike in other lists, it
// matters whether an order was given.
type listEntitiesQuery struct {
	FolderID        *int64       `query:"folder_id" minimum:"1" description:"The folder's id; defaults to the root."`
	Types           []entityType `query:"filter_type" description:"Only entities of these types. Skill collections and tools are listed only if named here, or if an external id is given."`
	Search          string       `query:"search_query" description:"Part of the name, or of the text of a prompt's latest version, ignoring case."`
	Flatten         bool         `query:"flatten" default:"false" description:"Whether to list the contents of subfolders too."`
	IncludeMetadata bool         `query:"include_metadata" default:"false" description:"Whether to return details of each entity."`
	Tags            []string     `query:"tags" description:"Tags that an entity must all have. Only prompts, workflows, datasets and reports have tags."`
	kit.Filters
	SortBy    *string  `query:"sort_by" enum:"created_at,updated_at,name,id" description:"Sort key; defaults to the type, then the id."`
	SortOrder *string  `query:"sort_order" enum:"asc,desc" description:"Sort direction; defaults to desc. Without sort_by, sorts by creation time."`
	Semantic  bool     `query:"semantic_search" default:"false" description:"Whether to return only the best matches of search_query. Matches are found by text."`
	TopK      int64    `query:"semantic_search_top_k" minimum:"1" maximum:"500" default:"100" description:"Maximum number of matches with semantic_search."`
	Threshold *float64 `query:"semantic_search_threshold" exclusiveMinimum:"0" maximum:"2" description:"Accepted for compatibility; it has no effect, because text matches have no distance."`
	kit.WorkspaceQuery
}

// entityType is a type of entity.
type entityType entity.Type

// Enum returns the types of all kinds.
func (entityType) Enum() []any {
	return kit.Each(entity.Kinds(), func(traits entity.Traits) any { return traits.Type })
}

// InlineJSONSchema keeps the type out of the named schemas.
func (entityType) InlineJSONSchema() {}

// Validate rejects half an external id, and a semantic search without a text.
func (in *listEntitiesQuery) Validate(problems *fault.Problems) {
	in.Filters.Validate(problems)
	if in.Semantic && in.Search == "" {
		problems.Add([]any{"query", "search_query"}, "missing", "semantic_search requires search_query")
	}
}

func (in *listEntitiesQuery) listQuery(workspace int64) folder.ListQuery {
	q := folder.ListQuery{
		Filters: in.Query(workspace), FolderID: in.FolderID, Search: in.Search, Tags: in.Tags,
		Flatten: in.Flatten, Details: in.IncludeMetadata, Sorted: in.SortBy != nil || in.SortOrder != nil,
		Types: kit.Each(in.Types, func(t entityType) entity.Type { return entity.Type(t) }),
	}
	kit.Sort(&q.Filters, cmp.Or(kit.OrZero(in.SortBy), "created_at"), kit.OrZero(in.SortOrder))
	if in.Semantic {
		q.Top = int(in.TopK)
	}
	return q
}

type entityList struct {
	Entities []entityItem `json:"entities" required:"true" description:"The entities."`
}

type entityItem struct {
	ID           entityID         `json:"id" required:"true" description:"The id of the entity; a UUID for skill collections."`
	Name         string           `json:"name" required:"true" description:"Name."`
	Type         string           `json:"type" required:"true" description:"Type of the entity."`
	CreatedAt    rest.Time        `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt    rest.Time        `json:"updated_at" required:"true" description:"When it was last changed."`
	FolderID     *int64           `json:"folder_id" required:"true" description:"The id of the folder; null at the root."`
	Path         []string         `json:"path" required:"true" description:"Names of the folders from the root. The path of a folder ends with its own name."`
	Metadata     *rest.RawObject  `json:"metadata" required:"true" description:"Details of the entity; null unless include_metadata is set."`
	ExternalIDs  []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
	Distance     *float64         `json:"distance" required:"true" description:"Always null: text matches have no distance."`
	CreatorEmail *string          `json:"created_by_email" required:"true" description:"Email address of the creator; null if unknown."`
}

// entityID is a number, or the UUID of a skill collection.
type entityID struct {
	number int64
	uuid   string
}

// MarshalJSON returns the UUID if there is one, otherwise the number.
func (e entityID) MarshalJSON() ([]byte, error) {
	if e.uuid != "" {
		return json.Marshal(e.uuid)
	}
	return json.Marshal(e.number)
}

// JSONSchema allows both forms.
func (entityID) JSONSchema() (jsonschema.Schema, error) { return kit.NumberOrText() }

// InlineJSONSchema keeps the type out of the named schemas.
func (entityID) InlineJSONSchema() {}

func wireEntity(i *folder.Item, withMetadata bool) entityItem {
	item := entityItem{
		ID: entityID{number: i.Entity.ID}, Name: i.Entity.Name, Type: string(i.Type), FolderID: i.Entity.FolderID,
		CreatedAt: kit.Time(i.Entity.CreatedAt), UpdatedAt: kit.Time(i.Entity.UpdatedAt),
		Path: make([]string, 0, len(i.Path)+1), ExternalIDs: kit.WireExternalIDs(i.ExternalIDs), CreatorEmail: i.Entity.Creator,
	}
	if i.Type == entity.TypeSkill {
		item.ID.uuid = i.Entity.UUID
	}
	for _, step := range i.Path {
		item.Path = append(item.Path, step.Name)
	}
	if i.Type == entity.TypeFolder {
		item.Path = append(item.Path, i.Entity.Name)
	}
	if withMetadata {
		item.Metadata = kit.RawOrNull(entityMetadata(i))
	}
	return item
}

// entityMetadata returns the details of an entity, which depend on its kind.
func entityMetadata(i *folder.Item) []byte {
	var latest *int64
	if i.Entity.LatestVersion > 0 {
		latest = &i.Entity.LatestVersion
	}
	var details any = struct{}{}
	switch i.Entity.Kind {
	case entity.KindPrompt:
		details = struct {
			Type   string `json:"type"`
			Latest *int64 `json:"latest_version_number"`
		}{i.TemplateType, latest}
	case entity.KindWorkflow:
		details = struct {
			Latest *int64 `json:"latest_version_number"`
		}{latest}
	case entity.KindDataset:
		details = struct {
			IsDraft bool   `json:"isDraft"`
			Latest  *int64 `json:"latest_version_number"`
		}{latest == nil, latest}
	}
	text, _ := json.Marshal(details) // strings and numbers always encode
	return text
}
