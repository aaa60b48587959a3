package registry

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/rest"
)

type listPromptsQuery struct {
	kit.Paging
	kit.EntityFilters
	Label     *string  `query:"label" minLength:"1" description:"Only templates with this release label, each in the version that the label points at."`
	Name      string   `query:"name" description:"Part of the name, ignoring case."`
	Tags      []string `query:"tags" description:"Tags that a template must all have."`
	Status    string   `query:"status" enum:"active,deleted,all" default:"active" description:"Whether to list deleted templates."`
	IsSnippet *bool    `query:"is_snippet" description:"Only snippets (true) or only other templates (false)."`
}

func (in *listPromptsQuery) query(workspace int64) entity.Query {
	q := in.Query(workspace)
	q.Label, q.NameContains, q.Tags, q.Status, q.Page = in.Label, in.Name, in.Tags, kit.Statuses[in.Status], in.Slice()
	if in.IsSnippet != nil {
		variant := ""
		if *in.IsSnippet {
			variant = entity.VariantSnippet
		}
		q.Variant = &variant
	}
	return q
}

type promptItem struct {
	ID             int64            `json:"id" required:"true" description:"The id of the template."`
	Name           string           `json:"prompt_name" required:"true" description:"Name."`
	Tags           []string         `json:"tags" required:"true" description:"Tags."`
	FolderID       *int64           `json:"folder_id" required:"true" description:"The id of the folder; null at the root."`
	Template       *rest.RawObject  `json:"prompt_template" required:"true" description:"The version, as stored."`
	Version        int64            `json:"version" required:"true" description:"Version number."`
	CommitMessage  *string          `json:"commit_message" required:"true" description:"What changed in this version."`
	Metadata       *rest.RawObject  `json:"metadata" required:"true" description:"The model and any other members."`
	ParentFolder   *string          `json:"parent_folder_name" required:"true" description:"Name of the folder."`
	FullFolderPath *string          `json:"full_folder_path" required:"true" description:"Names of all folders from the root, separated by dots."`
	ExternalIDs    []kit.ExternalID `json:"external_ids" required:"true" description:"The external ids."`
	IsSnippet      bool             `json:"is_snippet" required:"true" description:"Whether the template is a snippet, for use in other templates."`
}

func (h prompts) list(ctx context.Context, in *listPromptsQuery) (*kit.Page[promptItem], error) {
	items, total, err := h.service.List(ctx, in.query(kit.Workspace(ctx)))
	if err != nil {
		return nil, err
	}
	return kit.NewPage(in.Paging, total, items, wirePrompt), nil
}

func wirePrompt(i *prompt.Item) promptItem {
	item := promptItem{
		ID: i.Entity.ID, Name: i.Entity.Name, Tags: rest.NonNil(i.Entity.Tags), FolderID: i.Entity.FolderID,
		Template: kit.RawOrNull(i.Content.Template), Version: i.Version.Number, CommitMessage: i.Version.CommitMessage,
		Metadata: kit.RawOrNull(i.Content.Metadata), ExternalIDs: kit.WireExternalIDs(i.ExternalIDs),
		IsSnippet: i.Entity.Variant == entity.VariantSnippet,
	}
	if last := len(i.Folder) - 1; last >= 0 {
		path := i.FolderPath()
		item.ParentFolder, item.FullFolderPath = &i.Folder[last].Name, &path
	}
	return item
}
