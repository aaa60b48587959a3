package registry

import (
	"cmp"
	"strconv"

	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/skill"
)

type listSkillsQuery struct{ kit.EntityFilters }

type skillIdentifier struct {
	Identifier string `path:"identifier" description:"The collection's id, name or root path."`
}

// skillText is the content of a file. It is decoded from the body only when
// needed.
type skillText struct{ value jsontree.Value }

// BindJSON reads a string or null.
func (t *skillText) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	if kind := v.Kind(); kind != jsontree.String && kind != jsontree.Null {
		problems.Report(loc, fault.StringType)
	}
	t.value = v
}

// JSONSchema describes a string.
func (skillText) JSONSchema() (jsonschema.Schema, error) {
	var s jsonschema.Schema
	s.AddType(jsonschema.String)
	return s, nil
}

// InlineJSONSchema keeps the type out of the named schemas.
func (skillText) InlineJSONSchema() {}

// fileName is a path, or the name of a root folder. Any string is accepted
// here; the domain checks it.
type fileName string

// BindJSON reads a string.
func (n *fileName) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	if v.Kind() != jsontree.String {
		problems.Report(loc, fault.StringType)
	}
	*n = fileName(v.Str())
}

// InlineJSONSchema keeps the type out of the named schemas.
func (fileName) InlineJSONSchema() {}

type skillFile struct {
	Path    fileName  `json:"path" required:"true" description:"Path from the root of the collection, or as returned when it was fetched."`
	Content skillText `json:"content" description:"Text of the file, or data:application/octet-stream;base64,… for binary content; at most 5 MiB."`
}

func skillContents(files []skillFile) []skill.Content {
	return kit.Each(files, func(file skillFile) skill.Content {
		return skill.Content{Path: string(file.Path), Read: func() ([]byte, error) {
			return skill.BytesOfText(file.Content.value.AppendStr(nil))
		}}
	})
}

type createSkillRequest struct {
	Name          fileName         `json:"name" required:"true" description:"Name of the collection and of its root folder; 1 to 255 characters."`
	FolderID      *int64           `json:"folder_id" minimum:"1" description:"The id of the folder; defaults to the root."`
	Provider      *string          `json:"provider" minLength:"1" maxLength:"64" description:"Provider whose file layout is used: claude_code, openai or openclaw; any other name means the generic layout. Inferred from the files if omitted."`
	Files         []skillFile      `json:"files" maxItems:"5000" description:"Files of the first version."`
	CommitMessage *string          `json:"commit_message" description:"What changed in this version."`
	Label         *string          `json:"release_label" minLength:"1" maxLength:"255" description:"Release label to create at the first version, which requires files."`
	ExternalIDs   []kit.ExternalID `json:"external_ids" maxItems:"1000" description:"External ids to attach."`
}

// skillMove has two names for each path, because clients use both.
type skillMove struct {
	OldPath *fileName `json:"old_path" description:"Path of the file or folder."`
	NewPath *fileName `json:"new_path" description:"New path."`
	From    *fileName `json:"from" description:"Same as old_path."`
	To      *fileName `json:"to" description:"Same as new_path."`
}

type saveSkillRequest struct {
	skillIdentifier
	Updates       []skillFile `json:"file_updates" maxItems:"5000" description:"Files to add or replace."`
	Moves         []skillMove `json:"moves" maxItems:"5000" description:"Files and folders to move, in order."`
	Deletes       []fileName  `json:"deletes" maxItems:"5000" description:"Files and folders to delete."`
	CommitMessage *string     `json:"commit_message" description:"What changed in this version."`
	Label         *string     `json:"release_label" minLength:"1" maxLength:"255" description:"Release label to create at, or move to, the new version."`
	Provider      *string     `json:"provider" minLength:"1" maxLength:"64" description:"New provider of the collection."`
}

// Validate rejects moves without a source or a destination.
func (in *saveSkillRequest) Validate(problems *fault.Problems) {
	for i, move := range in.Moves {
		if cmp.Or(move.OldPath, move.From) == nil {
			problems.Report([]any{"body", "moves", i, "old_path"}, fault.Required)
		}
		if cmp.Or(move.NewPath, move.To) == nil {
			problems.Report([]any{"body", "moves", i, "new_path"}, fault.Required)
		}
	}
}

func (in *saveSkillRequest) moves() []skill.Move {
	return kit.Each(in.Moves, func(move skillMove) skill.Move {
		return skill.Move{From: string(*cmp.Or(move.OldPath, move.From)), To: string(*cmp.Or(move.NewPath, move.To))}
	})
}

func (in *saveSkillRequest) deletes() []string {
	return kit.Each(in.Deletes, func(path fileName) string { return string(path) })
}

type renameSkillRequest struct {
	skillIdentifier
	Name *fileName `json:"name" description:"New name; null keeps the old one."`
}

// getSkillQuery selects a version. It has no rules in its tags, because
// invalid values are answered with 400.
type getSkillQuery struct {
	skillIdentifier
	Format  string  `query:"format" default:"json" description:"Format: json or zip."`
	Label   *string `query:"label" description:"Release label of the version."`
	Version *string `query:"version" description:"Version number. Defaults to the latest version if neither version nor label is given."`
}

func (in *getSkillQuery) selector() (registry.Selector, error) {
	selector := registry.Selector{Label: kit.OrZero(in.Label)}
	if in.Format != "json" && in.Format != "zip" {
		return selector, fault.BadRequestf("format must be json or zip")
	}
	if in.Label != nil && in.Version != nil {
		return selector, fault.BadRequestf("version and label are mutually exclusive")
	}
	if in.Label != nil && *in.Label == "" {
		return selector, fault.BadRequestf("label must not be empty")
	}
	if in.Version == nil {
		return selector, nil
	}
	number, err := strconv.ParseInt(*in.Version, 10, 64)
	if err != nil || number < 1 {
		return selector, fault.BadRequestf("version must be a positive integer")
	}
	selector.Number = number
	return selector, nil
}

