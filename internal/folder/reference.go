package folder

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// Reference identifies an entity.
type Reference struct {
	ID int64
	// UUID identifies a skill collection, whose id clients do not know; it is
	// the variant of its entity. ID is ignored then.
	UUID string
	// Type is "" if only the id is given.
	Type entity.Type
}

// checkTypes rejects unknown types.
func checkTypes(references []Reference) error {
	for _, ref := range references {
		if _, known := entity.TraitsOfType(ref.Type); ref.Type != "" && !known {
			return fault.BadRequestf("Unknown type: %.64q", ref.Type)
		}
	}
	return nil
}

// resolve returns the referenced entities without duplicates, in the order of
// the references. The fault is BadRequest for an unknown type, and NotFound
// for an entity that does not exist or has another type.
func (s *Service) resolve(ctx context.Context, workspace int64, references []Reference) ([]entity.Entity, error) {
	if err := checkTypes(references); err != nil {
		return nil, err
	}
	known, err := s.lookUp(ctx, workspace, references)
	if err != nil {
		return nil, err
	}
	var all []entity.Entity
	seen := map[int64]bool{}
	for _, ref := range references {
		found, ok := known.find(ref)
		if !ok || !ref.fits(found) {
			return nil, notFound(ref)
		}
		if !seen[found.ID] {
			seen[found.ID] = true
			all = append(all, found)
		}
	}
	return all, nil
}

// fits reports whether an entity has the type of the reference. A snippet is also
// a prompt.
func (r *Reference) fits(found entity.Entity) bool {
	traits, typed := entity.TraitsOfType(r.Type)
	return !typed || traits.Kind == found.Kind && (traits.Variant == "" || traits.Variant == found.Variant)
}

func notFound(ref Reference) error {
	what := "Item"
	if ref.Type != "" {
		what = string(ref.Type)
	}
	if ref.UUID != "" {
		return fault.NotFoundf("%s %s not found", what, ref.UUID)
	}
	return fault.NotFoundf("%s %d not found", what, ref.ID)
}

// named has the entities that references may stand for.
type named struct {
	byID    map[int64]entity.Entity
	byUUID  map[string]entity.Entity
	dataset map[int64]entity.Entity // looked up by the id of a version
}

func (n *named) find(ref Reference) (entity.Entity, bool) {
	if ref.UUID != "" {
		found, ok := n.byUUID[ref.UUID]
		return found, ok
	}
	if found, ok := n.byID[ref.ID]; ok {
		return found, true
	}
	found, ok := n.dataset[ref.ID]
	return found, ok
}

// lookUp reads the entities that references may stand for, with at most three
// calls.
func (s *Service) lookUp(ctx context.Context, workspace int64, references []Reference) (*named, error) {
	n := &named{byID: map[int64]entity.Entity{}, byUUID: map[string]entity.Entity{}, dataset: map[int64]entity.Entity{}}
	var ids []int64
	var uuids []string
	for _, ref := range references {
		if ref.UUID != "" {
			uuids = append(uuids, ref.UUID)
		} else {
			ids = append(ids, ref.ID)
		}
	}
	found, err := s.store.EntitiesByID(ctx, workspace, ids)
	if err != nil {
		return nil, err
	}
	for _, one := range found {
		n.byID[one.ID] = one
	}
	if len(uuids) > 0 {
		if found, err = s.store.EntitiesByUUID(ctx, workspace, entity.KindSkill, uuids); err != nil {
			return nil, err
		}
		for _, one := range found {
			n.byUUID[one.UUID] = one
		}
	}
	return n, s.addDatasets(ctx, workspace, n, ids)
}

// addDatasets looks up ids that are not entities among the versions of
// datasets, because clients also use the id of a version for a dataset.
func (s *Service) addDatasets(ctx context.Context, workspace int64, n *named, ids []int64) error {
	var others []int64
	for _, id := range ids {
		if _, ok := n.byID[id]; !ok {
			others = append(others, id)
		}
	}
	if len(others) == 0 {
		return nil
	}
	owners, err := s.store.OwnersOfVersions(ctx, workspace, others)
	for id, owner := range owners {
		if owner.Kind == entity.KindDataset {
			n.dataset[id] = owner
		}
	}
	return err
}
