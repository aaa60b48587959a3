package entities

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func foundFields(f *entity.FoundVersion) engine.Fields {
	return slices.Concat(Fields(&f.Entity), VersionFields(&f.Version))
}

var (
	// foundVersions are chosen without a label, and foundByLabel with one.
	foundVersions = engine.NewView("entity", foundFields)
	foundByLabel  = engine.NewView("entity", func(f *entity.FoundVersion) engine.Fields {
		return append(foundFields(f), "label.id", &f.LabelID)
	})
)

// wantedVersion is a version that was found for one of several references.
type wantedVersion struct {
	entity.FoundVersion
	place int
}

var wantedVersions = engine.NewView(`wanted
JOIN entity ON entity.name = wanted.name
AND entity.workspace_id = $1
AND entity.kind = $2
AND entity.deleted_at IS NULL
LEFT JOIN label ON label.entity_id = entity.id
AND label.name = wanted.label
JOIN version ON version.id = CASE WHEN wanted.label IS NULL THEN (
SELECT chosen.id
FROM version AS chosen
WHERE chosen.entity_id = entity.id
AND chosen.number = COALESCE(wanted.number, entity.last_version)) ELSE label.version_id END`, func(w *wantedVersion) engine.Fields {
	return append(foundFields(&w.FoundVersion), "COALESCE(label.id, 0)", &w.LabelID, "wanted.place", &w.place)
})

// FindVersion finds a version with one query.
func (s *Store) FindVersion(ctx context.Context, workspaceID int64, kind entity.Kind, selector entity.Selector) (entity.FoundVersion, error) {
	var where engine.Where
	selectEntity(&where, workspaceID, kind, selector)
	from, join := foundVersions, joinVersion(&where, selector)
	if selector.Label != "" {
		from = foundByLabel
	}
	found, err := from.One(ctx, s.db, join+`
WHERE `+where.SQL()+`
ORDER BY entity.id
LIMIT 1`, where.Args...)
	if errors.Is(err, sql.ErrNoRows) {
		err = s.whyNotFound(ctx, workspaceID, kind, selector)
	}
	if err != nil {
		return entity.FoundVersion{}, fmt.Errorf("find version: %w", err)
	}
	found.Reference = entity.Reference{Name: found.Entity.Name, Number: selector.Number, Label: selector.Label}
	return found, nil
}

// selectEntity adds the conditions that select the entity.
func selectEntity(w *engine.Where, workspaceID int64, kind entity.Kind, s entity.Selector) {
	live := "entity.workspace_id = ? AND entity.kind = ? AND entity.deleted_at IS NULL"
	switch {
	case s.ID != 0 && s.Name != "":
		w.Add(`entity.id = COALESCE(
(SELECT id FROM entity WHERE `+live+` AND entity.id = ?),
(SELECT MIN(id) FROM entity WHERE `+live+` AND entity.name = ?))`, workspaceID, kind, s.ID, workspaceID, kind, s.Name)
	case s.ID != 0:
		w.Add(live+" AND entity.id = ?", workspaceID, kind, s.ID)
	default:
		w.Add(live+" AND entity.name = ?", workspaceID, kind, s.Name)
	}
}

// joinVersion returns the join with the selected version and adds its argument.
func joinVersion(w *engine.Where, s entity.Selector) string {
	switch {
	case s.Label != "":
		return "JOIN label ON label.entity_id = entity.id AND label.name = " + w.Arg(s.Label) +
			"\nJOIN version ON version.id = label.version_id"
	case s.Number != 0:
		return "JOIN version ON version.entity_id = entity.id AND version.number = " + w.Arg(s.Number)
	}
	return "JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version"
}

// whyNotFound returns the fault of a selector that found nothing.
func (s *Store) whyNotFound(ctx context.Context, workspaceID int64, kind entity.Kind, selector entity.Selector) error {
	var where engine.Where
	selectEntity(&where, workspaceID, kind, selector)
	_, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT id
FROM entity
WHERE `+where.SQL(), where.Args...)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return entity.NotFound(kind)
	case err != nil:
		return err
	case selector.Label != "":
		return fault.NotFoundf("Release label not found")
	}
	return fault.NotFoundf("Version not found")
}

// referenceChunk is the maximum number of references in one statement: each has four
// placeholders.
const referenceChunk = engine.Chunk / 4

// VersionsByName finds versions by the names of their entities.
func (s *Store) VersionsByName(
	ctx context.Context, workspaceID int64, kind entity.Kind, references []entity.Reference,
) ([]entity.FoundVersion, error) {
	all := []entity.FoundVersion{}
	for part := range slices.Chunk(engine.DistinctInOrder(references), referenceChunk) {
		found, err := s.versionsByName(ctx, workspaceID, kind, part)
		if err == nil {
			found, err = s.addRenamed(ctx, workspaceID, kind, part, found)
		}
		if err != nil {
			return nil, fmt.Errorf("find versions: %w", err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// versionsByName looks up some references. It looks up the label first and the id of
// the version second, so that each step is one index lookup.
func (s *Store) versionsByName(
	ctx context.Context, workspaceID int64, kind entity.Kind, references []entity.Reference,
) ([]entity.FoundVersion, error) {
	wanted := engine.Where{Args: []any{workspaceID, kind}}
	for i, reference := range references {
		number, label := pinOf(reference)
		wanted.Parts = append(wanted.Parts, fmt.Sprintf(
			"(CAST(%s AS BIGINT), CAST(%s AS TEXT), CAST(%s AS BIGINT), CAST(%s AS TEXT))",
			wanted.Arg(i), wanted.Arg(reference.Name), wanted.Arg(number), wanted.Arg(label)))
	}
	rows, err := engine.QueryAll(ctx, s.db, wantedVersions.Reader(), `
WITH wanted (place, name, number, label) AS (VALUES `+strings.Join(wanted.Parts, ", ")+`)
`+wantedVersions.Query()+`ORDER BY wanted.place, entity.id`, wanted.Args...)
	found := make([]entity.FoundVersion, len(rows))
	for i := range rows {
		found[i] = rows[i].FoundVersion
		found[i].Reference = references[rows[i].place]
	}
	return found, err
}
