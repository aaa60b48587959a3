package catalog

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

const foundColumns = entityColumns + `, ` + versionColumns

func scanFoundVersion(r row) (FoundVersion, error) {
	var f FoundVersion
	err := r.Scan(slices.Concat(intoEntity(&f.Entity), intoVersion(&f.Version), []any{&f.LabelID})...)
	return f, err
}

// FindVersion returns the version of the kind's entity that the selector
// chooses, in one query. The fault is NotFound and says what is missing: the
// entity, the label or the version. Where the kind allows entities of one
// name, it is the oldest that has the version.
func (c *Catalog) FindVersion(ctx context.Context, workspaceID int64, kind Kind, selector Selector) (FoundVersion, error) {
	var where conditions
	selectEntity(&where, workspaceID, kind, selector)
	label, join := "0", joinVersion(&where, selector)
	if selector.Label != "" {
		label = "label.id"
	}
	found, err := queryOne(ctx, c, scanFoundVersion, `
SELECT `+foundColumns+`, `+label+`
FROM entity
`+join+`
WHERE `+where.where()+`
ORDER BY entity.id
LIMIT 1`, where.args...)
	if errors.Is(err, sql.ErrNoRows) {
		err = c.whyNotFound(ctx, workspaceID, kind, selector)
	}
	if err != nil {
		return FoundVersion{}, fmt.Errorf("find version: %w", err)
	}
	found.Reference = Reference{Name: found.Entity.Name, Number: selector.Number, Label: selector.Label}
	return found, nil
}

// selectEntity adds the conditions on the selector's entity to w.
func selectEntity(w *conditions, workspaceID int64, kind Kind, s Selector) {
	live := "entity.workspace_id = ? AND entity.kind = ? AND entity.deleted_at IS NULL"
	switch {
	case s.ID != 0 && s.Name != "":
		w.add(`entity.id = COALESCE(
(SELECT id FROM entity WHERE `+live+` AND entity.id = ?),
(SELECT MIN(id) FROM entity WHERE `+live+` AND entity.name = ?))`, workspaceID, kind, s.ID, workspaceID, kind, s.Name)
	case s.ID != 0:
		w.add(live+" AND entity.id = ?", workspaceID, kind, s.ID)
	default:
		w.add(live+" AND entity.name = ?", workspaceID, kind, s.Name)
	}
}

// joinVersion returns the join with the selector's version, its argument
// added to w.
func joinVersion(w *conditions, s Selector) string {
	switch {
	case s.Label != "":
		return "JOIN label ON label.entity_id = entity.id AND label.name = " + w.arg(s.Label) +
			"\nJOIN version ON version.id = label.version_id"
	case s.Number != 0:
		return "JOIN version ON version.entity_id = entity.id AND version.number = " + w.arg(s.Number)
	}
	return "JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version"
}

// whyNotFound returns the fault of a selector that chose nothing.
func (c *Catalog) whyNotFound(ctx context.Context, workspaceID int64, kind Kind, selector Selector) error {
	var where conditions
	selectEntity(&where, workspaceID, kind, selector)
	_, err := queryOne(ctx, c, scanInt, `
SELECT id
FROM entity
WHERE `+where.where(), where.args...)
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

// referenceChunk is how many references one statement takes: each has three
// placeholders and one for its place.
const referenceChunk = chunk / 4

// VersionsByName returns the versions of the kind's live entities that the
// references name, in the order of the references, each once; those that name
// nothing are left out. It is one query for some hundred references.
func (c *Catalog) VersionsByName(
	ctx context.Context, workspaceID int64, kind Kind, references []Reference,
) ([]FoundVersion, error) {
	all := []FoundVersion{}
	for part := range slices.Chunk(distinctInOrder(references), referenceChunk) {
		found, err := c.versionsByName(ctx, workspaceID, kind, part)
		if err != nil {
			return nil, fmt.Errorf("find versions: %w", err)
		}
		all = append(all, found...)
	}
	return all, nil
}

// versionsByName looks up a few references. The label is looked up first,
// then the id of the version, so that each step is one search in an index.
func (c *Catalog) versionsByName(
	ctx context.Context, workspaceID int64, kind Kind, references []Reference,
) ([]FoundVersion, error) {
	wanted := conditions{args: []any{workspaceID, kind}}
	for i, reference := range references {
		number, label := pinOf(reference)
		wanted.parts = append(wanted.parts, fmt.Sprintf(
			"(CAST(%s AS BIGINT), CAST(%s AS TEXT), CAST(%s AS BIGINT), CAST(%s AS TEXT))",
			wanted.arg(i), wanted.arg(reference.Name), wanted.arg(number), wanted.arg(label)))
	}
	scan := func(r row) (FoundVersion, error) {
		var f FoundVersion
		var place int
		err := r.Scan(slices.Concat(intoEntity(&f.Entity), intoVersion(&f.Version), []any{&f.LabelID, &place})...)
		if err == nil {
			f.Reference = references[place]
		}
		return f, err
	}
	return queryAll(ctx, c, scan, `
WITH wanted (place, name, number, label) AS (VALUES `+strings.Join(wanted.parts, ", ")+`)
SELECT `+foundColumns+`, COALESCE(label.id, 0), wanted.place
FROM wanted
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
AND chosen.number = COALESCE(wanted.number, entity.last_version)) ELSE label.version_id END
ORDER BY wanted.place, entity.id`, wanted.args...)
}
