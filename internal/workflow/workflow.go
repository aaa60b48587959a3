// Package workflow is the registry of workflows: graphs of steps that are kept
// in numbered versions. It reads, checks and patches definitions, releases
// them by label and finds them again.
package workflow

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/promptuary/promptuary/internal/entity"
)

// Catalog is what the registry needs of the entity core; the promises of its
// methods are those of catalog.Catalog.
type Catalog interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error

	CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error)
	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	FindEntityByName(ctx context.Context, workspace int64, kind entity.Kind, name string) (entity.Entity, error)
	EntitiesByName(ctx context.Context, workspace int64, kind entity.Kind, names []string) (map[string]int64, error)
	ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error)
	LockEntity(ctx context.Context, workspace, id int64) error

	entity.VersionReader
	AddVersion(ctx context.Context, workspace, entity int64, input entity.NewVersion) (entity.Version, error)
	FindVersion(ctx context.Context, workspace int64, kind entity.Kind, selector entity.Selector) (entity.FoundVersion, error)
	GetVersionByID(ctx context.Context, workspace, id int64) (entity.Version, error)

	SetLabel(ctx context.Context, workspace, entity int64, name string, number int64) (entity.Label, error)
	ListLabels(ctx context.Context, workspace, entity int64) ([]entity.Label, error)
	LabelsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.Label, error)

	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	ExternalIDsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.ExternalID, error)
}

// Service is the registry. It is safe for concurrent use.
type Service struct {
	catalog Catalog
	types   Types
	newID   func() string
}

// NewService returns a registry over the catalog. The ids of nodes and edges
// come from newID, which is RandomID outside of tests.
func NewService(catalog Catalog, types Types, newID func() string) *Service {
	return &Service{catalog: catalog, types: types, newID: newID}
}

// RandomID returns a new random UUID.
func RandomID() string {
	var id [16]byte
	_, _ = rand.Read(id[:])   // never fails
	id[6] = id[6]&0x0f | 0x40 // version 4: random
	id[8] = id[8]&0x3f | 0x80 // the variant that all UUIDs in use have
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

// Version chooses one version of a workflow: the one with the number, or the
// one that the label points at, or the latest when both are zero.
type Version struct {
	Number int64
	Label  string
}
