package registry

import (
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
	Name string `query:"name" description:"A part of the name, in any case."`
}

// Validate refuses half an external id.
func (in *listFoldersQuery) Validate(problems *fault.Problems) { in.Check(problems) }

type folderList struct {
	Success bool         `json:"success" required:"true" description:"Always true."`
	Folders []folderItem `json:"folders" required:"true" description:"The folders."`
}

// listEntitiesQuery repeats the filters that all lists share, because only here
// it matters whether an order was asked for.
type listEntitiesQuery struct {
	FolderID        *int64     `query:"folder_id" minimum:"1" description:"The folder; left out, the root."`
	Types           []string   `query:"filter_type" items.enum:"FOLDER,PROMPT,SNIPPET,WORKFLOW,DATASET,REPORT,AB_TEST,INPUT_VARIABLE_SET,SKILL_COLLECTION,TOOL" description:"Only these types. Skill collections and tools are listed only when they are named here."`
	Search          string     `query:"search_query" description:"A part of the name, or of the text of a prompt's latest version, in any case."`
	Flatten         bool       `query:"flatten" default:"false" description:"Whether everything below is listed."`
	IncludeMetadata bool       `query:"include_metadata" default:"false" description:"Whether details of each entity are wanted."`
	Tags            []string   `query:"tags" description:"Tags that must all be there; only prompts, workflows, datasets and reports have any."`
	CreatorEmail    *string    `query:"created_by_email" description:"Only what this person created."`
	CreatedAfter    *rest.Time `query:"created_after" description:"Created then or later."`
	CreatedBefore   *rest.Time `query:"created_before" description:"Created then or earlier."`
	UpdatedAfter    *rest.Time `query:"updated_after" description:"Changed then or later."`
	UpdatedBefore   *rest.Time `query:"updated_before" description:"Changed then or earlier."`
	ExternalSource  *string    `query:"external_source" maxLength:"128" description:"With external_id: only the entity that has this external id."`
	ExternalID      *string    `query:"external_id" maxLength:"512" description:"With external_source: only the entity that has this external id."`
	SortBy          *string    `query:"sort_by" enum:"created_at,updated_at,name,id" description:"What to sort by; left out, the type and then the id."`
	SortOrder       *string    `query:"sort_order" enum:"asc,desc" description:"In which direction: desc unless given. Alone it sorts by the time of creation."`
	Semantic        bool       `query:"semantic_search" default:"false" description:"Answers the best matches of search_query only; they are found by their text."`
	TopK            int64      `query:"semantic_search_top_k" minimum:"1" maximum:"500" default:"100" description:"How many, with semantic_search."`
	Threshold       *float64   `query:"semantic_search_threshold" exclusiveMinimum:"0" maximum:"2" description:"Accepted for clients that send it; texts that match have no distance."`
	WorkspaceID     *int64     `query:"workspace_id" minimum:"1" description:"The key's workspace."`
}

func (in *listEntitiesQuery) filters() kit.EntityFilters {
	f := kit.EntityFilters{
		ExternalSource: in.ExternalSource, ExternalID: in.ExternalID, CreatorEmail: in.CreatorEmail,
		CreatedAfter: in.CreatedAfter, CreatedBefore: in.CreatedBefore,
		UpdatedAfter: in.UpdatedAfter, UpdatedBefore: in.UpdatedBefore,
		SortBy: kit.OrZero(in.SortBy), SortOrder: kit.OrZero(in.SortOrder),
	}
	if f.SortBy == "" {
		f.SortBy = "created_at"
	}
	return f
}

// Validate refuses half an external id, and a semantic search for nothing.
func (in *listEntitiesQuery) Validate(problems *fault.Problems) {
	f := in.filters()
	f.Check(problems)
	if in.Semantic && in.Search == "" {
		problems.Add([]any{"query", "search_query"}, "missing", "semantic_search needs a search_query")
	}
}

func (in *listEntitiesQuery) listQuery(workspace int64) folder.ListQuery {
	f := in.filters()
	q := folder.ListQuery{
		Filters: f.Query(workspace), FolderID: in.FolderID, Search: in.Search, Tags: in.Tags,
		Flatten: in.Flatten, Details: in.IncludeMetadata, Sorted: in.SortBy != nil || in.SortOrder != nil,
	}
	for _, name := range in.Types {
		q.Types = append(q.Types, entity.Type(name))
	}
	if in.Semantic {
		q.Top = int(in.TopK)
	}
	return q
}

type entityList struct {
	Entities []entityItem `json:"entities" required:"true" description:"The entities."`
}

type entityItem struct {
	ID           entityID         `json:"id" required:"true" description:"The entity; a UUID for skill collections."`
	Name         string           `json:"name" required:"true" description:"Its name."`
	Type         string           `json:"type" required:"true" description:"What it is."`
	CreatedAt    rest.Time        `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt    rest.Time        `json:"updated_at" required:"true" description:"When it was changed."`
	FolderID     *int64           `json:"folder_id" required:"true" description:"The folder that it lies in; null at the root."`
	Path         []string         `json:"path" required:"true" description:"The names of the folders from the root; the path of a folder ends with its own name."`
	Metadata     *rest.RawObject  `json:"metadata" required:"true" description:"Details, when they were asked for."`
	ExternalIDs  []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
	Distance     *float64         `json:"distance" required:"true" description:"Always null: texts that match have no distance."`
	CreatorEmail *string          `json:"created_by_email" required:"true" description:"Who created it, where that is known."`
}

// entityID is written as a number, or as the UUID of a skill collection.
type entityID struct {
	number int64
	uuid   string
}

// MarshalJSON writes the one that counts.
func (e entityID) MarshalJSON() ([]byte, error) {
	if e.uuid != "" {
		return json.Marshal(e.uuid)
	}
	return json.Marshal(e.number)
}

// JSONSchema names both forms.
func (entityID) JSONSchema() (jsonschema.Schema, error) { return kit.NumberOrText() }

// InlineJSONSchema keeps the type out of the documents' named schemas.
func (entityID) InlineJSONSchema() {}

func wireEntity(i *folder.Item, withMetadata bool) entityItem {
	item := entityItem{
		ID: entityID{number: i.Entity.ID}, Name: i.Entity.Name, Type: string(i.Type), FolderID: i.Entity.FolderID,
		CreatedAt: rest.Time(i.Entity.CreatedAt.UnixMicro()), UpdatedAt: rest.Time(i.Entity.UpdatedAt.UnixMicro()),
		Path: make([]string, 0, len(i.Path)+1), ExternalIDs: kit.WireExternalIDs(i.ExternalIDs), CreatorEmail: i.Entity.Creator,
	}
	if i.Type == entity.TypeSkill {
		item.ID.uuid = i.Entity.Variant
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

// entityMetadata returns the details of an entity, which differ by its kind.
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
	text, _ := json.Marshal(details) // words and numbers can always be written
	return text
}
