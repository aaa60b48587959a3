package entities

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var abTests = engine.NewView(`ab_test
JOIN entity ON entity.id = ab_test.entity_id
JOIN label ON label.id = ab_test.label_id
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version`, func(t *entity.ABTest) engine.Fields {
	return append(Fields(&t.Entity),
		"ab_test.prompt_id", &t.PromptID, "ab_test.label_id", &t.LabelID, "label.name", &t.LabelName, "version.body", &t.Config)
})

// abTestsOfWorkspace is the beginning of conditions; $1 is the workspace.
const abTestsOfWorkspace = `WHERE entity.workspace_id = $1
AND entity.kind = '` + string(entity.KindABTest) + `'
AND entity.deleted_at IS NULL
`

// CreateABTest adds an AB test to a label.
func (s *Store) CreateABTest(ctx context.Context, workspaceID int64, input entity.NewABTest) (entity.ABTest, error) {
	created, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.ABTest, error) {
		label, err := s.lockLabel(ctx, workspaceID, input.LabelID)
		if err != nil {
			return entity.ABTest{}, err
		}
		test, err := s.CreateEntity(ctx, entity.New{
			WorkspaceID: workspaceID, Kind: entity.KindABTest, Name: input.Name, FolderID: input.FolderID, Creator: input.Creator,
		})
		if err != nil {
			return entity.ABTest{}, err
		}
		if err := s.insertABTest(ctx, test.ID, label); err != nil {
			return entity.ABTest{}, err
		}
		return s.SetABTestConfig(ctx, workspaceID, test.ID, input.Config, input.Creator)
	})
	return engine.Wrap(created, err, "create AB test")
}

func (s *Store) insertABTest(ctx context.Context, id int64, label entity.Label) error {
	added, err := engine.Exec(ctx, s.db, table.ABTest.Insert(`
(entity_id, label_id, prompt_id)
VALUES ($1, $2, $3)
ON CONFLICT (label_id) DO NOTHING`), id, label.ID, label.EntityID)
	if err == nil && added == 0 {
		return fault.Conflictf("Release label %q already has an A/B test", label.Name)
	}
	return err
}

// SetABTestConfig replaces the configuration of an AB test.
func (s *Store) SetABTestConfig(
	ctx context.Context, workspaceID, id int64, config json.RawMessage, creator *string,
) (entity.ABTest, error) {
	changed, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.ABTest, error) {
		if err := s.checkABTest(ctx, workspaceID, id); err != nil {
			return entity.ABTest{}, err
		}
		if _, err := s.AddVersion(ctx, workspaceID, id, entity.NewVersion{Body: config, Creator: creator}); err != nil {
			return entity.ABTest{}, err
		}
		return s.GetABTest(ctx, workspaceID, id)
	})
	return engine.Wrap(changed, err, "set the configuration of an AB test")
}

// checkABTest returns a NotFound fault unless the id belongs to an AB test, with or
// without a configuration.
func (s *Store) checkABTest(ctx context.Context, workspaceID, id int64) error {
	_, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT entity.id
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
WHERE entity.workspace_id = $1
AND entity.id = $2
AND entity.deleted_at IS NULL`, workspaceID, id)
	return abTestNotFound(err, id)
}

func abTestNotFound(err error, id int64) error {
	return engine.NotFound(err, "A/B test %d not found", id)
}

// GetABTest returns an AB test by its id.
func (s *Store) GetABTest(ctx context.Context, workspaceID, id int64) (entity.ABTest, error) {
	found, err := abTests.One(ctx, s.db, abTestsOfWorkspace+`AND ab_test.entity_id = $2`, workspaceID, id)
	return engine.Wrap(found, abTestNotFound(err, id), "get AB test")
}

// FindABTestByLabel returns the AB test on a label.
func (s *Store) FindABTestByLabel(ctx context.Context, workspaceID, labelID int64) (entity.ABTest, bool, error) {
	found, err := abTests.One(ctx, s.db, abTestsOfWorkspace+`AND ab_test.label_id = $2`, workspaceID, labelID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return entity.ABTest{}, false, nil
	case err != nil:
		return entity.ABTest{}, false, fmt.Errorf("find AB test: %w", err)
	}
	return found, true, nil
}

// ListABTests returns the AB tests of a prompt or a workspace.
func (s *Store) ListABTests(ctx context.Context, workspaceID int64, promptID *int64) ([]entity.ABTest, error) {
	where := engine.Where{Args: []any{workspaceID}}
	if promptID != nil {
		where.Add("AND ab_test.prompt_id = ?", *promptID)
	}
	all, err := abTests.All(ctx, s.db, abTestsOfWorkspace+where.SQL()+`
ORDER BY entity.id`, where.Args...)
	return engine.Wrap(all, err, "list AB tests")
}

// DeleteABTest deletes an AB test.
func (s *Store) DeleteABTest(ctx context.Context, workspaceID, id int64) error {
	_, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (int64, error) {
		if err := s.checkABTest(ctx, workspaceID, id); err != nil {
			return 0, err
		}
		return s.RemoveEntities(ctx, workspaceID, []int64{id})
	})
	return engine.WrapError(err, "delete AB test")
}

// removeABTestsOf deletes the AB tests of prompts.
func (s *Store) removeABTestsOf(ctx context.Context, workspaceID int64, promptIDs []int64) error {
	return s.removeABTests(ctx, workspaceID, "prompt_id", promptIDs)
}

// removeABTests deletes the AB tests with one of the values in a column. The caller
// has locked the prompts, so that no test is added in the meantime.
func (s *Store) removeABTests(ctx context.Context, workspaceID int64, column string, values []int64) error {
	return engine.InChunks(values, func(values []int64) error {
		var where engine.Where
		engine.AddList(&where, column, values)
		tests, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT entity_id
FROM ab_test
WHERE `+where.SQL(), where.Args...)
		if err != nil || len(tests) == 0 {
			return err
		}
		if err := noteAll(ctx, s.db, workspaceID, tests, audit.Delete, nil); err != nil {
			return err
		}
		return engine.ExecIn(ctx, s.db, table.Entity.Delete("WHERE id"), tests)
	})
}
