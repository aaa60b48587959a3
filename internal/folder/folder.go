// Package folder arranges entities of every kind in folders: it lists, finds,
// moves and deletes them. What it knows of a kind stands in one table, so that
// a new kind is arranged like the others as soon as it has entities.
package folder

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Catalog is what the service needs of the entity core; the promises of its
// methods are those of catalog.Catalog.
type Catalog interface {
	InTx(ctx context.Context, fn func(ctx context.Context) error) error
	LockTree(ctx context.Context, workspace int64) error

	CreateEntity(ctx context.Context, input entity.New) (entity.Entity, error)
	RenameEntity(ctx context.Context, workspace, id int64, name string) (entity.Entity, error)
	GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error)
	ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error)
	VisitLatestVersions(ctx context.Context, query entity.Query, visit func(entity.FoundVersion) error) error
	EntitiesByID(ctx context.Context, workspace int64, ids []int64) ([]entity.Entity, error)
	EntitiesByVariant(ctx context.Context, workspace int64, kind entity.Kind, variants []string) ([]entity.Entity, error)
	OwnersOfVersions(ctx context.Context, workspace int64, versions []int64) (map[int64]entity.Entity, error)

	EntitiesBelow(ctx context.Context, workspace int64, folders []int64) ([]entity.Entity, error)
	FolderPaths(ctx context.Context, workspace int64, folders []int64) (map[int64][]entity.FolderStep, error)
	FolderHeight(ctx context.Context, workspace int64, ids []int64) (int64, error)
	ResolvePath(ctx context.Context, workspace int64, path, separator string) ([]int64, error)

	MoveEntities(ctx context.Context, workspace int64, ids []int64, folder *int64) (int64, error)
	SoftDelete(ctx context.Context, workspace int64, ids []int64) (int64, error)
	RemoveEntities(ctx context.Context, workspace int64, ids []int64) (int64, error)

	AttachExternalID(ctx context.Context, workspace, entity int64, ref entity.ExternalRef) error
	ExternalIDsOf(ctx context.Context, query entity.Query) (map[int64][]entity.ExternalID, error)
}

// Service arranges entities. It is safe for concurrent use.
type Service struct{ catalog Catalog }

// NewService returns a service over the catalog.
func NewService(catalog Catalog) *Service { return &Service{catalog} }

// MaxDepth is how many folders may lie in each other. It bounds the paths that
// lists repeat for each of their entities.
const MaxDepth = 128

// Folder is a folder with what is shown of it.
type Folder struct {
	Entity entity.Entity
	// Path is the way from the root to the folder it lies in, nil at the root.
	Path        []entity.FolderStep
	ExternalIDs []entity.ExternalID
}

// New is a folder to be created.
type New struct {
	Name string
	// ParentID is nil for the root.
	ParentID    *int64
	ExternalIDs []entity.ExternalRef
	Author      *string
}

// Create makes a folder. On any fault there is none: BadRequest when the parent
// has a folder of the name or lies too deep, NotFound when there is no such
// parent, Conflict when an external id is another entity's.
func (s *Service) Create(ctx context.Context, workspace int64, in New) (*Folder, error) {
	var made *Folder
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		if err := s.checkTarget(ctx, workspace, in.ParentID); err != nil {
			return err
		}
		if err := access.RequireFor(ctx, entity.KindFolder, access.Edit); err != nil {
			return err
		}
		created, err := s.catalog.CreateEntity(ctx, entity.New{
			WorkspaceID: workspace, Kind: entity.KindFolder, Name: in.Name, FolderID: in.ParentID, Creator: in.Author,
		})
		if err != nil {
			return nameTaken(err, in.Name)
		}
		for _, ref := range in.ExternalIDs {
			if err := s.catalog.AttachExternalID(ctx, workspace, created.ID, ref); err != nil {
				return err
			}
		}
		if made, err = s.describe(ctx, created); err != nil {
			return err
		}
		return checkDepth(len(made.Path) + 1)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// nameTaken turns the conflict of a name into a fault of the request.
func nameTaken(err error, name string) error {
	if fault.Is(err, fault.Conflict) {
		return fault.Wrap(fault.BadRequest, err, "A folder named %q is already there", name)
	}
	return err
}

func checkDepth(depth int) error {
	if depth > MaxDepth {
		return fault.BadRequestf("More than %d folders cannot lie in each other", MaxDepth)
	}
	return nil
}

// Rename gives a folder a name; its own name changes nothing. The fault is
// NotFound when there is no such folder and BadRequest when another one beside
// it has the name.
func (s *Service) Rename(ctx context.Context, workspace, id int64, name string) (*Folder, error) {
	var renamed *Folder
	err := s.catalog.InTx(ctx, func(ctx context.Context) error {
		found, err := s.get(ctx, workspace, id)
		if err != nil {
			return err
		}
		if err := access.RequireFor(ctx, entity.KindFolder, access.Edit); err != nil {
			return err
		}
		if found.Name != name {
			if found, err = s.catalog.RenameEntity(ctx, workspace, id, name); err != nil {
				return nameTaken(err, name)
			}
		}
		renamed, err = s.describe(ctx, found)
		return err
	})
	if err != nil {
		return nil, err
	}
	return renamed, nil
}

// get returns a live folder; the fault is NotFound when there is none.
func (s *Service) get(ctx context.Context, workspace, id int64) (entity.Entity, error) {
	found, err := s.catalog.GetEntity(ctx, workspace, id)
	if fault.Is(err, fault.NotFound) || err == nil && found.Kind != entity.KindFolder {
		return entity.Entity{}, fault.NotFoundf("Folder %d not found", id)
	}
	return found, err
}

func (s *Service) describe(ctx context.Context, one entity.Entity) (*Folder, error) {
	query := entity.Query{WorkspaceID: one.WorkspaceID, IDs: []int64{one.ID}}
	all, err := s.describeAll(ctx, query, []entity.Entity{one})
	if err != nil {
		return nil, err
	}
	return &all[0], nil
}

// describeAll returns the folders that a query has found with what is shown of
// them.
func (s *Service) describeAll(ctx context.Context, query entity.Query, folders []entity.Entity) ([]Folder, error) {
	around, err := s.surroundings(ctx, query, folders)
	if err != nil {
		return nil, err
	}
	all := make([]Folder, len(folders))
	for i, one := range folders {
		all[i] = Folder{Entity: one, Path: around.path(one), ExternalIDs: around.externalIDs[one.ID]}
	}
	return all, nil
}

// List returns all folders that match, wherever they lie.
func (s *Service) List(ctx context.Context, query entity.Query) ([]Folder, error) {
	query.Kinds = []entity.Kind{entity.KindFolder}
	query.Page = entity.Page{Limit: maxListed}
	found, total, err := s.catalog.ListEntities(ctx, query)
	if err != nil {
		return nil, err
	}
	if total > int64(len(found)) {
		return nil, tooMany()
	}
	return s.describeAll(ctx, query, found)
}
