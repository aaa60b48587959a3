package registry

import (
	"github.com/swaggest/jsonschema-go"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/template"
)

// publishRequest is a version to publish. Client libraries repeat all members
// in both halves; unknown members are ignored.
type publishRequest struct {
	Template    basePromptTemplate `json:"prompt_template" required:"true" description:"The template that the version belongs to."`
	Version     promptVersion      `json:"prompt_version" required:"true" description:"The version."`
	Labels      []string           `json:"release_labels" maxItems:"1000" items.minLength:"1" items.maxLength:"255" description:"Release labels to create at, or move to, the new version."`
	ExternalIDs []kit.ExternalID   `json:"external_ids" maxItems:"1000" description:"External ids to attach to the template."`
	Overrides   map[string]string  `json:"snippet_overrides" description:"Accepted for compatibility; it has no effect."`
}

// Scope returns the selected workspace.
func (in *publishRequest) Scope() *int64 { return in.Template.Scope() }

type basePromptTemplate struct {
	Name     string             `json:"prompt_name" required:"true" minLength:"1" maxLength:"512" description:"Name of the template; a new name creates a template."`
	Tags     rest.Opt[[]string] `json:"tags" maxItems:"1000" items.maxLength:"512" description:"Tags; they replace the tags of an existing template."`
	FolderID *int64             `json:"folder_id" minimum:"1" description:"The id of the folder. If omitted, an existing template stays where it is."`
	kit.WorkspaceBody
	IsSnippet *bool `json:"is_snippet" description:"Whether a new template is a snippet; defaults to true for completion templates."`
}

type promptVersion struct {
	Template            kit.PromptTemplate `json:"prompt_template" required:"true" description:"The template."`
	CommitMessage       *string            `json:"commit_message" maxLength:"1000" description:"What changed in this version."`
	Metadata            kit.PromptMetadata `json:"metadata" description:"The model and any other members."`
	ProviderBaseURLName *string            `json:"provider_base_url_name" maxLength:"255" description:"Stored with the version."`
	ProviderID          *int64             `json:"provider_id" minimum:"1" description:"Stored with the version."`
	InferenceClientName *string            `json:"inference_client_name" maxLength:"255" description:"Stored with the version."`
	ReportID            *int64             `json:"report_id" minimum:"1" description:"Stored with the version."`
}

type upsertPromptRequest struct {
	Source     string `path:"source" minLength:"1" maxLength:"128" description:"The other system or namespace."`
	ExternalID string `path:"external_id" minLength:"1" maxLength:"512" description:"The id in that system."`
	publishRequest
}

type patchPromptRequest struct {
	Identifier      string         `path:"identifier" description:"The template's name or id."`
	Version         *int64         `json:"version" minimum:"1" description:"Number of the version to start from. Defaults to the latest version if neither version nor label is given."`
	Label           *string        `json:"label" minLength:"1" description:"Release label of the version to start from."`
	Messages        jsontree.Value `json:"messages" description:"Object of messages by index, or an array that replaces all messages. Chat templates only."`
	Tools           jsontree.Value `json:"tools" description:"Object of tools by index, an array that replaces all tools, or null to remove them. Chat templates only."`
	Functions       jsontree.Value `json:"functions" description:"Like tools."`
	FunctionCall    jsontree.Value `json:"function_call" description:"New value of the setting; null removes it. Chat templates only."`
	ToolChoice      jsontree.Value `json:"tool_choice" description:"New value of the setting; null removes it. Chat templates only."`
	Content         jsontree.Value `json:"content" description:"Object of content items by index, or an array that replaces all content. Completion templates only."`
	ModelParameters jsontree.Value `json:"model_parameters" description:"Object whose members are merged into the model's parameters."`
	ResponseFormat  jsontree.Value `json:"response_format" description:"Object to set as response_format in the model's parameters; null removes it."`
	CommitMessage   *string        `json:"commit_message" description:"What changed in this version."`
	Labels          []string       `json:"release_labels" maxItems:"1000" items.minLength:"1" items.maxLength:"255" description:"Release labels to create at, or move to, the new version."`
}