type skillItem struct {
	ID          string           `json:"id" required:"true" description:"The id of the collection."`
	WorkspaceID int64            `json:"workspace_id" required:"true" description:"The id of the workspace."`
	FolderID    *int64           `json:"folder_id" required:"true" description:"The id of the folder; null at the root."`
	RootPath    string           `json:"root_path" required:"true" description:"Name of the root folder, which is that of the collection."`
	Name        string           `json:"name" required:"true" description:"Name."`
	Provider    *string          `json:"provider" required:"true" description:"Provider whose file layout is used; null for the generic layout."`
	Description *string          `json:"description" required:"true" description:"Always null."`
	IsDeleted   bool             `json:"is_deleted" required:"true" description:"Always false."`
	CreatedBy   *int64           `json:"created_by" required:"true" description:"The id of the account that created it, or of the owner of the key; null if they have no account."`
	CreatedAt   rest.Time        `json:"created_at" required:"true" description:"When it was created."`
	UpdatedBy   *int64           `json:"updated_by" required:"true" description:"The id of the account that last changed it, or of the owner of the key; null if they have no account."`
	UpdatedAt   rest.Time        `json:"updated_at" required:"true" description:"When it was last changed."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

func wireSkill(c *skill.Collection) skillItem {
	return skillItem{
		ID: c.Entity.UUID, WorkspaceID: c.Entity.WorkspaceID, FolderID: c.Entity.FolderID, RootPath: c.Entity.Name, Name: c.Entity.Name,
		Provider: kit.OrNil(c.Traits.Provider), CreatedBy: c.Traits.CreatedBy, CreatedAt: kit.Time(c.Entity.CreatedAt),
		UpdatedBy: c.Traits.UpdatedBy, UpdatedAt: kit.Time(c.Entity.UpdatedAt), ExternalIDs: kit.WireExternalIDs(c.ExternalIDs),
	}
}

// skillVersion is a version. Some clients read its number from version.
type skillVersion struct {
	ID            string    `json:"id" required:"true" description:"The id of the version."`
	CollectionID  string    `json:"skill_collection_id" required:"true" description:"The id of the collection."`
	WorkspaceID   int64     `json:"workspace_id" required:"true" description:"The id of the workspace."`
	Number        int64     `json:"number" required:"true" description:"Version number."`
	Version       int64     `json:"version" required:"true" description:"Version number."`
	RootPath      string    `json:"root_path_at_version" required:"true" description:"Name of the root folder in this version."`
	Provider      *string   `json:"provider" required:"true" description:"Provider whose file layout is used; null for the generic layout."`
	FilePaths     []string  `json:"file_paths" required:"true" description:"Paths of the files from the root."`
	CommitMessage *string   `json:"commit_message" required:"true" description:"What changed in this version."`
	Label         *string   `json:"release_label" required:"true" description:"Release label that points at the version."`
	Archived      bool      `json:"archived" required:"true" description:"Always false."`
	CreatedBy     *int64    `json:"created_by" required:"true" description:"The id of the account that saved it, or of the owner of the key; null if they have no account."`
	UserEmail     *string   `json:"user_email" required:"true" description:"Email address of the author."`
	CreatedAt     rest.Time `json:"created_at" required:"true" description:"When it was saved."`
}

func wireSkillVersion(r *skill.Record) *skillVersion {
	v := r.Version
	if v == nil {
		return nil
	}
	return &skillVersion{
		ID: v.ID, CollectionID: r.Entity.UUID, WorkspaceID: r.Entity.WorkspaceID, Number: v.Number, Version: v.Number,
		RootPath: v.RootPath, Provider: kit.OrNil(v.Provider), FilePaths: kit.Each(v.Files, func(f skill.File) string { return f.Path }), CommitMessage: v.CommitMessage,
		Label: kit.OrNil(v.Label), CreatedBy: v.Author.UserID, UserEmail: v.Author.Email, CreatedAt: rest.Time(v.CreatedAt),
	}
}

type skillList struct {
	Success     bool        `json:"success" required:"true" description:"Always true."`
	Collections []skillItem `json:"skill_collections" required:"true" description:"The collections."`
}

type createdSkill struct {
	Success     bool             `json:"success" required:"true" description:"Always true."`
	Collection  skillItem        `json:"skill_collection" required:"true" description:"The collection."`
	Version     *skillVersion    `json:"version" required:"true" description:"The first version; null if there are no files."`
	ExternalIDs []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
}

type renamedSkill struct {
	Success    bool          `json:"success" required:"true" description:"Always true."`
	Collection skillItem     `json:"skill_collection" required:"true" description:"The collection."`
	Version    *skillVersion `json:"version" required:"true" description:"Always null: there is no new version."`
}

type savedSkill struct {
	Success    bool          `json:"success" required:"true" description:"Always true."`
	Version    *skillVersion `json:"version" required:"true" description:"The new version."`
	Collection skillItem     `json:"skill_collection" required:"true" description:"The collection."`
}

type pulledSkill struct {
	Success    bool              `json:"success" required:"true" description:"Always true."`
	Collection skillItem         `json:"skill_collection" required:"true" description:"The collection."`
	Files      map[string]string `json:"files" required:"true" description:"Contents of the files by path."`
	Version    *skillVersion     `json:"version" required:"true" description:"The version; null if there is none yet."`
}
