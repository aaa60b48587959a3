package catalogtest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// Contents are the entities of a workspace with everything attached to them.
type Contents struct {
	Entities    []entity.Entity
	Versions    map[int64][]entity.Version
	Labels      map[int64][]entity.Label
	ExternalIDs map[int64][]entity.ExternalID
	ABTests     []entity.ABTest
}

// ContentsOf returns the contents of a workspace, including deleted entities.
func ContentsOf(t testing.TB, c *catalog.Catalog, workspace int64) Contents {
	t.Helper()
	ctx := t.Context()
	all, _, err := c.Entities.ListEntities(ctx, entity.Query{WorkspaceID: workspace, Status: entity.LiveOrDeleted, Sort: entity.ByID, Ascending: true})
	check.OK(t, err)
	held := Contents{Entities: all, Versions: map[int64][]entity.Version{}}
	var ids []int64
	for _, e := range all {
		ids = append(ids, e.ID)
		held.Versions[e.ID], _ = Versions(t, c, workspace, e.ID, entity.Page{})
	}
	held.Labels = check.Must(c.Entities.LabelsByEntity(ctx, workspace, ids))(t)
	held.ExternalIDs = check.Must(c.Entities.ExternalIDsByEntity(ctx, workspace, ids))(t)
	held.ABTests = check.Must(c.Entities.ListABTests(ctx, workspace, nil))(t)
	return held
}

// Versions returns a page of the versions of an entity and the number of all its
// versions.
func Versions(t testing.TB, c *catalog.Catalog, workspace, entityID int64, page entity.Page) ([]entity.Version, int64) {
	t.Helper()
	all := []entity.Version{}
	total := check.Must(c.Entities.EachVersion(t.Context(), workspace, entityID, page, func(version *entity.Version) error {
		all = append(all, *version)
		return nil
	}))(t)
	return all, total
}

// Unchanged fails the test if do changes the contents of a workspace.
func Unchanged(t testing.TB, c *catalog.Catalog, workspace int64, do func()) {
	t.Helper()
	before := ContentsOf(t, c, workspace)
	do()
	if diff := cmp.Diff(before, ContentsOf(t, c, workspace)); diff != "" {
		t.Errorf("the contents have changed (-before +after):\n%s", diff)
	}
}
