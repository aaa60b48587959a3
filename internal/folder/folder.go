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

// Service organizes entities. It is safe for concurrent use.
type Service struct{ store entity.Store }

// NewService returns a service that uses the store.
func NewService(store entity.Store) *Service { return &Service{store} }

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
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		if err := s.checkTarget(ctx, workspace, in.ParentID); err != nil {
			return err
		}
		if err := access.RequireFor(ctx, entity.KindFolder, access.Edit); err != nil {
			return err
		}
		created, err := s.store.CreateEntity(ctx, entity.New{
			WorkspaceID: workspace, Kind: entity.KindFolder, Name: in.Name, FolderID: in.ParentID, Creator: in.Author,
		})
		if err != nil {
			return nameTaken(err, in.Name)
		}
		for _, ref := range in.ExternalIDs {
			if err := s.store.AttachExternalID(ctx, workspace, created.ID, ref); err != nil {
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
		return fault.Wrap(fault.BadRequest, err, "A folder named %q already exists here", name)
	}
	return err
}

func checkDepth(depth int) error {
	if depth > MaxDepth {
		return fault.BadRequestf("Folders cannot be nested more than %d levels deep", MaxDepth)
	}
	return nil
}

// Rename renames a folder. The fault is NotFound if the folder does not
// exist, and BadRequest if a sibling folder has the name.
func (s *Service) Rename(ctx context.Context, workspace, id int64, name string) (*Folder, error) {
	var renamed *Folder
	err := s.store.InTx(ctx, func(ctx context.Context) error {
		found, err := s.get(ctx, workspace, id)
		if err != nil {
			return err
		}
		if err := access.RequireFor(ctx, entity.KindFolder, access.Edit); err != nil {
			return err
		}
		if found.Name != name {
			if found, err = s.store.RenameEntity(ctx, workspace, id, name); err != nil {
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

// RenameEntity renames a prompt, a workflow or a tool. Its former name leads to it
// until another one takes that name. The fault is NotFound if it does not exist,
// Forbidden if the caller may not edit it, Conflict if another one of its kind has
// the name, and BadRequest for other kinds.
func (s *Service) RenameEntity(ctx context.Context, workspace, id int64, name string) (renamed entity.Entity, err error) {
	err = s.store.InTx(ctx, func(ctx context.Context) error {
		if renamed, err = s.store.GetEntity(ctx, workspace, id); err != nil {
			return err
		}
		traits := renamed.Traits()
		if !traits.Redirected {
			return fault.BadRequestf("A %s cannot be renamed here", traits.Noun)
		}
		if err := access.RequireFor(ctx, renamed.Kind, access.Edit); err != nil {
			return err
		}
		if renamed.Name == name {
			return nil
		}
		renamed, err = s.store.RenameEntity(ctx, workspace, id, name)
		if fault.Is(err, fault.Conflict) {
			return fault.Wrap(fault.Conflict, err, "A %s with the name %q already exists", traits.Noun, name)
		}
		return err
	})
	return renamed, err
}

// get returns a live folder, or a NotFound fault.
func (s *Service) get(ctx context.Context, workspace, id int64) (entity.Entity, error) {
	found, err := s.store.GetEntity(ctx, workspace, id)
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
	found, total, err := s.store.ListEntities(ctx, query)
	if err != nil {
		return nil, err
	}
	if total > int64(len(found)) {
		return nil, tooMany()
	}
	return s.describeAll(ctx, query, found)
}
