package entities

import (
	"context"
	"fmt"
	"maps"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var labels = engine.NewView(`label
JOIN version ON version.id = label.version_id
JOIN entity ON entity.id = label.entity_id`, func(l *entity.Label) engine.Fields {
	return engine.Fields{
		"label.id", &l.ID, "label.entity_id", &l.EntityID, "label.name", &l.Name, "label.version_id", &l.VersionID,
		"version.number", &l.VersionNumber, "label.created_at", &l.CreatedAt,
	}
})

// SetLabel creates or moves a label.
func (s *Store) SetLabel(ctx context.Context, workspaceID, entityID int64, name string, number int64) (entity.Label, error) {
	label, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.Label, error) {
		version, found, err := s.forLabel(ctx, workspaceID, entityID, name, number)
		if err != nil {
			return entity.Label{}, err
		}
		if found != nil {
			return s.pointLabel(ctx, workspaceID, *found, version)
		}
		return s.insertLabel(ctx, workspaceID, name, version)
	})
	return engine.Wrap(label, err, "set label")
}

// CreateLabel creates a label.
func (s *Store) CreateLabel(ctx context.Context, workspaceID, entityID int64, name string, number int64) (entity.Label, error) {
	label, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.Label, error) {
		version, found, err := s.forLabel(ctx, workspaceID, entityID, name, number)
		if err != nil {
			return entity.Label{}, err
		}
		if found != nil {
			return entity.Label{}, fault.Conflictf("Release label %q already exists", name)
		}
		return s.insertLabel(ctx, workspaceID, name, version)
	})
	return engine.Wrap(label, err, "create label")
}

// forLabel locks an entity and returns the version with the number, and the
// label with the name if there is one.
func (s *Store) forLabel(ctx context.Context, workspaceID, entityID int64, name string, number int64) (entity.Version, *entity.Label, error) {
	if err := engine.CheckName("label", name); err != nil {
		return entity.Version{}, nil, err
	}
	if err := Lock(ctx, s.db, workspaceID, entityID); err != nil {
		return entity.Version{}, nil, err
	}
	version, err := s.GetVersion(ctx, workspaceID, entityID, number)
	if err != nil {
		return entity.Version{}, nil, err
	}
	label, err := s.FindLabel(ctx, workspaceID, entityID, name)
	switch {
	case fault.Is(err, fault.NotFound):
		return version, nil, nil
	case err != nil:
		return entity.Version{}, nil, err
	}
	return version, &label, nil
}

func (s *Store) insertLabel(ctx context.Context, workspaceID int64, name string, version entity.Version) (entity.Label, error) {
	id, err := engine.ExecOne(ctx, s.db, engine.ScanInt, table.Label.Insert(`
(entity_id, name, version_id, created_at)
VALUES ($1, $2, $3, $4)
RETURNING id`), version.EntityID, name, version.ID, s.db.Now())
	if err != nil {
		return entity.Label{}, err
	}
	label, err := s.GetLabel(ctx, workspaceID, id)
	if err != nil {
		return entity.Label{}, err
	}
	return label, s.noteMoved(ctx, workspaceID, label, nil)
}

// MoveLabel moves a label to another version.
func (s *Store) MoveLabel(ctx context.Context, workspaceID, id, number int64) (entity.Label, error) {
	label, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.Label, error) {
		label, err := s.lockLabel(ctx, workspaceID, id)
		if err != nil {
			return entity.Label{}, err
		}
		version, err := s.GetVersion(ctx, workspaceID, label.EntityID, number)
		if err != nil {
			return entity.Label{}, err
		}
		return s.pointLabel(ctx, workspaceID, label, version)
	})
	return engine.Wrap(label, err, "move label")
}

// pointLabel moves a label of a locked entity to another version.
func (s *Store) pointLabel(ctx context.Context, workspaceID int64, before entity.Label, version entity.Version) (entity.Label, error) {
	_, err := engine.Exec(ctx, s.db, table.Label.Update(`
SET version_id = $2
WHERE id = $1`), before.ID, version.ID)
	if err != nil {
		return entity.Label{}, err
	}
	label := before
	label.VersionID, label.VersionNumber = version.ID, version.Number
	return label, s.noteMoved(ctx, workspaceID, label, &before.VersionNumber)
}

