package variableset_test

import (
	"encoding/json"
	"os"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/variableset"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// onEachEngine runs a test over a new catalog with one workspace.
func onEachEngine(t *testing.T, test func(t *testing.T, c *catalog.Catalog, workspace int64)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		space, err := c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "first")
		check.OK(t, err)
		test(t, c, space.ID)
	})
}

func TestLifeOfASet(t *testing.T) {
	onEachEngine(t, func(t *testing.T, c *catalog.Catalog, workspace int64) {
		ctx, service := access.AsSystem(t.Context()), variableset.NewService(c.Entities)
		created, err := service.Create(ctx, workspace, registry.CreateInput[json.RawMessage]{
			Name: "guests", Content: new(json.RawMessage(`{"n": 1.50}`)),
			Release: registry.Release{ExternalIDs: []entity.ExternalRef{{Source: "crm", ID: "7"}}},
		})
		check.OK(t, err)
		id := created.Entity.ID
		updated, err := service.Update(ctx, workspace, id, variableset.Patch{Name: new("hosts"), Variables: json.RawMessage(`{"m": 2}`)})
		check.OK(t, err)
		check.Equal(t, "values", string(updated.Version.Body), `{"m": 2}`)
		check.Equal(t, "version", updated.Version.Number, 2)
		found, total, err := service.ListRecords(ctx, entity.Query{WorkspaceID: workspace})
		check.OK(t, err)
		check.Equal(t, "total", total, 1)
		updated.Labels = nil // lists have none
		check.Equal(t, "the only set of the list", found[0], *updated)
		check.OK(t, service.Delete(ctx, workspace, id))
		_, err = service.GetByID(ctx, workspace, id, registry.Selector{})
		check.Equal(t, "a deleted set is not found", fault.Is(err, fault.NotFound), true)
	})
}

func TestRefusedSetsLeaveNothing(t *testing.T) {
	onEachEngine(t, func(t *testing.T, c *catalog.Catalog, workspace int64) {
		ctx, service := access.AsSystem(t.Context()), variableset.NewService(c.Entities)
		pair := entity.ExternalRef{Source: "crm", ID: "7"}
		taken, err := c.Entities.CreateEntity(ctx, entity.New{WorkspaceID: workspace, Kind: entity.KindTool, Name: "hammer"})
		check.OK(t, err)
		check.OK(t, c.Entities.AttachExternalID(ctx, workspace, taken.ID, pair))
		_, err = service.Create(ctx, workspace, registry.CreateInput[json.RawMessage]{
			Name: "x", Content: new(json.RawMessage(`{}`)),
			Release: registry.Release{ExternalIDs: []entity.ExternalRef{{Source: "own", ID: "1"}, pair}},
		})
		check.Equal(t, "a conflict", fault.Is(err, fault.Conflict), true)
		_, err = service.Create(ctx, workspace, registry.CreateInput[json.RawMessage]{Name: "x", Content: new(json.RawMessage(`{}`)), FolderID: &taken.ID})
		check.Equal(t, "an unknown folder", fault.Is(err, fault.NotFound), true)
		_, err = service.Create(ctx, workspace, registry.CreateInput[json.RawMessage]{Name: "x", Content: new(json.RawMessage(`[]`))})
		check.Refused(t, err, fault.Invalid, "variables must be an object")
		check.Equal(t, "a tool is not deleted", fault.Is(service.Delete(ctx, workspace, taken.ID), fault.NotFound), true)
		all, _, err := c.Entities.ListEntities(ctx, entity.Query{WorkspaceID: workspace, Status: entity.LiveOrDeleted})
		check.OK(t, err)
		check.Equal(t, "entities", len(all), 1)
		_, err = c.Entities.FindByExternalID(ctx, workspace, entity.ExternalRef{Source: "own", ID: "1"})
		check.Equal(t, "the pair is free", fault.Is(err, fault.NotFound), true)
	})
}

func TestUpdatesAtOnceAllCount(t *testing.T) {
	onEachEngine(t, func(t *testing.T, c *catalog.Catalog, workspace int64) {
		ctx, service := access.AsSystem(t.Context()), variableset.NewService(c.Entities)
		created, err := service.Create(ctx, workspace, registry.CreateInput[json.RawMessage]{Name: "x", Content: new(json.RawMessage(`{}`))})
		check.OK(t, err)
		const crowd = 16
		numbers := make([]int64, crowd)
		var done sync.WaitGroup
		for i := range crowd {
			done.Go(func() {
				updated, err := service.Update(ctx, workspace, created.Entity.ID, variableset.Patch{Variables: json.RawMessage(`{}`)})
				if err != nil {
					t.Error(err)
					return
				}
				numbers[i] = updated.Version.Number
			})
		}
		done.Wait()
		seen := map[int64]bool{}
		for _, number := range numbers {
			seen[number] = true
		}
		check.Equal(t, "different version numbers", len(seen), crowd)
	})
}
