package kit

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// EntityRoutes has the paths and the description of one kind of entity, from
// which the operations on external ids and release labels are made.
type EntityRoutes struct {
	Kind entity.Kind
	// Find returns the id of an identifier in the path. It is nil if paths have
	// the id itself.
	Find func(ctx context.Context, workspace int64, identifier string) (id int64, err error)
	// Base is the path of one entity. If it also accepts names, Collection
	// restricts the id in paths of external ids to digits, so that a name is not
	// mistaken for an id.
	Base, Collection string
	// ID is part of the operations' ids; Noun is what descriptions call the
	// entity.
	ID, Noun, Tag string
}

// EntityPath is an input whose path names an entity, by its id or by an
// identifier that EntityRoutes.Find resolves.
type EntityPath interface {
	EntityKey() (id int64, identifier string)
}

// owner returns the entity that a path names.
func (r *EntityRoutes) owner(ctx context.Context, path EntityPath) (entity.Owner, error) {
	id, identifier := path.EntityKey()
	owner := entity.Owner{Workspace: Workspace(ctx), Kind: r.Kind, ID: id}
	if r.Find == nil {
		return owner, nil
	}
	var err error
	owner.ID, err = r.Find(ctx, owner.Workspace, identifier)
	return owner, err
}
