package prompt_test

import (
	"context"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
)

// list returns the names and the version numbers of the templates that match.
func (r *suite) list(query entity.Query) (names []string, numbers []int64) {
	r.t.Helper()
	query.WorkspaceID = r.workspace
	found, total, err := r.List(r.ctx, query)
	if err != nil {
		r.t.Fatal(err)
	}
	if query.Page.Limit == 0 && total != int64(len(found)) {
		r.t.Errorf("the total is %d with %d templates listed", total, len(found))
	}
	for _, item := range found {
		names, numbers = append(names, item.Entity.Name), append(numbers, item.Version.Number)
	}
	return names, numbers
}

func TestList(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("a", completion("1"), "prod")
		r.publish("a", completion("2"))
		r.publish("b", chat("1"))
		r.publish("c", completion("1"), "prod", "beta")
		gone := r.publish("gone", completion("1"), "prod")
		r.attach(gone.Entity.ID, free)
		r.remove(gone.Entity.ID)
		r.attach(r.get("b", registry.Selector{}).Entity.ID, free)
		r.attach(r.tool(), foreign)
		r.folder("a folder is no template")
		for _, test := range []struct {
			name    string
			query   entity.Query
			names   []string
			numbers []int64
		}{
			{"all, newest first", entity.Query{}, []string{"c", "b", "a"}, []int64{1, 1, 2}},
			{"with a label", entity.Query{Label: new("prod")}, []string{"c", "a"}, []int64{1, 1}},
			{"with an unknown label", entity.Query{Label: new("nothing")}, nil, nil},
			{"snippets", entity.Query{Variant: new(entity.VariantSnippet)}, []string{"c", "a"}, []int64{1, 2}},
			{"others", entity.Query{Variant: new("")}, []string{"b"}, []int64{1}},
			{"deleted", entity.Query{Status: entity.Deleted}, []string{"gone"}, []int64{1}},
			{"deleted too", entity.Query{Status: entity.LiveOrDeleted}, []string{"gone", "c", "b", "a"}, []int64{1, 1, 1, 2}},
			{"external id", entity.Query{ExternalID: &free}, []string{"b"}, []int64{1}},
			{"external id of another kind", entity.Query{ExternalID: &foreign}, nil, nil},
			{"kinds are ignored", entity.Query{Kinds: []entity.Kind{entity.KindFolder}}, []string{"c", "b", "a"}, []int64{1, 1, 2}},
			{"second page", entity.Query{Page: entity.Page{Limit: 2, Offset: 2}}, []string{"a"}, []int64{2}},
			{"beyond the end", entity.Query{Page: entity.Page{Limit: 2, Offset: 4}}, nil, nil},
		} {
			t.Run(test.name, func(t *testing.T) {
				names, numbers := r.list(test.query)
				check.Equal(t, "names", names, test.names)
				check.Equal(t, "numbers", numbers, test.numbers)
			})
		}
	})
}

func TestListedFolders(t *testing.T) {
	t.Parallel()
	r := onSQLite(t)
	outer := r.folder("outer")
	inner := check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{
		WorkspaceID: r.workspace, Kind: entity.KindFolder, Name: "inner", FolderID: &outer,
	}))(t).ID
	r.publishAs(prompt.Publication{Name: "deep", Content: completion("x"), FolderID: &inner})
	r.publish("root", completion("@@@deep@@@"))
	found, _, err := r.List(r.ctx, entity.Query{WorkspaceID: r.workspace, Sort: entity.ByName, Ascending: true})
	if err != nil {
		t.Fatal(err)
	}
	check.Equal(t, "folder", found[0].Folder, []entity.FolderStep{{ID: outer, Name: "outer"}, {ID: inner, Name: "inner"}})
	check.Equal(t, "path", found[0].FolderPath(), "outer.inner")
	check.Equal(t, "path at the root", found[1].FolderPath(), "")
	check.Equal(t, "snippets stay tags", texts(found[1].Content.Template), []string{"@@@deep@@@"})
}

// interrupted calls a function before the labelled versions are read.
type interrupted struct {
	entity.Store
	meanwhile func()
}

func (c interrupted) LabelledVersions(
	ctx context.Context, workspace int64, ids []int64, label string,
) (map[int64]entity.Version, error) {
	c.meanwhile()
	return c.Store.LabelledVersions(ctx, workspace, ids, label)
}

func TestListDuringLabelDeletion(t *testing.T) {
	onEachEngine(t, func(t *testing.T, r *suite) {
		r.publish("stays", completion("x"), "prod")
		r.publish("goes", completion("x"), "prod")
		label := check.Must(r.Labels(r.ctx, r.workspace, "goes"))(t)[0]
		service := prompt.NewService(interrupted{r.catalog.Entities, func() {
			if err := r.labels.DeleteByID(r.ctx, r.workspace, entity.KindPrompt, label.ID); err != nil {
				t.Fatal(err)
			}
		}}, nil)
		found, _, err := service.List(r.ctx, entity.Query{WorkspaceID: r.workspace, Label: new("prod")})
		if err != nil {
			t.Fatal(err)
		}
		if len(found) != 1 || found[0].Entity.Name != "stays" {
			t.Errorf("got %d templates, want the one that has the label", len(found))
		}
	})
}
