package prompt

import (
	"cmp"
	"context"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/provider/builtin"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
	"github.com/promptuary/promptuary/internal/template/render"
)

// Request selects a version to be prepared.
type Request struct {
	Version registry.Selector
	// Provider and Model replace those of the template.
	Provider, Model string
	// Variables is absent, or an object of values.
	Variables jsontree.Value
	// Filters are the segment keys for A/B tests, nil for none.
	Filters map[string]string
	// Overrides is absent, or an object that is merged into the model parameters.
	Overrides jsontree.Value
	// History is absent, or an array of messages that follow those of the
	// template. Their texts are not rendered: they are a conversation.
	History jsontree.Value
	// SkipRendering leaves variables and placeholders unchanged.
	SkipRendering bool
}

// Run is a version that is ready to be run.
type Run struct {
	*Template
	// Prompt is the template, rendered if variables were given.
	Prompt []byte
	// Metadata has the requested provider and model.
	Metadata []byte
	// Arguments are the arguments for the provider's client, nil if the provider
	// is unknown.
	Arguments []byte
	// Warning describes what is missing, "" if nothing is.
	Warning string
	// Filled is the template that Arguments were built from: rendered, with the
	// messages of placeholders, and with the history appended.
	Filled []byte
	// Provider, Model and APIType are those of Arguments, "" if not specified.
	Provider, Model, APIType string

	// arguments is the input from which Arguments were built.
	arguments provider.Input
}

// Prepare returns a version that is ready to be run. Faults are those of Get,
// and Invalid for a template that takes too long or becomes too large.
func (s *Service) Prepare(ctx context.Context, workspace int64, identifier string, in Request) (*Run, error) {
	t, err := s.Get(ctx, workspace, identifier, in.Version)
	if err == nil && t.test != nil {
		chosen := t.test.choose(in.Filters)
		t, err = s.Get(ctx, workspace, identifier, registry.Selector{Number: chosen})
	}
	if err != nil {
		return nil, err
	}
	return s.prepare(ctx, workspace, t, in)
}

// PrepareInline is Prepare for content that is not stored but at a location of
// a request. The run has neither an entity nor a version; the Version and
// Filters of the request are ignored. The fault is Invalid for invalid content,
// as for Publish.
func (s *Service) PrepareInline(ctx context.Context, workspace int64, at []any, content Content, in Request) (*Run, error) {
	if err := content.checkAt(at, content.Metadata); err != nil {
		return nil, err
	}
	t := &Template{Content: content.normalize()}
	if err := s.expand(ctx, workspace, t); err != nil {
		return nil, err
	}
	t.describe()
	return s.prepare(ctx, workspace, t, in)
}

func (s *Service) prepare(ctx context.Context, workspace int64, t *Template, in Request) (*Run, error) {
	run := &Run{Template: t, Prompt: t.Expanded, Metadata: t.RunMetadata, Warning: strings.Join(t.warnings, "\n")}
	run.address(in.Provider, in.Model)
	arguments := provider.Input{
		Provider: run.Provider, Model: run.Model, APIType: run.APIType,
		Template: t.expanded, Parameters: t.metadata.Get("model").Get("parameters"), Overrides: in.Overrides,
		KeepPlaceholders: in.SkipRendering,
	}
	if !in.SkipRendering {
		if err := s.render(ctx, workspace, run, in.Variables, &arguments); err != nil {
			return nil, err
		}
	}
	if in.History.Len() > 0 {
		if err := appendHistory(&arguments, in.History); err != nil {
			return nil, err
		}
	}
	run.arguments = arguments
	run.build()
	return run, nil
}

// build builds the arguments for the provider's client.
func (r *Run) build() {
	r.Filled = r.arguments.Template.Raw()
	if r.Provider != "" {
		r.Arguments = builtin.Providers.Arguments(r.arguments)
	}
}

// Continue returns the run with messages appended to its conversation. As with
// a history, their texts are not rendered.
func (r *Run) Continue(messages jsontree.Value) (*Run, error) {
	longer := *r
	if err := appendHistory(&longer.arguments, messages); err != nil {
		return nil, err
	}
	longer.build()
	return &longer, nil
}

// address sets the provider and the model: those of the template unless others
// are given.
func (r *Run) address(provider, model string) {
	r.Provider, r.Model, r.APIType = r.model("provider"), cmp.Or(model, r.model("name")), r.apiType
	if provider != "" && provider != r.Provider {
		r.Provider = provider
		r.Metadata = runMetadata(withModel(r.metadata, provider, r.Model))
		r.APIType = apiType(r.Metadata)
	}
}

// render renders a run. Templates that take long wait for the turn of their
// workspace.
func (s *Service) render(ctx context.Context, workspace int64, run *Run, variables jsontree.Value, arguments *provider.Input) error {
	end := func() {}
	defer func() { end() }()
	budget := render.NewBudget(ctx, func() error {
		release, err := s.rendering.Acquire(ctx, workspace)
		if err == nil {
			end = release
		}
		return err
	})
	return run.render(budget, variables, arguments)
}

// render renders the variables in the template and the arguments.
func (r *Run) render(budget *render.Budget, variables jsontree.Value, arguments *provider.Input) error {
	values := render.NewValues(variables)
	rendered, err := template.Render(r.expanded, values, budget)
	if err != nil {
		return err
	}
	if format := arguments.Parameters.Get("response_format"); format.Kind() == jsontree.Object {
		text, missing, err := template.RenderJSON(format, template.FormatOf(r.expanded), values, budget)
		if err != nil {
			return err
		}
		arguments.Parameters = tree(replaceMember(arguments.Parameters, "response_format", text))
		rendered.Missing = distinct(append(rendered.Missing, missing...))
	}
	filled := tree(rendered.Template)
	if variables.Kind() == jsontree.Object {
		r.Prompt = rendered.Template
	}
	arguments.Template = filled
	if r.hasPlaceholders {
		arguments.Template = tree(template.InjectPlaceholders(filled, values))
	}
	if missing := template.Warning(rendered); missing != "" {
		r.Warning = strings.TrimPrefix(r.Warning+"\n"+missing, "\n")
	}
	return nil
}

// appendHistory appends messages to the conversation.
func appendHistory(arguments *provider.Input, history jsontree.Value) error {
	if template.KindOf(arguments.Template) != template.Chat {
		return fault.New(fault.Invalid, "only a chat template can be followed by a chat history")
	}
	longer, err := jsontree.Parse(template.AppendMessages(arguments.Template, history))
	if err != nil { // the messages may now be nested too deeply
		return fault.Wrap(fault.Invalid, err, "the chat history is nested too deeply")
	}
	arguments.Template = longer
	return nil
}

// RawArguments returns the arguments for the provider's client without
// rendering, nil if the template has no provider.
func (t *Template) RawArguments() []byte {
	name := t.model("provider")
	if name == "" {
		return nil
	}
	return builtin.Providers.Arguments(provider.Input{
		Provider: name, Model: t.model("name"), APIType: t.apiType,
		Template: t.expanded, Parameters: t.metadata.Get("model").Get("parameters"), KeepPlaceholders: true,
	})
}

// model returns a string from the metadata of the model.
func (t *Template) model(name string) string { return t.metadata.Get("model").Get(name).Str() }
