package skill

import (
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// Identify returns the live collection with the UUID, or else the name, or else
// the root path, with or without a leading slash. The fault is NotFound if there
// is none.
func (s *Service) Identify(ctx context.Context, workspace int64, identifier string) (entity.Entity, error) {
	if uuid.MatchString(identifier) {
		found, err := s.catalog.EntitiesByUUID(ctx, workspace, entity.KindSkill, []string{strings.ToLower(identifier)})
		if err != nil || len(found) > 0 {
			return append(found, entity.Entity{})[0], err
		}
	}
	found, err := s.registry.ByName(ctx, workspace, identifier)
	rooted, isRooted := strings.CutPrefix(identifier, "/")
	if fault.Is(err, fault.NotFound) && isRooted {
		return s.registry.ByName(ctx, workspace, rooted)
	}
	return found, err
}

// Get returns a collection with the selected version. The fault is NotFound if
// the collection, version or label does not exist; the latest version of a
// collection without versions is nil.
func (s *Service) Get(ctx context.Context, workspace int64, identifier string, selector registry.Selector) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	found, err := s.registry.GetByID(ctx, workspace, owner.ID, selector)
	if err != nil {
		return nil, err
	}
	return s.record(ctx, found)
}

// record converts a record of the registry and adds the traits.
func (s *Service) record(ctx context.Context, from *registry.Record[Version]) (*Record, error) {
	record := &Record{Collection: Collection{Entity: from.Entity, ExternalIDs: from.ExternalIDs}}
	var err error
	if record.Traits, err = s.traits(ctx, from.Entity); err != nil || from.Version.Number == 0 {
		return record, err
	}
	version, newest := from.Content, int64(0)
	version.describe(&from.Version)
	for _, label := range from.Labels {
		if label.VersionID == from.Version.ID && label.ID > newest {
			newest, version.Label = label.ID, label.Name
		}
	}
	record.Version = &version
	return record, nil
}

// List returns the live collections that the query selects. The ID that they
// are sorted by is their UUID.
func (s *Service) List(ctx context.Context, query entity.Query) ([]*Collection, error) {
	found, _, err := s.registry.List(ctx, query)
	if err != nil {
		return nil, err
	}
	traits, err := s.store.SkillTraits(ctx, query.WorkspaceID, registry.IDs(found))
	collections := make([]*Collection, len(found))
	for i, one := range found {
		collections[i] = &Collection{Entity: one.Entity, Traits: traits[one.Entity.ID], ExternalIDs: one.ExternalIDs}
	}
	if query.Sort == entity.ByID {
		sortByUUID(collections, query.Ascending)
	}
	return collections, err
}

// sortByUUID sorts collections by the ID that clients see.
func sortByUUID(collections []*Collection, ascending bool) {
	slices.SortFunc(collections, func(a, b *Collection) int {
		order := strings.Compare(a.Entity.UUID, b.Entity.UUID)
		if !ascending {
			order = -order
		}
		return order
	})
}

// Outline is a version in a list.
type Outline struct {
	// ID is the UUID of the version.
	ID string
	// Files is the number of files.
	Files int
	// AuthorID is the account that saved it, nil for a key.
	AuthorID *int64
}

// ListVersions returns a page of the versions of a collection, newest first,
// and their total number. The fault is NotFound if the collection does not exist.
func (s *Service) ListVersions(
	ctx context.Context, workspace int64, identifier string, page entity.Page,
) ([]registry.ListedVersion[Outline], int64, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, 0, err
	}
	return registry.ListVersions(ctx, s.catalog, owner, page, outline)
}

func outline(stored *entity.Version) (Outline, error) {
	version, err := decodeVersion(stored)
	return Outline{ID: version.ID, Files: len(version.Files), AuthorID: version.Author.UserID}, err
}
