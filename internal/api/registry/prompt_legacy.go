package registry

import (
	"context"
	"net/http"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/template"
)

// legacyOperations returns older operations that a Go client library still
// calls. They support only completion templates with a single text.
func (h prompts) legacyOperations() []rest.Op {
	return kit.Tagged(promptTag, []rest.Op{
		{
			Method: http.MethodPost, Path: "/rest/publish-prompt-template", ID: "publishPromptTemplateText",
			Summary: "Publish a text (legacy)", Description: "Publishes a completion template with a single text. New clients should use `POST /rest/prompt-templates`.",
			Deprecated: true, Auth: rest.AuthKeyOrBody, Handler: rest.Handle(h.publishText),
		},
		{
			Method: http.MethodGet, Path: "/rest/get-prompt-template", ID: "getPromptTemplateText",
			Summary: "Get a text (legacy)", Description: "Returns the text of a template. New clients should use `GET /prompt-templates/{identifier}`.",
			Deprecated: true, Also: []int{http.StatusBadRequest, http.StatusNotFound}, Handler: rest.Handle(h.getText),
		},
	})
}

type publishTextRequest struct {
	Name     string         `json:"prompt_name" required:"true" minLength:"1" maxLength:"512" description:"Name of the template."`
	Template textTemplate   `json:"prompt_template" required:"true" description:"The text."`
	Tags     []string       `json:"tags" maxItems:"1000" items.maxLength:"512" description:"Tags; they replace the tags of an existing template."`
	APIKey   jsontree.Value `json:"api_key" description:"The API key, if it is not in the header."`
}

type textTemplate struct {
	Text      string   `json:"template" required:"true" description:"The text, with variables in braces."`
	Variables []string `json:"input_variables" description:"Names of the variables."`
}

type publishTextResponse struct {
	Success bool  `json:"success" required:"true" description:"Always true."`
	ID      int64 `json:"id" required:"true" description:"The id of the template."`
}

func (h prompts) publishText(ctx context.Context, in *publishTextRequest) (*publishTextResponse, error) {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("type").String("completion")
		w.Key("content").Array(func() {
			w.Object(func() {
				w.Key("type").String("text")
				w.Key("text").String(in.Template.Text)
			})
		})
		w.Key("input_variables").Strings(in.Template.Variables)
	})
	stored, err := jsontree.Parse(w.Bytes())
	if err != nil {
		return nil, err
	}
	record, err := h.service.Publish(ctx, kit.Workspace(ctx), prompt.Publication{
		Name: in.Name, Tags: in.Tags, HasTags: in.Tags != nil,
		Content: prompt.Content{Template: stored.Raw()}, Release: registry.Release{Author: kit.Author(ctx)},
	})
	if err != nil {
		return nil, err
	}
	return &publishTextResponse{Success: true, ID: record.Entity.ID}, nil
}

type getTextQuery struct {
	Name    string  `query:"prompt_name" required:"true" minLength:"1" description:"Name of the template."`
	Version *int64  `query:"version" minimum:"1" description:"Version number; defaults to the latest."`
	Label   *string `query:"label" minLength:"1" description:"Release label of the version."`
}

type getTextResponse struct {
	Success  bool         `json:"success" required:"true" description:"Always true."`
	ID       int64        `json:"id" required:"true" description:"The id of the template."`
	Version  int64        `json:"version" required:"true" description:"Version number."`
	Tags     []string     `json:"tags" required:"true" description:"The template's tags."`
	Template textTemplate `json:"prompt_template" required:"true" description:"The text."`
}

func (h prompts) getText(ctx context.Context, in *getTextQuery) (*getTextResponse, error) {
	found, err := h.service.Get(ctx, kit.Workspace(ctx), in.Name, selected(in.Version, in.Label))
	if err != nil {
		return nil, err
	}
	stored, err := jsontree.Parse(found.Expanded)
	if err != nil {
		return nil, err
	}
	if template.KindOf(stored) != template.Completion {
		return nil, fault.BadRequestf("the template is a chat template; use GET /prompt-templates/{identifier} instead")
	}
	out := &getTextResponse{
		Success: true, ID: found.Entity.ID, Version: found.Version.Number, Tags: rest.NonNil(found.Entity.Tags),
		Template: textTemplate{Text: template.SnippetText(stored), Variables: []string{}},
	}
	for _, name := range stored.Get("input_variables").Elems() {
		out.Template.Variables = append(out.Template.Variables, name.Str())
	}
	return out, nil
}
