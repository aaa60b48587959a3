package prompt_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

// counting counts the calls of the methods that reads need. The embedded
// interface is nil: any other call panics, so that none is missed.
type counting struct {
	entity.Store
	real  *catalog.Catalog
	calls map[string]int
	// references counts the references passed to VersionsByName.
	references int
}

func (c *counting) Revision(ctx context.Context, workspace int64) (int64, error) {
	c.calls["Revision"]++
	return c.real.Revision(ctx, workspace)
}

func (c *counting) FindVersion(
	ctx context.Context, workspace int64, kind entity.Kind, selector entity.Selector,
) (entity.FoundVersion, error) {
	c.calls["FindVersion"]++
	return c.real.Entities.FindVersion(ctx, workspace, kind, selector)
}

func (c *counting) VersionsByName(
	ctx context.Context, workspace int64, kind entity.Kind, refs []entity.Reference,
) ([]entity.FoundVersion, error) {
	c.calls["VersionsByName"]++
	c.references += len(refs)
	return c.real.Entities.VersionsByName(ctx, workspace, kind, refs)
}

func (c *counting) ExternalIDsByEntity(ctx context.Context, workspace int64, ids []int64) (map[int64][]entity.ExternalID, error) {
	c.calls["ExternalIDsByEntity"]++
	return c.real.Entities.ExternalIDsByEntity(ctx, workspace, ids)
}

func (c *counting) FindABTestByLabel(ctx context.Context, workspace, label int64) (entity.ABTest, bool, error) {
	c.calls["FindABTestByLabel"]++
	return c.real.Entities.FindABTestByLabel(ctx, workspace, label)
}

func (c *counting) ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error) {
	c.calls["ListEntities"]++
	return c.real.Entities.ListEntities(ctx, query)
}

func (c *counting) LatestVersions(ctx context.Context, workspace int64, ids []int64) (map[int64]entity.Version, error) {
	c.calls["LatestVersions"]++
	return c.real.Entities.LatestVersions(ctx, workspace, ids)
}

func (c *counting) FolderPaths(ctx context.Context, workspace int64, folders []int64) (map[int64][]entity.FolderStep, error) {
	c.calls["FolderPaths"]++
	return c.real.Entities.FolderPaths(ctx, workspace, folders)
}

func (r *suite) counting() (*prompt.Service, *counting) {
	c := &counting{real: r.catalog, calls: map[string]int{}}
	return prompt.NewService(c, nil), c
}

// nest publishes a template that uses 20 snippets on three levels and has ten
// labels, the last of which is "label 9".
func (r *suite) nest() {
	for i := range 12 {
		r.publish(fmt.Sprintf("low %d", i), completion("low"))
	}
	for i := range 4 {
		r.publish(fmt.Sprintf("middle %d", i), completion(
			fmt.Sprintf("@@@low %d@@@ @@@low %d@@@ @@@low %d@@@", 3*i, 3*i+1, 3*i+2)))
	}
	var high []string
	for i := range 4 {
		r.publish(fmt.Sprintf("high %d", i), completion(fmt.Sprintf("@@@middle %d@@@", i)))
		high = append(high, fmt.Sprintf("@@@high %d@@@", i))
	}
	var labels []string
	for i := range 10 {
		labels = append(labels, fmt.Sprintf("label %d", i))
	}
	r.publish("top", completion(strings.Join(high, " ")), labels...)
}

func TestReadingTakesFewCalls(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	r.nest()
	for name, test := range map[string]struct {
		version registry.Selector
		want    map[string]int
	}{
		"latest": {
			want: map[string]int{"Revision": 1, "FindVersion": 1, "VersionsByName": 3, "ExternalIDsByEntity": 1},
		},
		"by label": {
			version: registry.Selector{Label: "label 9"},
			want: map[string]int{
				"Revision": 1, "FindVersion": 1, "VersionsByName": 3, "ExternalIDsByEntity": 1, "FindABTestByLabel": 1,
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			service, counted := r.counting()
			found := check.Must(service.Get(r.ctx, r.workspace, "top", test.version))(t)
			check.Equal(t, "snippets", len(found.Snippets), 20)
			check.Equal(t, "calls of a first read", counted.calls, test.want)
			clear(counted.calls)
			check.Must(service.Get(r.ctx, r.workspace, "top", test.version))(t)
			check.Equal(t, "calls of a second read", counted.calls, map[string]int{"Revision": 1})
			clear(counted.calls)
			check.Must(service.Prepare(r.ctx, r.workspace, "top", prompt.Request{Version: test.version}))(t)
			check.Equal(t, "calls of a run", counted.calls, map[string]int{"Revision": 1})
		})
	}
}

func TestListingTakesFewCalls(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	folder := r.folder("shelf")
	for i := range 30 {
		check.Must(r.Publish(r.ctx, r.workspace, prompt.Publication{
			Name: fmt.Sprint(i), Content: completion("x"), FolderID: &folder,
			Release: registry.Release{ExternalIDs: []entity.ExternalRef{{Source: "crm", ID: fmt.Sprint(i)}}},
		}))(t)
	}
	service, counted := r.counting()
	found, total, err := service.List(r.ctx, entity.Query{WorkspaceID: r.workspace, Page: entity.Page{Limit: 30}})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 30 || total != 30 {
		t.Errorf("got %d of %d templates, want 30 of 30", len(found), total)
	}
	check.Equal(t, "calls", counted.calls, map[string]int{
		"ListEntities": 1, "LatestVersions": 1, "ExternalIDsByEntity": 1, "FolderPaths": 1,
	})
}
