package api_test

import (
	"context"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

// Ids of the workspaces, which the catalog numbers from 1.
const home, away = 1, 2

// Ids of the seeded entities, far from all other numbers in the tests.
// Versions take ids from the same sequence, which explains the gaps. Entities
// that a test creates follow.
const (
	welcomeID     = 910_001
	farewellID    = 910_004
	retiredID     = 910_006
	awayWelcomeID = 910_008
	shelfID       = 910_010
	boxID         = 910_011
	workflowID    = 910_012
	awayFolderID  = 910_013
)

// seedIDs makes the catalog number entities and versions from first.
func seedIDs(t *testing.T, dsn string, first int64) {
	t.Helper()
	check.Must(catalogtest.Raw(t, dsn).Exec(`INSERT INTO shared_id (id) VALUES ($1)`, first-1))(t)
}

// seed creates templates in both workspaces: in home, welcome with two
// versions and the label prod at the first, "farewell v2", and retired, which
// is deleted; in away, another welcome. Home also has the folders shelf and,
// in it, a.box, and a workflow with an external id.
func seed(t *testing.T, c *catalog.Catalog, prompts *prompt.Service) {
	t.Helper()
	ctx := access.AsSystem(context.Background())
	publish := func(workspace int64, name, text string, labels ...string) int64 {
		record, err := prompts.Publish(ctx, workspace, prompt.Publication{
			Name:    name,
			Content: prompt.Content{Template: []byte(seedTemplate(t, text))},
			Release: registry.Release{Labels: labels},
		})
		check.OK(t, err)
		return record.Entity.ID
	}
	create := func(workspace int64, kind entity.Kind, name string, folder *int64) int64 {
		created, err := c.Entities.CreateEntity(ctx, entity.New{WorkspaceID: workspace, Kind: kind, Name: name, FolderID: folder})
		check.OK(t, err)
		return created.ID
	}
	shelf := int64(shelfID)
	got := []int64{
		publish(home, "welcome", "Welcome to {city}", "prod"),
		publish(home, "welcome", "Welcome to {city}, {guest}"),
		publish(home, "farewell v2", "Bye"),
		publish(home, "retired", "Gone"),
		publish(away, "welcome", "Hello in {city}"),
		create(home, entity.KindFolder, "shelf", nil),
		create(home, entity.KindFolder, "a.box", &shelf),
		create(home, entity.KindWorkflow, "flow", nil),
		create(away, entity.KindFolder, "theirs", nil),
	}
	for i, want := range []int64{welcomeID, welcomeID, farewellID, retiredID, awayWelcomeID, shelfID, boxID, workflowID, awayFolderID} {
		if got[i] != want {
			t.Fatalf("the seed has the ids %d", got)
		}
	}
	_, err := c.Entities.SoftDelete(ctx, home, []int64{retiredID})
	check.OK(t, err)
	check.OK(t, c.Entities.AttachExternalID(ctx, home, workflowID, entity.ExternalRef{Source: "flows", ID: "f1"}))
}

// seedTemplate returns a chat template as stored.
func seedTemplate(t *testing.T, text string) string {
	t.Helper()
	tree, err := jsontree.Parse([]byte(toJSON(t, chat("user", text))))
	check.OK(t, err)
	return string(template.Normalize(tree))
}
