package catalog

import (
	"context"
	"fmt"
	"maps"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

// labelsOfWorkspace begins every query of labels; $1 is the workspace.
const labelsOfWorkspace = `
SELECT label.id, label.entity_id, label.name, label.version_id, version.number, label.created_at
FROM label
JOIN version ON version.id = label.version_id
JOIN entity ON entity.id = label.entity_id
WHERE entity.workspace_id = $1
`

func scanLabel(r row) (Label, error) {
	var l Label
	err := r.Scan(&l.ID, &l.EntityID, &l.Name, &l.VersionID, &l.VersionNumber, at{&l.CreatedAt})
	return l, err
}

// SetLabel makes the label point at the version: it is created, or moved and
// then keeps its id. The fault is NotFound when there is no such live entity
// or version, and Invalid when the name is blank or too long.
func (c *Catalog) SetLabel(ctx context.Context, workspaceID, entityID int64, name string, number int64) (Label, error) {
	label, err := change(ctx, c, workspaceID, func(ctx context.Context) (Label, error) {
		version, found, err := c.forLabel(ctx, workspaceID, entityID, name, number)
		if err != nil {
			return Label{}, err
		}
		if found != nil {
			return c.pointLabel(ctx, workspaceID, *found, version)
		}
		return c.insertLabel(ctx, workspaceID, name, version)
	})
	if err != nil {
		return Label{}, fmt.Errorf("set label: %w", err)
	}
	return label, nil
}

// CreateLabel adds a label. The fault is Conflict when the entity has one of
// that name, whichever version it points at; NotFound and Invalid as for
// SetLabel.
func (c *Catalog) CreateLabel(ctx context.Context, workspaceID, entityID int64, name string, number int64) (Label, error) {
	label, err := change(ctx, c, workspaceID, func(ctx context.Context) (Label, error) {
		version, found, err := c.forLabel(ctx, workspaceID, entityID, name, number)
		if err != nil {
			return Label{}, err
		}
		if found != nil {
			return Label{}, fault.Conflictf("the label %q already exists", name)
		}
		return c.insertLabel(ctx, workspaceID, name, version)
	})
	if err != nil {
		return Label{}, fmt.Errorf("create label: %w", err)
	}
	return label, nil
}

// forLabel returns the version that a label is to point at and the entity's
// label of that name, if it has one. Both stay as they are until the
// transaction ends.
func (c *Catalog) forLabel(ctx context.Context, workspaceID, entityID int64, name string, number int64) (Version, *Label, error) {
	if err := checkName("label", name); err != nil {
		return Version{}, nil, err
	}
	if err := c.lockEntity(ctx, workspaceID, entityID); err != nil {
		return Version{}, nil, err
	}
	version, err := c.GetVersion(ctx, workspaceID, entityID, number)
	if err != nil {
		return Version{}, nil, err
	}
	label, err := c.FindLabel(ctx, workspaceID, entityID, name)
	switch {
	case fault.Is(err, fault.NotFound):
		return version, nil, nil
	case err != nil:
		return Version{}, nil, err
	}
	return version, &label, nil
}

func (c *Catalog) insertLabel(ctx context.Context, workspaceID int64, name string, version Version) (Label, error) {
	id, err := queryOne(ctx, c, scanInt, `
INSERT INTO label (entity_id, name, version_id, created_at)
VALUES ($1, $2, $3, $4)
RETURNING id`, version.EntityID, name, version.ID, c.now())
	if err != nil {
		return Label{}, err
	}
	label, err := c.GetLabel(ctx, workspaceID, id)
	if err != nil {
		return Label{}, err
	}
	return label, c.noteLabel(ctx, workspaceID, audit.Label, label, nil)
}

// MoveLabel makes a label, named by its id, point at another version of its
// entity. The fault is NotFound when the workspace has no such label or the
// entity no such version.
func (c *Catalog) MoveLabel(ctx context.Context, workspaceID, id, number int64) (Label, error) {
	label, err := change(ctx, c, workspaceID, func(ctx context.Context) (Label, error) {
		label, err := c.lockLabel(ctx, workspaceID, id)
		if err != nil {
			return Label{}, err
		}
		version, err := c.GetVersion(ctx, workspaceID, label.EntityID, number)
		if err != nil {
			return Label{}, err
		}
		return c.pointLabel(ctx, workspaceID, label, version)
	})
	if err != nil {
		return Label{}, fmt.Errorf("move label: %w", err)
	}
	return label, nil
}

// pointLabel makes a label of a locked entity point at a version of it.
func (c *Catalog) pointLabel(ctx context.Context, workspaceID int64, before Label, version Version) (Label, error) {
	_, err := c.exec(ctx, `
UPDATE label
SET version_id = $2
WHERE id = $1`, before.ID, version.ID)
	if err != nil {
		return Label{}, err
	}
	label := before
	label.VersionID, label.VersionNumber = version.ID, version.Number
	return label, c.noteLabel(ctx, workspaceID, audit.Label, label, detail{"before": before.VersionNumber})
}

func (c *Catalog) noteLabel(ctx context.Context, workspaceID int64, action audit.Action, label Label, more detail) error {
	what := detail{"label": label.Name, "version": label.VersionNumber}
	maps.Copy(what, more)
	return c.noteEntities(ctx, workspaceID, []int64{label.EntityID}, action, what)
}

// GetLabel returns a label by its id; the fault is NotFound when the
// workspace has none.
func (c *Catalog) GetLabel(ctx context.Context, workspaceID, id int64) (Label, error) {
	label, err := queryOne(ctx, c, scanLabel, labelsOfWorkspace+`
AND label.id = $2`, workspaceID, id)
	if err != nil {
		return Label{}, fmt.Errorf("get label: %w", notFound(err, "Release label not found"))
	}
	return label, nil
}

// FindLabel returns a label by its exact name; the fault is NotFound when the
// entity has none.
func (c *Catalog) FindLabel(ctx context.Context, workspaceID, entityID int64, name string) (Label, error) {
	label, err := queryOne(ctx, c, scanLabel, labelsOfWorkspace+`
AND label.entity_id = $2
AND label.name = $3`, workspaceID, entityID, name)
	if err != nil {
		return Label{}, fmt.Errorf("find label: %w", notFound(err, "Release label not found"))
	}
	return label, nil
}

// ListLabels returns the labels of an entity by id, oldest first; none when
// the entity is unknown.
func (c *Catalog) ListLabels(ctx context.Context, workspaceID, entityID int64) ([]Label, error) {
	labels, err := queryAll(ctx, c, scanLabel, labelsOfWorkspace+`
AND label.entity_id = $2
ORDER BY label.id`, workspaceID, entityID)
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	return labels, nil
}

// LabelsByEntity returns the labels of each of the entities, by the entity's
// id, oldest first.
func (c *Catalog) LabelsByEntity(ctx context.Context, workspaceID int64, entityIDs []int64) (map[int64][]Label, error) {
	byEntity := map[int64][]Label{}
	err := inChunks(distinct(entityIDs), func(ids []int64) error {
		where := conditions{args: []any{workspaceID}}
		addList(&where, "label.entity_id", ids)
		labels, err := queryAll(ctx, c, scanLabel, labelsOfWorkspace+"AND "+where.where()+"\nORDER BY label.id", where.args...)
		for _, label := range labels {
			byEntity[label.EntityID] = append(byEntity[label.EntityID], label)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	return byEntity, nil
}

// DeleteLabel removes a label by its id, and the AB test on it; the version
// stays. The fault is NotFound when the workspace has no such label.
func (c *Catalog) DeleteLabel(ctx context.Context, workspaceID, id int64) error {
	_, err := change(ctx, c, workspaceID, func(ctx context.Context) (none, error) {
		label, err := c.lockLabel(ctx, workspaceID, id)
		if err != nil {
			return none{}, err
		}
		if err := c.removeABTests(ctx, workspaceID, "label_id", []int64{label.ID}); err != nil {
			return none{}, err
		}
		if err := c.execForEach(ctx, "DELETE FROM label\nWHERE id", []int64{label.ID}); err != nil {
			return none{}, err
		}
		return none{}, c.noteLabel(ctx, workspaceID, audit.Unlabel, label, nil)
	})
	if err != nil {
		return fmt.Errorf("delete label: %w", err)
	}
	return nil
}

// lockLabel returns a label that stays until the transaction ends, because
// its entity is locked; the fault is NotFound when the workspace has none.
func (c *Catalog) lockLabel(ctx context.Context, workspaceID, id int64) (Label, error) {
	label, err := c.GetLabel(ctx, workspaceID, id)
	if err != nil {
		return Label{}, err
	}
	if err := c.lockEntity(ctx, workspaceID, label.EntityID); err != nil {
		return Label{}, err
	}
	return c.GetLabel(ctx, workspaceID, id) // it may have gone before the lock came
}
