// Package variableset keeps named sets of values for the variables of prompts,
// so that a team tries its prompts with the same examples. A set is an entity
// whose versions are the values it has had.
package variableset

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Catalog is what the service needs of the entity core; the promises of its
// methods are those of catalog.Catalog.
type Catalog interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error)
	RenameEntity(ctx context.Context, workspace, id int64, name string) (entity.Entity, error)
	LockEntity(ctx context.Context, workspace, id int64) error
	ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error)
	RemoveEntities(ctx context.Context, workspace int64, ids []int64) (int64, error)
	AddVersion(ctx context.Context, workspace, entity int64, input entity.NewVersion) (entity.Version, error)
	FindVersion(ctx context.Context, workspace int64, kind entity.Kind, selector entity.Selector) (entity.FoundVersion, error)
	LatestVersions(ctx context.Context, workspace int64, entities []int64) (map[int64]entity.Version, error)
	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	ExternalIDsByEntity(ctx context.Context, workspace int64, entities []int64) (map[int64][]entity.ExternalID, error)
}

// Service keeps the sets. It is safe for concurrent use.
type Service struct{ catalog Catalog }

// NewService returns a service over the catalog.
func NewService(catalog Catalog) *Service { return &Service{catalog} }

// Set is a set in its latest version.
type Set struct {
	Entity entity.Entity
	// Version holds the values: its body is an object of them by name.
	Version     entity.Version
	ExternalIDs []entity.ExternalID
}

// New is a set to be created.
type New struct {
	Name string
	// Variables is an object.
	Variables   json.RawMessage
	FolderID    *int64
	ExternalIDs []entity.ExternalRef
	Author      *string
}

// Create makes a set. On any fault there is none: NotFound for an unknown
// folder, Conflict for an external id of another entity.
func (s *Service) Create(ctx context.Context, workspace int64, in New) (*Set, error) {
	var made *Set
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		if err := access.Require(ctx, access.PromptCreate); err != nil {
			return err
		}
		created, err := s.catalog.CreateEntity(ctx, entity.New{
			WorkspaceID: workspace, Kind: entity.KindVariableSet, Name: in.Name, FolderID: in.FolderID, Creator: in.Author,
		})
		if err != nil {
			return err
		}
		version := entity.NewVersion{Body: in.Variables, Creator: in.Author}
		if _, err := s.catalog.AddVersion(ctx, workspace, created.ID, version); err != nil {
			return err
		}
		for _, ref := range in.ExternalIDs {
			if err := s.catalog.AttachExternalID(ctx, workspace, created.ID, ref); err != nil {
				return err
			}
		}
		made, err = s.Get(ctx, workspace, created.ID)
		return err
	})
	return made, err
}

// Get returns a set; the fault is NotFound when there is none.
func (s *Service) Get(ctx context.Context, workspace, id int64) (*Set, error) {
	found, err := s.catalog.FindVersion(ctx, workspace, entity.KindVariableSet, entity.Selector{ID: id})
	if err != nil {
		return nil, notFound(err, id)
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, workspace, []int64{id})
	if err != nil {
		return nil, err
	}
	return &Set{Entity: found.Entity, Version: found.Version, ExternalIDs: attached[id]}, nil
}

func notFound(err error, id int64) error {
	if fault.Is(err, fault.NotFound) {
		return fault.NotFoundf("Input variable set %d not found", id)
	}
	return err
}

// List returns a page of sets and how many there are in all.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Set, int64, error) {
	query.Kinds = []entity.Kind{entity.KindVariableSet}
	found, total, err := s.catalog.ListEntities(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	ids := make([]int64, len(found))
	for i, one := range found {
		ids[i] = one.ID
	}
	versions, err := s.catalog.LatestVersions(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, 0, err
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, query.WorkspaceID, ids)
	if err != nil {
		return nil, 0, err
	}
	sets := make([]Set, 0, len(found))
	for _, one := range found {
		// One that was deleted since it was listed has no version any more.
		if version, ok := versions[one.ID]; ok {
			sets = append(sets, Set{Entity: one, Version: version, ExternalIDs: attached[one.ID]})
		}
	}
	return sets, total, nil
}

// Patch is what changes of a set; nil leaves it as it is.
type Patch struct {
	Name *string
	// Variables become a new version.
	Variables json.RawMessage
	Author    *string
}

// Update changes a set; the fault is NotFound when there is none.
func (s *Service) Update(ctx context.Context, workspace, id int64, patch Patch) (*Set, error) {
	var updated *Set
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		if err := s.hold(ctx, workspace, id); err != nil {
			return err
		}
		if err := access.RequireFor(ctx, entity.KindVariableSet, access.Edit); err != nil {
			return err
		}
		if patch.Name != nil {
			if _, err := s.catalog.RenameEntity(ctx, workspace, id, *patch.Name); err != nil {
				return err
			}
		}
		if patch.Variables != nil {
			version := entity.NewVersion{Body: patch.Variables, Creator: patch.Author}
			if _, err := s.catalog.AddVersion(ctx, workspace, id, version); err != nil {
				return err
			}
		}
		var err error
		updated, err = s.Get(ctx, workspace, id)
		return err
	})
	return updated, err
}

// hold makes sure that a set stays until the transaction ends; the fault is
// NotFound when there is none.
func (s *Service) hold(ctx context.Context, workspace, id int64) error {
	if err := s.catalog.LockEntity(ctx, workspace, id); err != nil {
		return notFound(err, id)
	}
	_, err := s.Get(ctx, workspace, id) // it may be of another kind
	return err
}

// Delete erases a set; the fault is NotFound when there is none.
func (s *Service) Delete(ctx context.Context, workspace, id int64) error {
	return s.catalog.InTx(ctx, func(ctx context.Context) error {
		if err := s.hold(ctx, workspace, id); err != nil {
			return err
		}
		if err := access.RequireFor(ctx, entity.KindVariableSet, access.Delete); err != nil {
			return err
		}
		_, err := s.catalog.RemoveEntities(ctx, workspace, []int64{id})
		return err
	})
}
