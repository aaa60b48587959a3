package datasets

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func fields(s *dataset.Stored) engine.Fields {
	return append(slices.Concat(entities.VersionFields(&s.Version), entities.Fields(&s.Group)),
		"dataset.content_id", &s.ContentID, "dataset.row_count", &s.RowCount, "dataset.updated_at", &s.UpdatedAt)
}

var (
	datasets = engine.NewView(`dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id`, fields)

	// byName makes SQLite read the groups first, in the order of their names.
	byName = engine.NewView(`entity
CROSS JOIN dataset
JOIN version ON version.id = dataset.version_id`, fields)
)

// ofWorkspace is the beginning of conditions; $1 is the workspace.
const ofWorkspace = `WHERE dataset.workspace_id = $1
`

// AddDraft adds a draft to a dataset group.
func (s *Store) AddDraft(ctx context.Context, workspaceID, groupID int64, state dataset.State) (dataset.Stored, error) {
	added, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (dataset.Stored, error) {
		if err := s.lockDatasetGroup(ctx, workspaceID, groupID); err != nil {
			return dataset.Stored{}, err
		}
		if _, err := s.FindDataset(ctx, workspaceID, groupID, dataset.DraftNumber); !fault.Is(err, fault.NotFound) {
			return dataset.Stored{}, orElse(err, fault.Conflictf("The dataset group already has a draft"))
		}
		added, err := s.insertDataset(ctx, workspaceID, groupID, dataset.DraftNumber, state)
		if err != nil {
			return dataset.Stored{}, err
		}
		return added, entities.Note(ctx, s.db, added.Group, audit.Change, engine.Detail{"draft": added.Version.ID})
	})
	return engine.Wrap(added, err, "add draft")
}

// orElse returns err, or other when err is nil.
func orElse(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// AddNumbered adds a numbered dataset to a dataset group.
func (s *Store) AddNumbered(ctx context.Context, workspaceID, groupID int64, state dataset.State) (dataset.Stored, error) {
	added, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (dataset.Stored, error) {
		number, err := s.nextDatasetNumber(ctx, workspaceID, groupID)
		if err != nil {
			return dataset.Stored{}, err
		}
		added, err := s.insertDataset(ctx, workspaceID, groupID, number, state)
		if err != nil {
			return dataset.Stored{}, err
		}
		return added, entities.NotePublished(ctx, s.db, added.Group, number)
	})
	return engine.Wrap(added, err, "add dataset")
}

// SaveDraft gives a draft the next number.
func (s *Store) SaveDraft(ctx context.Context, workspaceID, groupID int64) (dataset.Stored, error) {
	saved, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (dataset.Stored, error) {
		if err := s.lockDatasetGroup(ctx, workspaceID, groupID); err != nil {
			return dataset.Stored{}, err
		}
		draft, err := s.FindDataset(ctx, workspaceID, groupID, dataset.DraftNumber)
		if err != nil {
			return dataset.Stored{}, err
		}
		return s.numberDraft(ctx, workspaceID, draft)
	})
	return engine.Wrap(saved, err, "save draft")
}

func (s *Store) numberDraft(ctx context.Context, workspaceID int64, draft dataset.Stored) (dataset.Stored, error) {
	number, err := s.nextDatasetNumber(ctx, workspaceID, draft.Group.ID)
	if err != nil {
		return dataset.Stored{}, err
	}
	_, err = engine.Exec(ctx, s.db, table.Version.Update(`
SET number = $2
WHERE id = $1`), draft.Version.ID, number)
	if err != nil {
		return dataset.Stored{}, err
	}
	if err := s.setDataset(ctx, draft.Version.ID, draft.ContentID, draft.RowCount); err != nil {
		return dataset.Stored{}, err
	}
	if err := entities.NotePublished(ctx, s.db, draft.Group, number); err != nil {
		return dataset.Stored{}, err
	}
	return s.GetDataset(ctx, workspaceID, draft.Version.ID)
}

// UpdateDraft replaces everything in a draft.
func (s *Store) UpdateDraft(ctx context.Context, workspaceID, id int64, state dataset.State) (dataset.Stored, error) {
	updated, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (dataset.Stored, error) {
		draft, err := s.GetDataset(ctx, workspaceID, id)
		if err != nil {
			return dataset.Stored{}, err
		}
		return s.updateDraft(ctx, workspaceID, draft, state)
	})
	return engine.Wrap(updated, err, "update draft")
}

