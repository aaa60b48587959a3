// Package prompt is the registry of prompt templates. It publishes and patches
// versions, resolves snippets, tools and A/B tests, and prepares versions to be
// run.
package prompt

import (
	"context"
	"runtime"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/registry"
)

// Service is the registry. It is safe for concurrent use.
type Service struct {
	registry *registry.Registry[Content]
	store    entity.Store
	tools    Tools
	cache    *cache
	// rendering shares the processor between workspaces.
	rendering *fair.Queue
}

// maxWaitingRenders limits the templates of one workspace that wait to be
// rendered.
const maxWaitingRenders = 1000

// NewService returns a registry over the store. Without tools, references to them are not
// resolved.
func NewService(store entity.Store, tools Tools) *Service {
	// A workspace leaves one core to everything else: while all of them compute, the
	// Go runtime looks for requests only every 10 ms.
	each := max(1, runtime.GOMAXPROCS(0)-1)
	s := &Service{
		store: store, tools: tools, cache: newCache(),
		rendering: fair.New(fair.Options{Slots: each + 1, Each: each, Waiting: maxWaitingRenders}),
	}
	s.registry = registry.New(store, registry.Kind[Content]{
		Kind: entity.KindPrompt, Check: Content.check, Normalize: Content.normalize, Encode: Content.encode, Decode: decodeContent,
		References:  func(content Content) []entity.Reference { return references(tree(content.Template)) },
		CheckStored: s.checkSnippets,
	})
	return s
}

// Rendering returns the queue of templates to be rendered.
func (s *Service) Rendering() *fair.Queue { return s.rendering }

// Labels returns the release labels of a template, oldest first. The fault is
// NotFound if the template does not exist.
func (s *Service) Labels(ctx context.Context, workspace int64, identifier string) ([]entity.Label, error) {
	owner, err := s.registry.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	return s.store.ListLabels(ctx, workspace, owner.ID)
}

// Model is the model in the metadata of a version; both fields are empty if
// there is none.
type Model struct{ Provider, Name string }

// ListVersions returns a page of the versions of a template with their models,
// newest first, and their total number. The fault is NotFound if there is no
// such template.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]registry.ListedVersion[Model], int64, error) {
	owner, err := s.registry.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return registry.ListVersions(ctx, s.store, owner, page, modelOf)
}

func modelOf(version *entity.Version) (Model, error) {
	content, err := decodeContent(version)
	model := tree(content.Metadata).Get("model")
	return Model{Provider: model.Get("provider").Str(), Name: model.Get("name").Str()}, err
}
