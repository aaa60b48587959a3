package skill

import (
	"context"
	"regexp"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var uuid = regexp.MustCompile(`^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`)

// Identify returns the live collection with the UUID, or else the name, or else
// the root path, with or without a slash before it. The fault is NotFound when
// there is none.
func (s *Service) Identify(ctx context.Context, workspace int64, identifier string) (entity.Entity, error) {
	if uuid.MatchString(identifier) {
		found, err := s.catalog.EntitiesByVariant(ctx, workspace, entity.KindSkill, []string{strings.ToLower(identifier)})
		if err != nil || len(found) > 0 {
			return append(found, entity.Entity{})[0], err
		}
	}
	found, err := s.catalog.FindEntityByName(ctx, workspace, entity.KindSkill, identifier)
	rooted, isRooted := strings.CutPrefix(identifier, "/")
	if fault.Is(err, fault.NotFound) && isRooted {
		found, err = s.catalog.FindEntityByName(ctx, workspace, entity.KindSkill, rooted)
	}
	return found, collectionNotFound(err)
}

// collectionNotFound says what is missing to people who know nothing of
// entities.
func collectionNotFound(err error) error {
	if fault.Is(err, fault.NotFound) {
		return fault.NotFoundf("Skill collection not found")
	}
	return err
}

// Selector chooses one version of a collection: the one with the number, or the
// one that the label points at, or the latest when both are zero.
type Selector struct {
	Number int64
	Label  string
}

// Get returns a collection and the version that is chosen. The fault is
// NotFound when there is no such collection, version or label; a collection
// without a version has no latest one, and that is none.
func (s *Service) Get(ctx context.Context, workspace int64, identifier string, selector Selector) (*Record, error) {
	owner, err := s.Identify(ctx, workspace, identifier)
	if err != nil {
		return nil, err
	}
	record := &Record{Collection: Collection{Entity: owner}}
	if err := s.complete(ctx, workspace, []*Collection{&record.Collection}); err != nil {
		return nil, err
	}
	if record.Version, err = s.selected(ctx, workspace, owner, selector); err != nil || record.Version == nil {
		return record, err
	}
	labels, err := s.catalog.ListLabels(ctx, workspace, owner.ID)
	for _, label := range labels {
		if label.VersionNumber == record.Version.Number {
			record.Version.Label = label.Name
		}
	}
	return record, err
}

// selected returns the version that is chosen, nil when the latest is wanted
// and there is none.
func (s *Service) selected(ctx context.Context, workspace int64, owner entity.Entity, selector Selector) (*Version, error) {
	found, err := s.catalog.FindVersion(ctx, workspace, entity.KindSkill,
		entity.Selector{ID: owner.ID, Number: selector.Number, Label: selector.Label})
	switch {
	case fault.Is(err, fault.NotFound) && selector.Label != "":
		return nil, fault.NotFoundf("Release label not found")
	case fault.Is(err, fault.NotFound) && selector.Number != 0:
		return nil, fault.NotFoundf("Version not found")
	case fault.Is(err, fault.NotFound):
		return nil, nil //nolint:nilnil // the comment says what it means
	case err != nil:
		return nil, err
	}
	return decodeVersion(&found.Version)
}

// complete adds what collections have beside their entities.
func (s *Service) complete(ctx context.Context, workspace int64, collections []*Collection) error {
	ids := make([]int64, len(collections))
	for i, one := range collections {
		ids[i] = one.Entity.ID
	}
	traits, err := s.store.SkillTraits(ctx, workspace, ids)
	if err != nil {
		return err
	}
	attached, err := s.catalog.ExternalIDsByEntity(ctx, workspace, ids)
	if err != nil {
		return err
	}
	for _, one := range collections {
		one.Traits, one.ExternalIDs = traits[one.Entity.ID], attached[one.Entity.ID]
	}
	return nil
}

// List returns the live collections that the query selects.
func (s *Service) List(ctx context.Context, query entity.Query) ([]*Collection, error) {
	query.Kinds = []entity.Kind{entity.KindSkill}
	found, _, err := s.catalog.ListEntities(ctx, query)
	if err != nil {
		return nil, err
	}
	collections := make([]*Collection, len(found))
	for i, one := range found {
		collections[i] = &Collection{Entity: one}
	}
	return collections, s.complete(ctx, query.WorkspaceID, collections)
}
