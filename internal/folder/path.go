package folder

import (
	"context"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// separators are the separators of names in a path; the first one that
// resolves wins.
var separators = []string{".", "/"}

// Resolve returns the folder at a path from the root. Names may contain the
// separator; if the path is ambiguous, the folder with the longer name at the
// first difference wins. The fault is NotFound if there is none.
func (s *Service) Resolve(ctx context.Context, workspace int64, path string) (int64, error) {
	for _, separator := range separators {
		if !strings.Contains(path, separator) && separator != separators[0] {
			continue
		}
		for _, tried := range []string{path, strings.Trim(path, separator)} {
			found, err := s.store.ResolvePath(ctx, workspace, tried, separator)
			if err != nil || len(found) == 1 {
				return first(found), err
			}
			if len(found) > 1 {
				return s.greediest(ctx, workspace, found)
			}
		}
	}
	return 0, fault.NotFoundf("Folder not found")
}

func first(ids []int64) int64 {
	if len(ids) == 0 {
		return 0
	}
	return ids[0]
}

// greediest returns the folder whose path has the longer name at the first
// difference.
func (s *Service) greediest(ctx context.Context, workspace int64, ids []int64) (int64, error) {
	paths, err := s.store.FolderPaths(ctx, workspace, ids)
	if err != nil {
		return 0, err
	}
	best := ids[0]
	for _, id := range ids[1:] {
		if longer(paths[id], paths[best]) {
			best = id
		}
	}
	return best, nil
}

// longer compares two paths whose joined names are equal.
func longer(a, b []entity.FolderStep) bool {
	for i := range min(len(a), len(b)) {
		if len(a[i].Name) != len(b[i].Name) {
			return len(a[i].Name) > len(b[i].Name)
		}
	}
	return false
}
