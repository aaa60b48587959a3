// Package folder organizes entities of all kinds in folders: it lists, finds,
// moves and deletes them. Everything specific to a kind is in one table, so a
// new kind needs only a row there.
package folder

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Catalog is the part of the entity store that the service needs; its methods
// are documented there.
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

// Service organizes entities. It is safe for concurrent use.
type Service struct{ catalog Catalog }

// NewService returns a service over the catalog.
func NewService(catalog Catalog) *Service { return &Service{catalog} }

// MaxDepth is the maximum depth of nested folders. It limits the paths that
// lists repeat for each entity.
const MaxDepth = 128

// Folder is a folder with its path and external ids.
type Folder struct {
	Entity entity.Entity
	// Path is the path from the root to the parent folder, nil at the root.
	Path        []entity.FolderStep
	ExternalIDs []entity.ExternalID
}

// New is a folder to create.
type New struct {
	Name string
	// ParentID is nil for the root.
	ParentID    *int64
	ExternalIDs []entity.ExternalRef
	Author      *string
}

// Create creates a folder. The fault is BadRequest if the parent already has
// a folder with the name or is too deep, NotFound if the parent does not
// exist, and Conflict if an external id belongs to another entity.
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

// nameTaken converts the Conflict fault of a name into BadRequest.
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

// Rename renames a folder. The fault is NotFound if the folder does not
// exist, and BadRequest if a sibling folder has the name.
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

// get returns a live folder, or a NotFound fault.
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

// describeAll adds paths and external ids to the folders found by a query.
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

// List returns all matching folders at any depth.
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