func (in *patchPromptRequest) changes() template.Changes {
	return template.Changes{
		Messages: in.Messages, Tools: in.Tools, Functions: in.Functions,
		FunctionCall: in.FunctionCall, ToolChoice: in.ToolChoice, Content: in.Content,
	}
}

// Validate checks the types of the changes.
func (in *patchPromptRequest) Validate(problems *fault.Problems) {
	changes := in.changes()
	changes.Check(kit.BodyLoc, problems)
	template.CheckMetadataChanges(in.ModelParameters, in.ResponseFormat, kit.BodyLoc, problems)
}

// promptRecord documents what appendRecord writes.
type promptRecord struct {
	ID            int64            `json:"id" required:"true" description:"The id of the template."`
	Name          string           `json:"prompt_name" required:"true" description:"Name."`
	VersionID     int64            `json:"prompt_version_id" required:"true" description:"The id of the new version."`
	VersionNumber int64            `json:"version_number" required:"true" description:"Version number."`
	Tags          []string         `json:"tags" required:"true" description:"The template's tags."`
	Template      rest.RawObject   `json:"prompt_template" required:"true" description:"The version, as stored."`
	ExternalIDs   []kit.ExternalID `json:"external_ids" required:"true" description:"All external ids of the template."`
	Labels        *[]string        `json:"release_labels" required:"true" description:"Release labels of the request, without duplicates."`
	Metadata      *rest.RawObject  `json:"metadata" required:"true" description:"The model and any other members."`
	CommitMessage *string          `json:"commit_message" required:"true" description:"What changed in this version."`
}

type rawPromptQuery struct {
	Identifier string `path:"identifier" description:"The template's name or id."`
	kit.VersionQuery
	ResolveSnippets  bool `query:"resolve_snippets" default:"true" description:"Whether to insert snippets."`
	IncludeArguments bool `query:"include_llm_kwargs" default:"false" description:"Whether to return the arguments for the provider's client."`
	kit.WorkspaceQuery
}

// rawPrompt documents what encodeRawPrompt returns.
type rawPrompt struct {
	Success       bool             `json:"success" required:"true" description:"Always true."`
	ID            int64            `json:"id" required:"true" description:"The id of the template."`
	Name          string           `json:"prompt_name" required:"true" description:"Name."`
	Version       int64            `json:"version" required:"true" description:"Version number."`
	WorkspaceID   int64            `json:"workspace_id" required:"true" description:"The id of the workspace."`
	Template      rest.RawObject   `json:"prompt_template" required:"true" description:"The template."`
	Metadata      *rest.RawObject  `json:"metadata" required:"true" description:"The model and any other members."`
	CommitMessage *string          `json:"commit_message" required:"true" description:"What changed in this version."`
	Tags          []string         `json:"tags" required:"true" description:"The template's tags."`
	CreatedAt     rest.Time        `json:"created_at" required:"true" description:"When the version was published."`
	Snippets      []snippetItem    `json:"snippets" required:"true" description:"Snippets that the template refers to."`
	Arguments     *rest.RawObject  `json:"llm_kwargs" required:"true" description:"Arguments for the provider's client; null unless include_llm_kwargs is set."`
	ExternalIDs   []kit.ExternalID `json:"external_ids" required:"true" description:"The template's external ids."`
	IsSnippet     bool             `json:"is_snippet" required:"true" description:"Whether the template is a snippet, for use in other templates."`
}

type snippetItem struct {
	Name    string  `json:"prompt_name" required:"true" description:"Name of the snippet."`
	Version int64   `json:"version" required:"true" description:"Number of the version that was used."`
	Label   *string `json:"label" required:"true" description:"Release label in the reference."`
}

