// Package prompt is the registry of prompt templates: it publishes and patches
// versions, moves release labels, resolves snippets and A/B tests, and prepares
// a version for running.
package prompt

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/entity"
)

// Catalog is what the registry needs of the entity core; the promises of its
// methods are those of catalog.Catalog.
type Catalog interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	Revision(ctx context.Context, workspace int64) (int64, error)

	CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error)
	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	FindEntityByName(ctx context.Context, workspace int64, kind entity.Kind, name string) (entity.Entity, error)
	ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error)
	LockEntity(ctx context.Context, workspace, id int64) error
	SetTags(ctx context.Context, workspace, id int64, tags []string) (entity.Entity, error)
	MoveEntities(ctx context.Context, workspace int64, ids []int64, folder *int64) (int64, error)
	FolderPaths(ctx context.Context, workspace int64, folders []int64) (map[int64][]entity.FolderStep, error)
	EntitiesByName(ctx context.Context, workspace int64, kind entity.Kind, names []string) (map[string]int64, error)
	EntityNames(ctx context.Context, workspace int64, ids []int64) (map[int64]string, error)

	entity.VersionReader
	AddVersion(ctx context.Context, workspace, entity int64, input entity.NewVersion) (entity.Version, error)
	GetVersion(ctx context.Context, workspace, entity, number int64) (entity.Version, error)
	GetVersionByID(ctx context.Context, workspace, id int64) (entity.Version, error)
	FindVersion(ctx context.Context, workspace int64, kind entity.Kind, selector entity.Selector) (entity.FoundVersion, error)
	VersionsByName(ctx context.Context, workspace int64, kind entity.Kind, refs []entity.Reference) ([]entity.FoundVersion, error)
	LatestVersions(ctx context.Context, workspace int64, entities []int64) (map[int64]entity.Version, error)
	LabelledVersions(ctx context.Context, workspace int64, entities []int64, label string) (map[int64]entity.Version, error)
	ListReferences(ctx context.Context, workspace int64, name string) ([]entity.ReferringVersion, error)

	SetLabel(ctx context.Context, workspace, entity int64, name string, number int64) (entity.Label, error)
	CreateLabel(ctx context.Context, workspace, entity int64, name string, number int64) (entity.Label, error)
	MoveLabel(ctx context.Context, workspace, id, number int64) (entity.Label, error)
	GetLabel(ctx context.Context, workspace, id int64) (entity.Label, error)
	FindLabel(ctx context.Context, workspace, entity int64, name string) (entity.Label, error)
	ListLabels(ctx context.Context, workspace, entity int64) ([]entity.Label, error)
	LabelsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.Label, error)
	DeleteLabel(ctx context.Context, workspace, id int64) error

	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	FindByExternalID(ctx context.Context, workspace int64, ref entity.ExternalRef) (entity.Entity, error)
	ExternalIDsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.ExternalID, error)

	CreateABTest(ctx context.Context, workspace int64, input entity.NewABTest) (entity.ABTest, error)
	SetABTestConfig(ctx context.Context, workspace, id int64, config json.RawMessage, author *string) (entity.ABTest, error)
	GetABTest(ctx context.Context, workspace, id int64) (entity.ABTest, error)
	FindABTestByLabel(ctx context.Context, workspace, label int64) (entity.ABTest, bool, error)
	ListABTests(ctx context.Context, workspace int64, prompt *int64) ([]entity.ABTest, error)
	DeleteABTest(ctx context.Context, workspace, id int64) error
}

// VariantSnippet is the variant of templates that were made to be used in
// others.
const VariantSnippet = "snippet"

// Service is the registry. It is safe for concurrent use.
type Service struct {
	catalog Catalog
	tools   Tools
	cache   *cache
}

// NewService returns a registry over the catalog.
func NewService(catalog Catalog) *Service {
	return &Service{catalog: catalog, cache: newCache()}
}

// Version chooses one version of a template: the one with the number, or the
// one that the label points at, or the latest when both are zero.
type Version struct {
	Number int64
	Label  string
}
