package skill

import (
	"context"

	"github.com/promptuary/promptuary/internal/entity"
)

// Outline is what a list shows of a version.
type Outline struct {
	// ID is the UUID of the version.
	ID string
	// Files is how many files it has.
	Files int
	// AuthorID is the account of who saved it, nil where a key did.
	AuthorID *int64
}

// ListVersions returns a page of the versions of a collection, newest first, and
// how many there are in all: none for a collection without files. The fault is
// NotFound when there is no such collection.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]entity.ListedVersion[Outline], int64, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return entity.ListVersions(ctx, s.catalog, workspace, owner.ID, page, outline)
}

func outline(stored *entity.Version) (Outline, error) {
	version, err := decodeVersion(stored)
	if err != nil {
		return Outline{}, err
	}
	return Outline{ID: version.ID, Files: len(version.Files), AuthorID: version.Author.UserID}, nil
}