type runPromptRequest struct {
	Identifier string  `path:"identifier" description:"The template's name or id."`
	Version    *int64  `json:"version" minimum:"1" description:"Version number. Defaults to the latest version if neither version nor label is given."`
	Label      *string `json:"label" minLength:"1" description:"Release label of the version; takes precedence over version."`
	kit.WorkspaceBody
	Provider      *string         `json:"provider" description:"Provider to use instead of the template's."`
	Model         *string         `json:"model" description:"Model to use instead of the template's."`
	Variables     *rest.RawObject `json:"input_variables" description:"Input variables to render the template with. If omitted, the template is returned as stored."`
	Filters       segmentKeys     `json:"metadata_filters" description:"Values that A/B tests use to pick a segment and a version."`
	Overrides     *rest.RawObject `json:"model_parameter_overrides" description:"Parameters to merge into the model's."`
	SkipRendering bool            `json:"skip_input_variable_rendering" description:"Whether to leave variables and placeholders unrendered."`
	APIKey        jsontree.Value  `json:"api_key" description:"Ignored; the key is taken from the header."`
}

// segmentKeys are the values that A/B tests match. Client libraries send a
// request's metadata, so numbers and booleans are converted to text, and
// other values are ignored.
type segmentKeys map[string]string

// BindJSON reads an object.
func (k *segmentKeys) BindJSON(v jsontree.Value, loc []any, problems *fault.Problems) {
	if v.Kind() != jsontree.Object {
		problems.Report(loc, fault.ObjectType)
		return
	}
	*k = make(segmentKeys, v.Len())
	for key, member := range v.Members() {
		switch member.Kind() {
		case jsontree.String:
			(*k)[key] = member.Str()
		case jsontree.Number, jsontree.Bool:
			(*k)[key] = string(member.Raw())
		}
	}
}

// JSONSchema allows any object or null.
func (segmentKeys) JSONSchema() (jsonschema.Schema, error) {
	return kit.ObjectOrNull()
}

// InlineJSONSchema keeps the type out of the named schemas.
func (segmentKeys) InlineJSONSchema() {}

// runPromptResponse documents what appendRun writes.
type runPromptResponse struct {
	ID              int64           `json:"id" required:"true" description:"The id of the template."`
	Name            string          `json:"prompt_name" required:"true" description:"Name."`
	Tags            []string        `json:"tags" required:"true" description:"Tags."`
	WorkspaceID     int64           `json:"workspace_id" required:"true" description:"The id of the workspace."`
	CommitMessage   *string         `json:"commit_message" required:"true" description:"What changed in this version."`
	Metadata        *rest.RawObject `json:"metadata" required:"true" description:"The model and any other members."`
	Template        rest.RawObject  `json:"prompt_template" required:"true" description:"The template, rendered with the input variables."`
	Arguments       *rest.RawObject `json:"llm_kwargs" required:"true" description:"Arguments for the provider's client; null if the provider is unknown."`
	ProviderBaseURL *rest.RawObject `json:"provider_base_url" required:"true" description:"Always null."`
	ProviderID      *int64          `json:"provider_id" required:"true" description:"Always null."`
	CustomProvider  *rest.RawObject `json:"custom_provider" required:"true" description:"Always null."`
	Version         int64           `json:"version" required:"true" description:"Version number."`
	Snippets        []snippetItem   `json:"snippets" required:"true" description:"Snippets that were inserted."`
	Warning         *string         `json:"warning" required:"true" description:"Missing variables and snippets; null if there are none."`
	RequestID       string          `json:"request_id" required:"true" description:"Unique id of this response."`
}

// selected returns the version that a query or body selects.
func selected(number *int64, label *string) registry.Selector {
	return registry.Selector{Number: kit.OrZero(number), Label: kit.OrZero(label)}
}

// promptLabel is a release label on the wire.
type promptLabel struct {
	ID        int64     `json:"id" required:"true" description:"The id of the label."`
	Name      string    `json:"name" required:"true" description:"Name."`
	PromptID  int64     `json:"prompt_id" required:"true" description:"The id of the template."`
	VersionID int64     `json:"prompt_version_id" required:"true" description:"The id of the version that it points at."`
	CreatedAt rest.Time `json:"created_at" required:"true" description:"When it was created."`
}

func wireLabel(l entity.Label) *promptLabel {
	return &promptLabel{
		ID: l.ID, Name: l.Name, PromptID: l.EntityID, VersionID: l.VersionID, CreatedAt: kit.Time(l.CreatedAt),
	}
}
