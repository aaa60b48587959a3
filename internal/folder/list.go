package folder

import (
	"cmp"
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/entity"
)

// Item is one entity of a list.
type Item struct {
	Entity entity.Entity
	Type   entity.Type
	// Path is the path from the root to the parent folder.
	Path        []entity.FolderStep
	ExternalIDs []entity.ExternalID
	// TemplateType is chat or completion, for prompts if Details was set.
	TemplateType string
}

// ListQuery selects entities of a folder.
type ListQuery struct {
	// Filters are the filters that lists of all kinds share, including the
	// workspace.
	Filters entity.Query
	// FolderID is nil for the root.
	FolderID *int64
	// Types are the types to list; empty for all that are not hidden, or for all
	// if an external id is given.
	Types []entity.Type
	// Search is part of the name, or of the text of a prompt, ignoring case.
	Search string
	Tags   []string
	// Flatten lists everything below the folder.
	Flatten bool
	// Details requests the template types of prompts.
	Details bool
	// Sorted means that the order of Filters applies. Otherwise entities are
	// sorted by type and id, matches in the name first.
	Sorted bool
	// Top limits the number of entities, matches in the name first; 0 means
	// no limit.
	Top int
}

// Entities returns the contents of a folder. The fault is NotFound if the
// folder does not exist, and BadRequest if there are too many entities to
// list. The number of store calls does not depend on the number of
// entities.
func (s *Service) Entities(ctx context.Context, in ListQuery) ([]Item, error) {
	if in.FolderID != nil {
		if _, err := s.get(ctx, in.Filters.WorkspaceID, *in.FolderID); err != nil {
			return nil, err
		}
	}
	l := list{query: in.query(), in: &in, isWanted: wanted(in.types())}
	if len(l.query.Kinds) == 0 {
		return []Item{}, nil
	}
	if err := s.gather(ctx, &l); err != nil {
		return nil, err
	}
	l.order()
	around, err := s.surroundings(ctx, l.query, l.found)
	if err != nil {
		return nil, err
	}
	items := make([]Item, len(l.found))
	for i, one := range l.found {
		items[i] = Item{
			Entity: one, Type: one.Type(), Path: around.path(one),
			ExternalIDs: around.externalIDs[one.ID], TemplateType: l.templateTypes[one.ID],
		}
	}
	return items, nil
}

// types returns the types that can match.
func (in *ListQuery) types() []entity.Type {
	var types []entity.Type
	for _, known := range entity.Kinds() {
		asked := slices.Contains(in.Types, known.Type) || len(in.Types) == 0 && (!known.Hidden || in.Filters.ExternalID != nil)
		if asked && (known.Tagged || len(in.Tags) == 0) {
			types = append(types, known.Type)
		}
	}
	return types
}

// kindsOf returns the kinds of types without duplicates.
func kindsOf(types []entity.Type) []entity.Kind {
	var kinds []entity.Kind
	for _, t := range types {
		if traits, _ := entity.TraitsOfType(t); !slices.Contains(kinds, traits.Kind) {
			kinds = append(kinds, traits.Kind)
		}
	}
	return kinds
}

// query returns the query of the store, without the search.
func (in *ListQuery) query() entity.Query {
	q := in.Filters
	q.Kinds, q.Tags, q.Page = kindsOf(in.types()), in.Tags, entity.Page{Limit: maxListed}
	switch {
	case in.FolderID != nil:
		q.Folder = &entity.FolderScope{ID: *in.FolderID, Deep: in.Flatten}
	case q.ExternalID == nil: // an external id is searched in all folders
		q.Folder = &entity.FolderScope{Deep: in.Flatten}
	}
	return q
}

// wanted returns a filter for types that share a kind.
func wanted(types []entity.Type) func(entity.Entity) bool {
	return func(e entity.Entity) bool { return slices.Contains(types, e.Type()) }
}

// list is a list under construction.
type list struct {
	in       *ListQuery
	query    entity.Query
	isWanted func(entity.Entity) bool
	found    []entity.Entity
	// named has the entities with the searched text in their name.
	named         map[int64]bool
	templateTypes map[int64]string
}

// gather reads the matching entities.
func (s *Service) gather(ctx context.Context, l *list) error {
	query := l.query
	query.NameContains = l.in.Search
	found, total, err := s.store.ListEntities(ctx, query)
	if err != nil {
		return err
	}
	if total > int64(len(found)) {
		return tooMany()
	}
	l.named = make(map[int64]bool, len(found))
	for _, one := range found {
		if l.isWanted(one) {
			l.found = append(l.found, one)
			l.named[one.ID] = true
		}
	}
	reads := l.in.Details || l.in.Search != ""
	if !reads || !slices.Contains(l.query.Kinds, entity.KindPrompt) {
		return nil
	}
	return s.read(ctx, l)
}

// read reads prompts to search their texts and to find their types.
func (s *Service) read(ctx context.Context, l *list) error {
	query := l.query
	query.Kinds = []entity.Kind{entity.KindPrompt}
	l.templateTypes = map[int64]string{}
	text := newNeedle(l.in.Search)
	return s.store.VisitLatestVersions(ctx, query, func(found entity.FoundVersion) error {
		if !l.isWanted(found.Entity) {
			return nil
		}
		body := templateOf(found.Version.Body)
		if l.in.Details {
			l.templateTypes[found.Entity.ID] = body.Get("type").Str()
		}
		if !l.named[found.Entity.ID] && text.isIn(body) {
			if l.found = append(l.found, found.Entity); len(l.found) > maxListed {
				return tooMany()
			}
		}
		return nil
	})
}

// order sorts and truncates the list.
func (l *list) order() {
	slices.SortFunc(l.found, func(a, b entity.Entity) int {
		return cmp.Or(
			compareBools(!l.named[a.ID], !l.named[b.ID]),
			cmp.Compare(a.Rank(), b.Rank()), cmp.Compare(a.ID, b.ID))
	})
	if l.in.Top > 0 {
		l.found = l.found[:min(l.in.Top, len(l.found))]
	}
	if l.in.Sorted {
		slices.SortFunc(l.found, l.compare)
	}
}

// compare compares entities in the order of the query, like the store.
func (l *list) compare(a, b entity.Entity) int {
	order := 0
	switch l.query.Sort {
	case entity.ByCreated:
		order = a.CreatedAt.Compare(b.CreatedAt)
	case entity.ByUpdated:
		order = a.UpdatedAt.Compare(b.UpdatedAt)
	case entity.ByName:
		order = cmp.Compare(a.Name, b.Name)
	}
	order = cmp.Or(order, cmp.Compare(a.ID, b.ID))
	if l.query.Ascending {
		return order
	}
	return -order
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
