package prompt

import (
	"context"
	"sync/atomic"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
	"github.com/promptuary/promptuary/internal/tool"
)

// Template is a version of a template with everything that reading it needs. It
// is shared and must not be modified.
type Template struct {
	Entity      entity.Entity
	Version     entity.Version
	Content     Content
	ExternalIDs []entity.ExternalID
	// Expanded is the template with its snippets in place and registry tools
	// resolved.
	Expanded []byte
	// Snippets are the references that were resolved.
	Snippets []Snippet
	// Tools are those of the tool registry, in the order of the template. Their
	// texts are only in Expanded.
	Tools []tool.Definition
	// RunMetadata is the metadata for clients that run the template.
	RunMetadata []byte

	expanded jsontree.Value
	metadata jsontree.Value
	// apiType is the API of the provider in RunMetadata.
	apiType string
	// variables are the variables of the template and its snippets.
	variables []string
	// hasPlaceholders is set if messages can be injected.
	hasPlaceholders bool
	// warnings describe what could not be resolved.
	warnings []string
	// test is the A/B test of the label that selected the version, if any.
	test *test
	kept atomic.Pointer[keptText]
}

// keptText is a text that was made of a template.
type keptText struct {
	form any
	text []byte
}

// Text returns the text of the template in a form, which make makes. The last one is
// kept with the template, because clients that fetch it usually ask for the same form.
// Nobody may change it.
func (t *Template) Text(form any, make func() []byte) []byte {
	if kept := t.kept.Load(); kept != nil && kept.form == form {
		return kept.text
	}
	made := &keptText{form, make()}
	t.kept.Store(made)
	return made.text
}

// IsSnippet reports whether the template was created for use in others.
func (t *Template) IsSnippet() bool { return t.Entity.Variant == entity.VariantSnippet }

// Get returns a version of a template; the fault is NotFound if the
// template, version or label does not exist. The result reflects every change made before the
// call.
func (s *Service) Get(ctx context.Context, workspace int64, identifier string, version registry.Selector) (*Template, error) {
	return s.cached(ctx, workspace, selector(identifier, version), func() (entity.FoundVersion, error) {
		return s.registry.Select(ctx, workspace, identifier, version)
	})
}

// cached returns the selected version from the cache, or else loads the result
// of find.
func (s *Service) cached(
	ctx context.Context, workspace int64, chosen entity.Selector, find func() (entity.FoundVersion, error),
) (*Template, error) {
	revision, err := s.store.Revision(ctx, workspace)
	if err != nil {
		return nil, err
	}
	if t := s.cache.get(workspace, revision, chosen); t != nil {
		return t, nil
	}
	found, err := find()
	if err != nil {
		return nil, err
	}
	t, err := s.load(ctx, workspace, found)
	if err != nil {
		return nil, err
	}
	s.cache.put(workspace, revision, chosen, t)
	return t, nil
}

// selector selects by id first if the identifier can be one.
func selector(identifier string, version registry.Selector) entity.Selector {
	return entity.Selector{ID: entity.IDOf(identifier), Name: identifier, Number: version.Number, Label: version.Label}
}

// load reads everything that belongs to a version.
func (s *Service) load(ctx context.Context, workspace int64, found entity.FoundVersion) (*Template, error) {
	t := &Template{Entity: found.Entity, Version: found.Version}
	var err error
	if t.Content, err = decodeContent(&found.Version); err != nil {
		return nil, err
	}
	if err := s.expand(ctx, workspace, t); err != nil {
		return nil, err
	}
	t.describe()
	attached, err := s.store.ExternalIDsByEntity(ctx, workspace, []int64{t.Entity.ID})
	if err != nil {
		return nil, err
	}
	t.ExternalIDs = attached[t.Entity.ID]
	if found.LabelID != 0 {
		t.test, err = s.testOf(ctx, workspace, found.LabelID)
	}
	return t, err
}

// describe sets the fields that depend on the metadata.
func (t *Template) describe() {
	t.metadata = tree(t.Content.Metadata)
	t.RunMetadata = runMetadata(t.metadata)
	t.apiType = apiType(t.RunMetadata)
}

// expand resolves snippets and tools of the tool registry.
func (s *Service) expand(ctx context.Context, workspace int64, t *Template) error {
	stored := tree(t.Content.Template)
	found, err := s.gather(ctx, workspace, stored)
	if err != nil {
		return err
	}
	e := expansion{found: found, texts: map[template.Ref]string{}}
	t.Expanded = e.expand(stored)
	e.warnOfRest(t.Expanded)
	t.Snippets, t.warnings = e.list, e.warnings
	if err := s.resolveTools(ctx, workspace, t); err != nil {
		return err
	}
	t.expanded = tree(t.Expanded)
	for _, variable := range t.expanded.Get("input_variables").Elems() {
		t.variables = append(t.variables, variable.Str())
	}
	for _, message := range t.expanded.Get("messages").Elems() {
		t.hasPlaceholders = t.hasPlaceholders || message.Get("role").Str() == "placeholder"
	}
	return nil
}