// noteMoved adds an audit entry about a label that is new or was moved, and tells
// webhooks about it. before is the number of its version before, nil if it is new.
func (s *Store) noteMoved(ctx context.Context, workspaceID int64, label entity.Label, before *int64) error {
	more := engine.Detail{}
	if before != nil {
		more["before"] = *before
	}
	if err := s.noteLabel(ctx, workspaceID, audit.Label, label, more); err != nil {
		return err
	}
	return webhooks.LabelMoved(ctx, s.db, workspaceID, label.EntityID, label.Name, label.VersionNumber, before)
}

func (s *Store) noteLabel(ctx context.Context, workspaceID int64, action audit.Action, label entity.Label, more engine.Detail) error {
	what := engine.Detail{"label": label.Name, "version": label.VersionNumber}
	maps.Copy(what, more)
	return noteAll(ctx, s.db, workspaceID, []int64{label.EntityID}, action, what)
}

// GetLabel returns a label by its id.
func (s *Store) GetLabel(ctx context.Context, workspaceID, id int64) (entity.Label, error) {
	label, err := labels.One(ctx, s.db, ofWorkspace+`AND label.id = $2`, workspaceID, id)
	return engine.Wrap(label, engine.NotFound(err, "Release label not found"), "get label")
}

// FindLabel returns a label by its name.
func (s *Store) FindLabel(ctx context.Context, workspaceID, entityID int64, name string) (entity.Label, error) {
	label, err := labels.One(ctx, s.db, ofWorkspace+`AND label.entity_id = $2
AND label.name = $3`, workspaceID, entityID, name)
	return engine.Wrap(label, engine.NotFound(err, "Release label not found"), "find label")
}

// ListLabels returns the labels of an entity.
func (s *Store) ListLabels(ctx context.Context, workspaceID, entityID int64) ([]entity.Label, error) {
	found, err := labels.All(ctx, s.db, ofWorkspace+`AND label.entity_id = $2
ORDER BY label.id`, workspaceID, entityID)
	return engine.Wrap(found, err, "list labels")
}

// LabelsByEntity returns the labels of entities.
func (s *Store) LabelsByEntity(ctx context.Context, workspaceID int64, entityIDs []int64) (map[int64][]entity.Label, error) {
	found, err := engine.In(ctx, s.db, labels, ofWorkspace+"AND label.entity_id", engine.Distinct(entityIDs), `
ORDER BY label.id`, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	return engine.GroupBy(found, func(l entity.Label) int64 { return l.EntityID }), nil
}

// LabelsByVersion returns the labels of versions.
func (s *Store) LabelsByVersion(ctx context.Context, workspaceID int64, versionIDs []int64) (map[int64][]entity.Label, error) {
	found, err := engine.In(ctx, s.db, labels, ofWorkspace+"AND label.version_id", engine.Distinct(versionIDs), `
ORDER BY label.name, label.id`, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	return engine.GroupBy(found, func(l entity.Label) int64 { return l.VersionID }), nil
}

// DeleteLabel deletes a label.
func (s *Store) DeleteLabel(ctx context.Context, workspaceID, id int64) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		label, err := s.lockLabel(ctx, workspaceID, id)
		if err != nil {
			return err
		}
		if err := s.removeABTests(ctx, workspaceID, "label_id", []int64{label.ID}); err != nil {
			return err
		}
		if err := engine.ExecIn(ctx, s.db, table.Label.Delete("WHERE id"), []int64{label.ID}); err != nil {
			return err
		}
		return s.noteLabel(ctx, workspaceID, audit.Unlabel, label, nil)
	})
	return engine.WrapError(err, "delete label")
}

// lockLabel locks the entity of a label and returns the label, or a NotFound
// fault.
func (s *Store) lockLabel(ctx context.Context, workspaceID, id int64) (entity.Label, error) {
	label, err := s.GetLabel(ctx, workspaceID, id)
	if err != nil {
		return entity.Label{}, err
	}
	if err := Lock(ctx, s.db, workspaceID, label.EntityID); err != nil {
		return entity.Label{}, err
	}
	return s.GetLabel(ctx, workspaceID, id) // it may have been deleted before the lock
}
