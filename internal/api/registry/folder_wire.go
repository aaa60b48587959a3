package registry

import (
	"strings"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

// folderName is the name of a folder in a body.
type folderName struct {
	Name string `json:"name" required:"true" minLength:"1" maxLength:"255" description:"Name of the folder."`
}

type createFolderRequest struct {
	folderName
	ParentID *int64 `json:"parent_id" minimum:"1" description:"The id of the parent folder; defaults to the root."`
	kit.WorkspaceBody
	ExternalIDs []kit.ExternalID `json:"external_ids" maxItems:"1000" description:"External ids to attach to the folder."`
}

type renameFolderRequest struct {
	FolderID int64 `path:"folder_id" minimum:"1" description:"The id of the folder."`
	folderName
}

type renameEntityRequest struct {
	EntityID int64  `path:"entity_id" minimum:"1" description:"The id of the prompt template, workflow or tool."`
	Name     string `json:"name" required:"true" minLength:"1" maxLength:"255" description:"New name, unique among those of its kind."`
}

type renamedEntity struct {
	Success bool   `json:"success" required:"true" description:"Always true."`
	ID      int64  `json:"id" required:"true" description:"The id."`
	Type    string `json:"type" required:"true" enum:"PROMPT,SNIPPET,WORKFLOW,TOOL" description:"The type."`
	Name    string `json:"name" required:"true" description:"Name."`
}

type folderResponse struct {
	Success bool       `json:"success" required:"true" description:"Always true."`
	Folder  folderItem `json:"folder" required:"true" description:"The folder."`
}

type folderItem struct {
	ID          int64            `json:"id" required:"true" description:"The id of the folder."`
	Name        string           `json:"name" required:"true" description:"Name."`
	CreatedAt   rest.Time        `json:"created_at" required:"true" description:"When it was created."`
	UpdatedAt   rest.Time        `json:"updated_at" required:"true" description:"When it was last renamed or moved."`
	WorkspaceID int64            `json:"workspace_id" required:"true" description:"The id of the workspace."`
	ParentID    *int64           `json:"parent_id" required:"true" description:"The id of the folder; null at the root."`
	Path        *[]folderStep    `json:"path" required:"true" description:"Folders from the root down to the parent; null at the root."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

type folderStep struct {
	ID   int64  `json:"id" required:"true" description:"The id of the folder."`
	Name string `json:"name" required:"true" description:"Name."`
}

func wireFolder(f *folder.Folder) folderItem {
	item := folderItem{
		ID: f.Entity.ID, Name: f.Entity.Name, WorkspaceID: f.Entity.WorkspaceID, ParentID: f.Entity.FolderID,
		CreatedAt: kit.Time(f.Entity.CreatedAt), UpdatedAt: kit.Time(f.Entity.UpdatedAt),
		ExternalIDs: kit.WireExternalIDs(f.ExternalIDs),
	}
	if f.Entity.FolderID != nil {
		item.Path = new(kit.Each(f.Path, func(s entity.FolderStep) folderStep { return folderStep(s) }))
	}
	return item
}

// referenceID is the id of an entity: a number, or the UUID of a skill
// collection.
type referenceID struct {
	number int64
	uuid   string
}

// BindJSON reads a positive integer or a string.
func (r *referenceID) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	if r.uuid = v.Str(); r.uuid != "" {
		if len(r.uuid) > 255 || strings.ContainsRune(r.uuid, 0) {
			problems.Add(loc, "value_error", "Input should be a valid id")
		}
		return
	}
	number, ok := v.Int()
	switch {
	case !ok:
		problems.Report(loc, fault.IntType)
	case number < 1:
		problems.Report(loc, fault.Above(0))
	}
	r.number = number
}

// JSONSchema allows both forms.
func (referenceID) JSONSchema() (jsonschema.Schema, error) { return kit.NumberOrText() }

// InlineJSONSchema keeps the type out of the named schemas.
func (referenceID) InlineJSONSchema() {}

// entityReference identifies an entity. The domain rejects unknown types with
// a BadRequest fault.
type entityReference struct {
	ID   referenceID `json:"id" required:"true" description:"The id of the entity; a UUID for skill collections."`
	Type *string     `json:"type" minLength:"1" description:"Type of the entity, as returned in lists. Optional for numeric ids. Skill collections and tools can be deleted, but not moved."`
}

// entityReferences is a list of entities.
type entityReferences struct {
	Entities []entityReference `json:"entities" required:"true" maxItems:"10000" description:"The entities."`
}

// Validate rejects strings as ids of entities other than skill collections.
func (in *entityReferences) Validate(problems *fault.Problems) {
	for i, ref := range in.Entities {
		if ref.ID.uuid != "" && kit.OrZero(ref.Type) != string(entity.TypeSkill) {
			problems.Report(fault.At(kit.BodyLoc, "entities", i, "id"), fault.IntType)
		}
	}
}

func (in *entityReferences) references() []folder.Reference {
	return kit.Each(in.Entities, func(ref entityReference) folder.Reference {
		return folder.Reference{ID: ref.ID.number, UUID: ref.ID.uuid, Type: entity.Type(kit.OrZero(ref.Type))}
	})
}

type moveEntitiesRequest struct {
	entityReferences
	FolderID *int64 `json:"folder_id" minimum:"1" description:"The id of the destination folder; omit it or send null for the root."`
	kit.WorkspaceBody
}

type deleteEntitiesRequest struct {
	entityReferences
	Cascade bool `json:"cascade" description:"Whether to delete folders with everything in them."`
	kit.WorkspaceBody
}

type movedResponse struct {
	Count int64 `json:"moved_count" required:"true" description:"Number of distinct entities in the request."`
}

type resolvePathQuery struct {
	Path string `query:"path" required:"true" minLength:"1" maxLength:"100000" description:"Names of the folders from the root, separated by dots or slashes."`
	kit.WorkspaceQuery
}

type resolvedResponse struct {
	ID int64 `json:"id" required:"true" description:"The id of the folder."`
}
