package folder

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

const (
	// maxListed limits the number of entities in a list, which has no pages.
	maxListed = 100_000
	// maxPathBytes limits the size of all paths in a list, which repeat the
	// folders for each entity.
	maxPathBytes = 64 << 20
)

// tooMany returns the fault for a list that is too long.
func tooMany() error {
	return fault.BadRequestf("Too many results: filter by folder, type or name")
}

// surroundings are the paths and the external ids of entities.
type surroundings struct {
	paths       map[int64][]entity.FolderStep
	externalIDs map[int64][]entity.ExternalID
}

// surroundings reads the surroundings of any number of entities with two
// calls; the query selects at least these entities.
func (s *Service) surroundings(ctx context.Context, query entity.Query, entities []entity.Entity) (*surroundings, error) {
	var folders []int64
	for _, one := range entities {
		if one.FolderID != nil {
			folders = append(folders, *one.FolderID)
		}
	}
	var around surroundings
	var err error
	if around.paths, err = s.store.FolderPaths(ctx, query.WorkspaceID, folders); err != nil {
		return nil, err
	}
	if around.externalIDs, err = s.store.ExternalIDsOf(ctx, query); err != nil {
		return nil, err
	}
	return &around, around.check(folders)
}

// check rejects paths that are too long in total.
func (a *surroundings) check(folders []int64) error {
	sizes := make(map[int64]int, len(a.paths))
	for id, path := range a.paths {
		for _, step := range path {
			sizes[id] += len(step.Name)
		}
	}
	total := 0
	for _, id := range folders {
		if total += sizes[id]; total > maxPathBytes {
			return tooMany()
		}
	}
	return nil
}

// path returns the path from the root to the parent folder of an entity.
func (a *surroundings) path(e entity.Entity) []entity.FolderStep {
	if e.FolderID == nil {
		return nil
	}
	return a.paths[*e.FolderID]
}
