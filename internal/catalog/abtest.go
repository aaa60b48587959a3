package catalog

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

// abTestsOfWorkspace begins every query of AB tests; $1 is the workspace.
const abTestsOfWorkspace = `
SELECT ` + entityColumns + `, ab_test.prompt_id, ab_test.label_id, label.name, version.body
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
JOIN label ON label.id = ab_test.label_id
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.workspace_id = $1
AND entity.kind = '` + string(KindABTest) + `'
AND entity.deleted_at IS NULL
`

func scanABTest(r row) (ABTest, error) {
	var t ABTest
	err := r.Scan(append(intoEntity(&t.Entity), &t.PromptID, &t.LabelID, &t.LabelName, (*[]byte)(&t.Config))...)
	return t, err
}

// CreateABTest adds an AB test to a label. The fault is Conflict when the
// label has one already, NotFound when the workspace has no such label or
// folder, and Invalid when the name cannot be or the configuration is not
// JSON.
func (c *Catalog) CreateABTest(ctx context.Context, workspaceID int64, input NewABTest) (ABTest, error) {
	created, err := change(ctx, c, workspaceID, func(ctx context.Context) (ABTest, error) {
		label, err := c.lockLabel(ctx, workspaceID, input.LabelID)
		if err != nil {
			return ABTest{}, err
		}
		entity, err := c.CreateEntity(ctx, NewEntity{
			WorkspaceID: workspaceID, Kind: KindABTest, Name: input.Name, FolderID: input.FolderID, Creator: input.Creator,
		})
		if err != nil {
			return ABTest{}, err
		}
		if err := c.insertABTest(ctx, entity.ID, label); err != nil {
			return ABTest{}, err
		}
		return c.SetABTestConfig(ctx, workspaceID, entity.ID, input.Config, input.Creator)
	})
	if err != nil {
		return ABTest{}, fmt.Errorf("create AB test: %w", err)
	}
	return created, nil
}

func (c *Catalog) insertABTest(ctx context.Context, id int64, label Label) error {
	added, err := c.exec(ctx, `
INSERT INTO ab_test (entity_id, label_id, prompt_id)
VALUES ($1, $2, $3)
ON CONFLICT (label_id) DO NOTHING`, id, label.ID, label.EntityID)
	if err == nil && added == 0 {
		return fault.Conflictf("the label %q already has an AB test", label.Name)
	}
	return err
}

// SetABTestConfig gives an AB test a configuration and returns it. The fault
// is NotFound when there is no such test and Invalid when the configuration
// is not JSON.
func (c *Catalog) SetABTestConfig(
	ctx context.Context, workspaceID, id int64, config json.RawMessage, creator *string,
) (ABTest, error) {
	changed, err := change(ctx, c, workspaceID, func(ctx context.Context) (ABTest, error) {
		if err := c.checkABTest(ctx, workspaceID, id); err != nil {
			return ABTest{}, err
		}
		if _, err := c.AddVersion(ctx, workspaceID, id, NewVersion{Body: config, Creator: creator}); err != nil {
			return ABTest{}, err
		}
		return c.GetABTest(ctx, workspaceID, id)
	})
	if err != nil {
		return ABTest{}, fmt.Errorf("set the configuration of an AB test: %w", err)
	}
	return changed, nil
}

// checkABTest returns a NotFound fault unless the id is that of an AB test,
// whether or not it has a configuration.
func (c *Catalog) checkABTest(ctx context.Context, workspaceID, id int64) error {
	_, err := queryOne(ctx, c, scanInt, `
SELECT entity.id
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
WHERE entity.workspace_id = $1
AND entity.id = $2
AND entity.deleted_at IS NULL`, workspaceID, id)
	return abTestNotFound(err, id)
}

func abTestNotFound(err error, id int64) error { return notFound(err, "AB test %d not found", id) }

// GetABTest returns an AB test by its id; the fault is NotFound when the
// workspace has none.
func (c *Catalog) GetABTest(ctx context.Context, workspaceID, id int64) (ABTest, error) {
	found, err := queryOne(ctx, c, scanABTest, abTestsOfWorkspace+`
AND ab_test.entity_id = $2`, workspaceID, id)
	if err != nil {
		return ABTest{}, fmt.Errorf("get AB test: %w", abTestNotFound(err, id))
	}
	return found, nil
}

// FindABTestByLabel returns the AB test on a label and whether there is one.
func (c *Catalog) FindABTestByLabel(ctx context.Context, workspaceID, labelID int64) (ABTest, bool, error) {
	found, err := queryOne(ctx, c, scanABTest, abTestsOfWorkspace+`
AND ab_test.label_id = $2`, workspaceID, labelID)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return ABTest{}, false, nil
	case err != nil:
		return ABTest{}, false, fmt.Errorf("find AB test: %w", err)
	}
	return found, true, nil
}

// ListABTests returns the AB tests of a prompt, or of the workspace when
// promptID is nil, by their ids.
func (c *Catalog) ListABTests(ctx context.Context, workspaceID int64, promptID *int64) ([]ABTest, error) {
	where := conditions{args: []any{workspaceID}}
	if promptID != nil {
		where.add("AND ab_test.prompt_id = ?", *promptID)
	}
	all, err := queryAll(ctx, c, scanABTest, abTestsOfWorkspace+where.where()+`
ORDER BY entity.id`, where.args...)
	if err != nil {
		return nil, fmt.Errorf("list AB tests: %w", err)
	}
	return all, nil
}

// DeleteABTest removes an AB test; the label stays and stands for its version
// again. The fault is NotFound when the workspace has no such test.
func (c *Catalog) DeleteABTest(ctx context.Context, workspaceID, id int64) error {
	_, err := change(ctx, c, workspaceID, func(ctx context.Context) (int64, error) {
		if err := c.checkABTest(ctx, workspaceID, id); err != nil {
			return 0, err
		}
		return c.RemoveEntities(ctx, workspaceID, []int64{id})
	})
	if err != nil {
		return fmt.Errorf("delete AB test: %w", err)
	}
	return nil
}

// removeABTestsOf erases the AB tests of prompts.
func (c *Catalog) removeABTestsOf(ctx context.Context, workspaceID int64, promptIDs []int64) error {
	return c.removeABTests(ctx, workspaceID, "prompt_id", promptIDs)
}

// removeABTests erases the AB tests that have one of the values in a column.
// Whoever calls it has locked the prompts, so that no test comes after it.
func (c *Catalog) removeABTests(ctx context.Context, workspaceID int64, column string, values []int64) error {
	return inChunks(values, func(values []int64) error {
		var where conditions
		addList(&where, column, values)
		tests, err := queryAll(ctx, c, scanInt, `
SELECT entity_id
FROM ab_test
WHERE `+where.where(), where.args...)
		if err != nil || len(tests) == 0 {
			return err
		}
		if err := c.noteEntities(ctx, workspaceID, tests, audit.Delete, nil); err != nil {
			return err
		}
		return c.execForEach(ctx, "DELETE FROM entity\nWHERE id", tests)
	})
}
