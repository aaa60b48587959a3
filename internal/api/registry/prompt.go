package registry

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/promptuary/promptuary/internal/abtest"
	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
)

// prompts has the handlers of prompt templates.
type prompts struct {
	service *prompt.Service
	tests   *abtest.Service
	labels  *registry.Labels
}

const promptTag = "Prompt templates"

func (h prompts) operations() []rest.Op {
	notFound := []int{http.StatusForbidden, http.StatusNotFound}
	return kit.Tagged(promptTag, []rest.Op{
		{
			Method: http.MethodGet, Path: "/prompt-templates", ID: "listPromptTemplates",
			Summary:     "List templates",
			Description: "Returns a page of templates, newest first, each in its latest version or in the version with the given label.",
			Also:        []int{http.StatusForbidden}, Handler: rest.Handle(h.list),
		},
		{
			Method: http.MethodGet, Path: "/prompt-templates/{identifier...}", ID: "getPromptTemplate",
			Summary:     "Get a version",
			Description: "Returns one version of a template as stored, for editing.",
			Also:        notFound, Handler: rest.RawBound(rawPrompt{}, h.get),
		},
		{
			Method: http.MethodPost, Path: "/prompt-templates/{identifier...}", ID: "runPromptTemplate",
			Summary:     "Get a version to run",
			Description: "Returns one version of a template, rendered with input variables, and the arguments for the provider's client.",
			EmptyBody:   true, Also: notFound, Handler: rest.RawBound(runPromptResponse{}, h.run),
		},
		{
			Method: http.MethodPost, Path: "/rest/prompt-templates", ID: "publishPromptTemplate",
			Summary:     "Publish a version",
			Description: "Adds a version to the template with the given name, which is created if it does not exist. Nothing is stored if the request is rejected.",
			Status:      http.StatusCreated, Also: append(notFound, http.StatusConflict), Handler: rest.RawBound(promptRecord{}, h.publish),
		},
		{
			Method: http.MethodPatch, Path: "/rest/prompt-templates/{identifier...}", ID: "patchPromptTemplate",
			Summary:     "Patch a version",
			Description: "Adds a version that is an earlier one with changes. Nothing is stored if the request is rejected.",
			Status:      http.StatusCreated, EmptyBody: true, Also: notFound, Handler: rest.RawBound(promptRecord{}, h.patch),
		},
		{
			Method: http.MethodPut, Path: "/prompt-templates/by-external-id/{source}/{external_id...}", ID: "upsertPromptTemplate",
			Summary: "Publish by external id",
			Description: "Adds a version to the template with the external id. If no entity has it, the version is published under its name " +
				"and the external id is attached; the status is 201 if that creates the template.",
			Also: append(notFound, http.StatusCreated, http.StatusConflict), Handler: rest.RawBound(promptRecord{}, h.upsert),
		},
		{
			Method: http.MethodGet, Path: "/prompt-templates/{identifier...}/snippet-usage", ID: "getSnippetUsage",
			Summary:     "Find where a snippet is used",
			Description: "Returns the versions of other templates that use this one, and their release labels.",
			Also:        notFound, Handler: rest.Handle(h.usage),
		},
		{
			Method: http.MethodGet, Path: "/prompt-templates/{identifier...}/versions", ID: "listPromptVersions",
			Summary:     "List versions",
			Description: "Returns a page of the versions of a template, newest first, without their content.",
			Also:        []int{http.StatusNotFound}, Handler: rest.Handle(h.versions),
		},
	})
}

func (h prompts) get(w http.ResponseWriter, r *rest.Request, in *rawPromptQuery) error {
	ctx := r.Context()
	found, err := h.service.Get(ctx, kit.Workspace(ctx), in.Identifier, selected(in.Version, in.Label))
	if err != nil {
		return err
	}
	form := rawForm{in.ResolveSnippets, in.IncludeArguments}
	rest.WriteBytes(w, http.StatusOK, found.Text(form, func() []byte { return encodeRawPrompt(found, form) }))
	return nil
}

func (h prompts) run(w http.ResponseWriter, r *rest.Request, in *runPromptRequest) error {
	ctx := r.Context()
	run, err := h.service.Prepare(ctx, kit.Workspace(ctx), in.Identifier, prompt.Request{
		Version: selected(in.Version, in.Label), Provider: kit.OrZero(in.Provider), Model: kit.OrZero(in.Model),
		Variables: kit.Given(r.Body, "input_variables"), Filters: in.Filters,
		Overrides: kit.Given(r.Body, "model_parameter_overrides"), SkipRendering: in.SkipRendering,
	})
	if err != nil {
		return err
	}
	rest.WriteBytes(w, http.StatusOK, appendRun(nil, run))
	return nil
}

func (h prompts) publish(w http.ResponseWriter, r *rest.Request, in *publishRequest) error {
	ctx := r.Context()
	record, err := h.service.Publish(ctx, kit.Workspace(ctx), in.publication(ctx))
	if err != nil {
		return err
	}
	rest.WriteBytes(w, http.StatusCreated, appendRecord(nil, record, in.Labels))
	return nil
}

func (h prompts) upsert(w http.ResponseWriter, r *rest.Request, in *upsertPromptRequest) error {
	ctx := r.Context()
	ref := entity.ExternalRef{Source: in.Source, ID: in.ExternalID}
	record, created, err := h.service.Upsert(ctx, kit.Workspace(ctx), ref, in.publication(ctx))
	if err != nil {
		return err
	}
	status := http.StatusOK
	if created {
		status = http.StatusCreated
	}
	rest.WriteBytes(w, status, appendRecord(nil, record, in.Labels))
	return nil
}

