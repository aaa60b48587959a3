package prompt

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt/template"
	"github.com/promptuary/promptuary/internal/tool"
)

// Template is one version of a template with everything that reading it takes.
// It is shared and must not be changed.
type Template struct {
	Entity      entity.Entity
	Version     entity.Version
	Content     Content
	ExternalIDs []entity.ExternalID
	// Expanded is the template with its snippets in place and registry tools
	// resolved.
	Expanded []byte
	// Snippets are the references that were followed.
	Snippets []Snippet
	// Tools are those of the tool registry, in the order of the template. Their
	// texts are in Expanded only.
	Tools []tool.Definition
	// RunMetadata is the metadata as clients that run it need it.
	RunMetadata []byte

	expanded jsontree.Value
	metadata jsontree.Value
	// apiType is the interface of the provider that RunMetadata names.
	apiType string
	// variables are the names that it mentions, its snippets included.
	variables []string
	// hasPlaceholders says that messages can be put into it.
	hasPlaceholders bool
	// warnings tell what of the template could not be resolved.
	warnings []string
	// test decides between versions when the template was read by a label.
	test *test
}

// IsSnippet reports whether the template was made to be used in others.
func (t *Template) IsSnippet() bool { return t.Entity.Variant == VariantSnippet }

// Get returns a version of a template; the fault is NotFound when there is no
// such template, version or label. What it returns holds everything that was
// written before it was called.
func (s *Service) Get(ctx context.Context, workspace int64, identifier string, version Version) (*Template, error) {
	return s.cached(ctx, workspace, selector(identifier, version), func() (entity.FoundVersion, error) {
		return s.find(ctx, workspace, identifier, version)
	})
}

// cached returns what was chosen from memory, or else what find returns with
// all that belongs to it.
func (s *Service) cached(
	ctx context.Context, workspace int64, chosen entity.Selector, find func() (entity.FoundVersion, error),
) (*Template, error) {
	revision, err := s.catalog.Revision(ctx, workspace)
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

// find returns the version that is chosen. Some clients escape names twice, so
// that an unknown name is tried once more without the second escape.
func (s *Service) find(ctx context.Context, workspace int64, identifier string, version Version) (entity.FoundVersion, error) {
	found, err := s.catalog.FindVersion(ctx, workspace, entity.KindPrompt, selector(identifier, version))
	if !fault.Is(err, fault.NotFound) || !strings.Contains(strings.ToUpper(identifier), "%2F") {
		return found, err
	}
	unescaped, bad := url.PathUnescape(identifier)
	if bad != nil || s.exists(ctx, workspace, identifier) {
		return found, err // only the version is missing
	}
	return s.catalog.FindVersion(ctx, workspace, entity.KindPrompt, selector(unescaped, version))
}

// exists reports whether there is a template with the identifier.
func (s *Service) exists(ctx context.Context, workspace int64, identifier string) bool {
	_, err := s.catalog.FindVersion(ctx, workspace, entity.KindPrompt, selector(identifier, Version{}))
	return !fault.Is(err, fault.NotFound)
}

// selector chooses by id first where the identifier could be one.
func selector(identifier string, version Version) entity.Selector {
	chosen := entity.Selector{Name: identifier, Number: version.Number, Label: version.Label}
	if strings.Trim(identifier, "0123456789") == "" {
		chosen.ID, _ = strconv.ParseInt(identifier, 10, 64) // too large for an id is a name only
	}
	return chosen
}

// load reads all that belongs to a version.
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
	attached, err := s.catalog.ExternalIDsByEntity(ctx, workspace, []int64{t.Entity.ID})
	if err != nil {
		return nil, err
	}
	t.ExternalIDs = attached[t.Entity.ID]
	if found.LabelID != 0 {
		t.test, err = s.testOf(ctx, workspace, found.LabelID)
	}
	return t, err
}

// describe reads the metadata.
func (t *Template) describe() {
	t.metadata = tree(t.Content.Metadata)
	t.RunMetadata = runMetadata(t.metadata)
	t.apiType = apiType(t.RunMetadata)
}

// expand puts snippets and the tools of the tool registry in place.
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
