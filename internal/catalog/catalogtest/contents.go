package catalogtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// Contents are the entities of a workspace and what belongs to them.
type Contents struct {
	Entities    []entity.Entity
	Versions    map[int64][]entity.Version
	Labels      map[int64][]entity.Label
	ExternalIDs map[int64][]entity.ExternalID
	ABTests     []entity.ABTest
}

// ContentsOf reads what a workspace holds, with what was deleted.
func ContentsOf(t testing.TB, c *catalog.Catalog, workspace int64) Contents {
	t.Helper()
	ctx := t.Context()
	all, _, err := c.Entities.ListEntities(ctx, entity.Query{WorkspaceID: workspace, Status: entity.LiveOrDeleted, Sort: entity.ByID, Ascending: true})
	check.OK(t, err)
	held := Contents{Entities: all, Versions: map[int64][]entity.Version{}}
	var ids []int64
	for _, e := range all {
		ids = append(ids, e.ID)
		held.Versions[e.ID], _, err = c.Entities.ListVersions(ctx, workspace, e.ID, entity.Page{})
		check.OK(t, err)
	}
	held.Labels = check.Must(c.Entities.LabelsByEntity(ctx, workspace, ids))(t)
	held.ExternalIDs = check.Must(c.Entities.ExternalIDsByEntity(ctx, workspace, ids))(t)
	held.ABTests = check.Must(c.Entities.ListABTests(ctx, workspace, nil))(t)
	return held
}

// Unchanged fails the test when do changes anything of a workspace's entities.
func Unchanged(t testing.TB, c *catalog.Catalog, workspace int64, do func()) {
	t.Helper()
	before := ContentsOf(t, c, workspace)
	do()
	if diff := cmp.Diff(before, ContentsOf(t, c, workspace)); diff != "" {
		t.Errorf("something was left behind (-before +after):\n%s", diff)
	}
}