func (h prompts) patch(w http.ResponseWriter, r *rest.Request, in *patchPromptRequest) error {
	ctx := r.Context()
	record, err := h.service.Patch(ctx, kit.Workspace(ctx), in.Identifier, prompt.Patch{
		Base: selected(in.Version, in.Label), Changes: in.changes(),
		ModelParameters: in.ModelParameters, ResponseFormat: in.ResponseFormat,
		Release: registry.Release{CommitMessage: in.CommitMessage, Labels: in.Labels, Author: kit.Author(ctx)},
	})
	if err != nil {
		return err
	}
	rest.WriteBytes(w, http.StatusCreated, appendRecord(nil, record, in.Labels))
	return nil
}

// publication returns the request in the form of the domain.
func (in *publishRequest) publication(ctx context.Context) prompt.Publication {
	tags, hasTags := in.Template.Tags.Get()
	return prompt.Publication{
		Name: in.Template.Name, Tags: tags, HasTags: hasTags,
		FolderID: in.Template.FolderID, IsSnippet: in.Template.IsSnippet,
		Content: in.Version.content(),
		Release: registry.Release{
			CommitMessage: in.Version.CommitMessage, Labels: in.Labels, ExternalIDs: kit.ExternalRefs(in.ExternalIDs), Author: kit.Author(ctx),
		},
	}
}

func (v *promptVersion) content() prompt.Content {
	content := prompt.Content{Template: v.Template.Raw(), Metadata: v.Metadata.Raw()}
	add := func(name string, value any, given bool) {
		if given {
			text, _ := json.Marshal(value) // strings and integers always encode
			content.Settings = append(content.Settings, prompt.Setting{Name: name, Value: text})
		}
	}
	add("provider_base_url_name", v.ProviderBaseURLName, v.ProviderBaseURLName != nil)
	add("provider_id", v.ProviderID, v.ProviderID != nil)
	add("inference_client_name", v.InferenceClientName, v.InferenceClientName != nil)
	add("report_id", v.ReportID, v.ReportID != nil)
	return content
}

type snippetUsageQuery struct {
	Identifier string `path:"identifier" description:"The template's name or id."`
	Version    *int64 `query:"prompt_version_number" minimum:"1" description:"Only references that currently resolve to this version."`
}

type snippetUsageResponse struct {
	Success      bool              `json:"success" required:"true" description:"Always true."`
	Message      string            `json:"message" required:"true" description:"Summary of the result."`
	Name         string            `json:"snippet_name" required:"true" description:"Name of the template."`
	Usage        []promptUsageItem `json:"snippet_usage" required:"true" description:"Templates that use the snippet."`
	TotalPrompts int               `json:"total_prompts_using_snippet" required:"true" description:"Number of elements."`
	Labels       []labelUsageItem  `json:"label_usage" required:"true" description:"Release labels on versions that use the snippet."`
	TotalLabels  int               `json:"total_labels_using_snippet" required:"true" description:"Number of elements."`
}

type promptUsageItem struct {
	ID       int64   `json:"prompt_registry_id" required:"true" description:"The id of the template."`
	Name     string  `json:"prompt_name" required:"true" description:"Name."`
	Versions []int64 `json:"version_numbers" required:"true" description:"Numbers of the versions that use the snippet."`
}

type labelUsageItem struct {
	ID    int64  `json:"prompt_registry_id" required:"true" description:"The id of the template."`
	Name  string `json:"prompt_name" required:"true" description:"Name."`
	Label string `json:"label_name" required:"true" description:"The label."`
}

func (h prompts) usage(ctx context.Context, in *snippetUsageQuery) (*snippetUsageResponse, error) {
	usage, err := h.service.Usage(ctx, kit.Workspace(ctx), in.Identifier, kit.OrZero(in.Version))
	if err != nil {
		return nil, err
	}
	return &snippetUsageResponse{
		Success: true, Name: usage.Name, Message: "Snippet usage found",
		Usage:        kit.Each(usage.Prompts, func(u prompt.PromptUsage) promptUsageItem { return promptUsageItem(u) }),
		Labels:       kit.Each(usage.Labels, func(u prompt.LabelUsage) labelUsageItem { return labelUsageItem(u) }),
		TotalPrompts: len(usage.Prompts), TotalLabels: len(usage.Labels),
	}, nil
}

var promptRoutes = kit.EntityRoutes{
	Kind: entity.KindPrompt, ID: "PromptTemplate", Noun: "prompt template", Tag: promptTag,
	Base: "/prompt-templates/{prompt_template_id}", Collection: "/prompt-templates/{prompt_template_id:digits}",
}

// promptPath is the path of one prompt template.
type promptPath struct {
	ID int64 `path:"prompt_template_id" minimum:"1" description:"The id of the prompt template."`
}

// EntityKey implements kit.EntityPath.
func (p promptPath) EntityKey() (int64, string) { return p.ID, "" }

// The inputs with an external id in the body or in the path.
type (
	attachPromptExternalID struct {
		promptPath
		kit.ExternalID
	}
	deletePromptExternalID struct {
		promptPath
		kit.ExternalIDPath
	}
)