func (s *Store) updateDraft(ctx context.Context, workspaceID int64, draft dataset.Stored, state dataset.State) (dataset.Stored, error) {
	if err := s.lockDatasetGroup(ctx, workspaceID, draft.Group.ID); err != nil {
		return dataset.Stored{}, err
	}
	updated, err := engine.Exec(ctx, s.db, table.Version.Update(`
SET body = $3
WHERE id = $1
AND number = $2`), draft.Version.ID, int64(dataset.DraftNumber), string(state.Body))
	if err == nil && updated == 0 {
		err = fault.NotFoundf("Dataset %d is not a draft", draft.Version.ID)
	}
	if err != nil {
		return dataset.Stored{}, err
	}
	if err := s.swapContent(ctx, draft.ContentID, state.ContentID); err != nil {
		return dataset.Stored{}, err
	}
	if err := s.setDataset(ctx, draft.Version.ID, state.ContentID, state.RowCount); err != nil {
		return dataset.Stored{}, err
	}
	if err := entities.Note(ctx, s.db, draft.Group, audit.Change, engine.Detail{"draft": draft.Version.ID, "rows": state.RowCount}); err != nil {
		return dataset.Stored{}, err
	}
	return s.GetDataset(ctx, workspaceID, draft.Version.ID)
}

func (s *Store) swapContent(ctx context.Context, old, current int64) error {
	if old == current {
		return nil
	}
	if err := s.attachContent(ctx, current); err != nil {
		return err
	}
	return s.detachContent(ctx, old)
}

func (s *Store) setDataset(ctx context.Context, id, content, rowCount int64) error {
	_, err := engine.Exec(ctx, s.db, table.Dataset.Update(`
SET content_id = $2, row_count = $3, updated_at = $4
WHERE version_id = $1`), id, content, rowCount, s.db.Now())
	return err
}

// lockDatasetGroup locks a dataset group; the fault is NotFound when the entity is of
// another kind.
func (s *Store) lockDatasetGroup(ctx context.Context, workspaceID, groupID int64) error {
	if err := entities.Lock(ctx, s.db, workspaceID, groupID); err != nil {
		return err
	}
	group, err := s.entities.GetEntity(ctx, workspaceID, groupID)
	if err == nil && group.Kind != entity.KindDataset {
		err = fault.NotFoundf("Dataset group %d not found", groupID)
	}
	return err
}

// nextDatasetNumber takes the next number. The group stays locked until the
// transaction ends, so numbers have no gaps.
func (s *Store) nextDatasetNumber(ctx context.Context, workspaceID, groupID int64) (int64, error) {
	number, err := engine.ExecOne(ctx, s.db, engine.ScanInt, table.Entity.Update(`
SET last_version = last_version + 1, updated_at = $4
WHERE workspace_id = $1
AND id = $2
AND kind = $3
AND deleted_at IS NULL
RETURNING last_version`), workspaceID, groupID, entity.KindDataset, s.db.Now())
	return number, engine.NotFound(err, "Dataset group %d not found", groupID)
}

func (s *Store) insertDataset(
	ctx context.Context, workspaceID, groupID, number int64, state dataset.State,
) (dataset.Stored, error) {
	if !json.Valid(state.Body) {
		return dataset.Stored{}, fault.New(fault.Invalid, "The body of a version must be valid JSON")
	}
	version, err := entities.InsertVersion(ctx, s.db, groupID, number, entity.NewVersion{Body: state.Body, Creator: state.Creator})
	if err != nil {
		return dataset.Stored{}, err
	}
	if err := s.attachContent(ctx, state.ContentID); err != nil {
		return dataset.Stored{}, err
	}
	_, err = engine.Exec(ctx, s.db, table.Dataset.Insert(`
(version_id, workspace_id, group_id, content_id, row_count, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)`),
		version.ID, workspaceID, groupID, state.ContentID, state.RowCount, version.CreatedAt)
	if err != nil {
		return dataset.Stored{}, err
	}
	return s.GetDataset(ctx, workspaceID, version.ID)
}

// GetDataset returns a dataset by its id.
func (s *Store) GetDataset(ctx context.Context, workspaceID, id int64) (dataset.Stored, error) {
	found, err := datasets.One(ctx, s.db, ofWorkspace+`AND dataset.version_id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Dataset %d not found", id), "get dataset")
}

// FindDataset returns a dataset by its number.
func (s *Store) FindDataset(ctx context.Context, workspaceID, groupID, number int64) (dataset.Stored, error) {
	where := engine.Where{Args: []any{workspaceID}}
	where.Add("entity.deleted_at IS NULL")
	where.Add("version.entity_id = ?", groupID)
	if number == 0 {
		// As a subquery, so that SQLite looks it up first.
		where.Add("version.number = (SELECT last_version FROM entity WHERE id = ?)", groupID)
	} else {
		where.Add("version.number = ?", number)
	}
	found, err := datasets.One(ctx, s.db, ofWorkspace+"AND "+where.SQL(), where.Args...)
	return engine.Wrap(found, engine.NotFound(err, "Dataset not found"), "find dataset")
}
