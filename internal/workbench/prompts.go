package workbench

import (
	"context"
	"strconv"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/step"
)

// Render implements step.Prompts.
func (s *scoped) Render(ctx context.Context, r step.PromptRequest) (step.Prompt, error) {
	if err := checkHistory(r.History); err != nil {
		return step.Prompt{}, err
	}
	run, err := s.prepare(ctx, r, prompt.Request{
		Version:  registry.Selector{Number: r.Version, Label: r.Label},
		Provider: r.Provider, Model: r.Model, Overrides: r.Parameters,
		Variables: r.Variables, History: r.History, Filters: s.filters(),
	})
	if err != nil {
		return step.Prompt{}, err
	}
	p, err := rendered(run, mentioned(run, r.Variables))
	return s.following(p, run), err
}

// prepare renders the requested prompt.
func (s *scoped) prepare(ctx context.Context, r step.PromptRequest, request prompt.Request) (*prompt.Run, error) {
	if r.Inline.Given() {
		content := prompt.Content{Template: r.Inline.Raw(), Metadata: r.Metadata.Raw()}
		return s.bench.prompts.PrepareInline(ctx, s.scope.Workspace, []any{"inline_template"}, content, request)
	}
	identifier := r.Name
	if identifier == "" {
		identifier = strconv.FormatInt(r.ID, 10)
	}
	return s.bench.prompts.Prepare(ctx, s.scope.Workspace, identifier, request)
}

// checkHistory rejects a history with invalid messages, which rendering would
// silently leave out.
func checkHistory(history jsontree.Value) error {
	for i, message := range history.Elems() {
		content := message.Get("content")
		said := !content.Given() || content.Kind() == jsontree.String || content.Kind() == jsontree.Array
		if message.Get("role").Str() == "" || !said {
			return fault.BadRequestf("message %d of the chat history has no role, or content that is neither text nor a list", i)
		}
	}
	return nil
}

// filters returns the metadata of the run, by which A/B tests choose a version:
// runs with the same metadata get the same version.
func (s *scoped) filters() map[string]string {
	filters := make(map[string]string, len(s.scope.Metadata))
	for _, member := range s.scope.Metadata {
		if v, err := jsontree.Parse(member.Value); err == nil {
			filters[member.Key] = step.Text(v)
		}
	}
	return filters
}

// mentioned returns the variables that the prompt uses. Only these belong in
// the request log; a run has many more values.
func mentioned(run *prompt.Run, variables jsontree.Value) jsontree.Value {
	expanded, err := jsontree.Parse(run.Expanded)
	if err != nil {
		return jsontree.Value{}
	}
	names := map[string]bool{}
	for _, name := range expanded.Get("input_variables").Elems() {
		names[name.Str()] = true
	}
	for _, message := range expanded.Get("messages").Elems() {
		if message.Get("role").Str() == "placeholder" {
			names[message.Get("name").Str()] = true
		}
	}
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		for name, value := range variables.Members() {
			if names[name] {
				w.Member(value)
			}
		}
	})
	chosen, _ := jsontree.Parse(w.Bytes()) // never fails: it is part of a parsed value
	return chosen
}

// rendered converts a prepared prompt to the form of steps.
func rendered(run *prompt.Run, variables jsontree.Value) (step.Prompt, error) {
	p := step.Prompt{
		Provider: run.Provider, Model: run.Model, API: run.APIType, Variables: variables,
		ID: run.Entity.ID, Version: run.Version.Number,
	}
	var err error
	if p.Template, err = jsontree.Parse(run.Filled); err != nil {
		return p, fault.Wrap(fault.Invalid, err, "the values are nested too deeply for a prompt")
	}
	if run.Arguments == nil {
		return p, nil // the prompt has no model
	}
	if p.Arguments, err = jsontree.Parse(run.Arguments); err != nil {
		return p, fault.Wrap(fault.Invalid, err, "the values are nested too deeply for a request to a model")
	}
	return p, nil
}
