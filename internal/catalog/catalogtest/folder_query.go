package catalogtest

import (
	"context"
	"errors"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// namesOf returns the names of entities in an order of their own.
func namesOf(entities []catalog.Entity) []string {
	names := []string{}
	for _, entity := range entities {
		names = append(names, entity.Name)
	}
	slices.Sort(names)
	return names
}

var folderQueryCases = []testCase{
	{"entities by id", func(s *store) {
		a, gone, folder := s.prompt("a"), s.prompt("gone"), s.create(catalog.KindFolder, "f", nil)
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := []int64{a.ID, folder.ID, gone.ID, a.ID, 999}
		s.equal(namesOf(check.Must(s.EntitiesByID(s.ctx, s.workspace, ids))(s.t)), []string{"a", "f"})
		s.equal(namesOf(check.Must(s.EntitiesByID(s.ctx, s.other, ids))(s.t)), []string{})
		s.equal(namesOf(check.Must(s.EntitiesByID(s.ctx, s.workspace, nil))(s.t)), []string{})
		for i := range int64(1200) {
			ids = append(ids, 10_000+i)
		}
		found := check.Must(s.EntitiesByID(s.ctx, s.workspace, append(ids, folder.ID)))(s.t)
		s.equal(namesOf(found), []string{"a", "f"})
		s.equal(found[slices.IndexFunc(found, func(e catalog.Entity) bool { return e.ID == a.ID })], a)
	}},
	{"entities by variant", func(s *store) {
		for _, kind := range []catalog.Kind{catalog.KindSkill, catalog.KindTool} {
			check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{
				WorkspaceID: s.workspace, Kind: kind, Name: string(kind), Variant: "v1",
			}))(s.t)
		}
		find := func(workspace int64, variants ...string) []string {
			return namesOf(check.Must(s.EntitiesByVariant(s.ctx, workspace, catalog.KindSkill, variants))(s.t))
		}
		s.equal(find(s.workspace, "v1", "v2", "v1"), []string{"skill"})
		s.equal(find(s.workspace, "V1", ""), []string{})
		s.equal(find(s.other, "v1"), []string{})
	}},
	{"the entities of versions", func(s *store) {
		a, gone := s.prompt("a"), s.prompt("gone")
		first, second, last := s.version(a.ID, `1`), s.version(a.ID, `2`), s.version(gone.ID, `3`)
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := []int64{first.ID, second.ID, last.ID, a.ID, 999}
		owner := s.get(a.ID)
		s.equal(check.Must(s.OwnersOfVersions(s.ctx, s.workspace, ids))(s.t),
			map[int64]catalog.Entity{first.ID: owner, second.ID: owner})
		s.equal(check.Must(s.OwnersOfVersions(s.ctx, s.other, ids))(s.t), map[int64]catalog.Entity{})
	}},
	{"latest versions of what a query selects", func(s *store) {
		folder := s.create(catalog.KindFolder, "f", nil)
		a := s.create(catalog.KindPrompt, "a", &folder.ID)
		s.version(a.ID, `1`)
		last := s.version(a.ID, `{"n":2}`)
		s.create(catalog.KindPrompt, "empty", &folder.ID)
		s.version(s.prompt("root").ID, `3`)
		s.ok(s.AttachExternalID(s.ctx, s.workspace, a.ID, catalog.ExternalRef{Source: "s", ID: "1"}))
		for _, query := range []catalog.EntityQuery{
			{WorkspaceID: s.workspace, Folder: &catalog.FolderScope{ID: folder.ID, Deep: true}},
			{WorkspaceID: s.workspace, ExternalID: &catalog.ExternalRef{Source: "s", ID: "1"}},
			{WorkspaceID: s.workspace, NameContains: "A", CreatedBefore: &a.CreatedAt, Kinds: []catalog.Kind{catalog.KindPrompt}},
		} {
			visited := []catalog.FoundVersion{}
			s.ok(s.VisitLatestVersions(s.ctx, query, func(found catalog.FoundVersion) error {
				visited = append(visited, found)
				return nil
			}))
			s.equal(visited, []catalog.FoundVersion{{Entity: s.get(a.ID), Version: last}})
		}
		none := func(catalog.FoundVersion) error { return errors.New("visited") }
		s.ok(s.VisitLatestVersions(s.ctx, catalog.EntityQuery{WorkspaceID: s.other}, none))
		s.fails(s.VisitLatestVersions(s.ctx, catalog.EntityQuery{NameContains: "\xff"}, none), fault.Invalid)
	}},
	{"external ids of what a query selects", func(s *store) {
		folder := s.create(catalog.KindFolder, "f", nil)
		a, b := s.create(catalog.KindPrompt, "a", &folder.ID), s.prompt("b")
		first, second := catalog.ExternalRef{Source: "z", ID: "1"}, catalog.ExternalRef{Source: "a", ID: "2"}
		for _, ref := range []catalog.ExternalRef{first, second} {
			s.ok(s.AttachExternalID(s.ctx, s.workspace, a.ID, ref))
		}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, b.ID, catalog.ExternalRef{Source: "a", ID: "1"}))
		for _, query := range []catalog.EntityQuery{
			{Folder: &catalog.FolderScope{ID: folder.ID, Deep: true}}, {IDs: []int64{a.ID}}, {NameContains: "A"},
			{ExternalID: &second, CreatedAfter: &a.CreatedAt},
		} {
			query.WorkspaceID = s.workspace
			s.equal(check.Must(s.ExternalIDsOf(s.ctx, query))(s.t), check.Must(s.ExternalIDsByEntity(s.ctx, s.workspace, []int64{a.ID}))(s.t))
		}
		s.equal(len(check.Must(s.ExternalIDsOf(s.ctx, catalog.EntityQuery{WorkspaceID: s.workspace}))(s.t)), 2)
		s.equal(len(check.Must(s.ExternalIDsOf(s.ctx, catalog.EntityQuery{WorkspaceID: s.other}))(s.t)), 0)
		s.fails(check.Failure(s.ExternalIDsOf(s.ctx, catalog.EntityQuery{NameContains: "\xff"})), fault.Invalid)
	}},
	{"a visit can be ended", func(s *store) {
		s.version(s.prompt("a").ID, `1`)
		s.version(s.prompt("b").ID, `2`)
		enough := errors.New("enough")
		visits := 0
		err := s.VisitLatestVersions(s.ctx, catalog.EntityQuery{WorkspaceID: s.workspace}, func(catalog.FoundVersion) error {
			visits++
			return enough
		})
		s.equal(errors.Is(err, enough), true)
		s.equal(visits, 1)
	}},
}

var folderTreeCases = []testCase{
	{"what lies in folders", func(s *store) {
		top := s.create(catalog.KindFolder, "top", nil)
		inner := s.create(catalog.KindFolder, "inner", &top.ID)
		s.create(catalog.KindPrompt, "deep", &inner.ID)
		s.create(catalog.KindTool, "middle", &top.ID)
		gone := s.create(catalog.KindPrompt, "gone", &top.ID)
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		root := s.prompt("root")
		below := func(workspace int64, ids ...int64) []string {
			return namesOf(check.Must(s.EntitiesBelow(s.ctx, workspace, ids))(s.t))
		}
		s.equal(below(s.workspace, top.ID), []string{"deep", "inner", "middle"})
		s.equal(below(s.workspace, inner.ID, inner.ID, root.ID, 999), []string{"deep"})
		s.equal(below(s.workspace), []string{})
		s.equal(below(s.other, top.ID), []string{})
	}},
	{"how high folders are", func(s *store) {
		top := s.create(catalog.KindFolder, "top", nil)
		inner := s.create(catalog.KindFolder, "inner", &top.ID)
		s.create(catalog.KindPrompt, "deep", &inner.ID)
		side := s.create(catalog.KindFolder, "side", nil)
		height := func(workspace int64, ids ...int64) int64 {
			return check.Must(s.FolderHeight(s.ctx, workspace, ids))(s.t)
		}
		s.equal(height(s.workspace, top.ID), int64(2))
		s.equal(height(s.workspace, side.ID, inner.ID), int64(1))
		s.equal(height(s.workspace, side.ID, top.ID), int64(2))
		s.equal(height(s.workspace, s.prompt("p").ID, 999), int64(0))
		s.equal(height(s.other, top.ID), int64(0))
	}},
	{"paths", func(s *store) {
		a := s.create(catalog.KindFolder, "a", nil)
		ab := s.create(catalog.KindFolder, "b", &a.ID)
		dotted := s.create(catalog.KindFolder, "a.b", nil)
		strange := s.create(catalog.KindFolder, "ü%_'", &dotted.ID)
		s.create(catalog.KindPrompt, "p", &a.ID)
		tests := []struct {
			path, separator string
			want            []int64
		}{
			{"a", ".", []int64{a.ID}},
			{"a.b", ".", []int64{ab.ID, dotted.ID}},
			{"a/b", "/", []int64{ab.ID}},
			{"a/b", ".", []int64{}},
			{"a.b.ü%_'", ".", []int64{strange.ID}},
			{"a.b/ü%_'", "/", []int64{strange.ID}},
			{"a.b.üxx'", ".", []int64{}},
			{"A", ".", []int64{}},
			{"b", ".", []int64{}},
			{"a.p", ".", []int64{}},
			{"a.b.c", ".", []int64{}},
			{"", ".", []int64{}},
		}
		for _, test := range tests {
			found := check.Must(s.ResolvePath(s.ctx, s.workspace, test.path, test.separator))(s.t)
			slices.Sort(found)
			s.equal(found, test.want)
		}
		s.equal(check.Must(s.ResolvePath(s.ctx, s.other, "a", "."))(s.t), []int64{})
	}},
	{"nothing is moved while the tree is locked", func(s *store) {
		folder, prompt := s.create(catalog.KindFolder, "f", nil), s.prompt("p")
		moved := make(chan error, 1)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			if err := s.LockTree(ctx, s.workspace); err != nil {
				return err
			}
			go func() { moved <- check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{prompt.ID}, &folder.ID)) }()
			if _, err := s.RemoveEntities(ctx, s.workspace, []int64{folder.ID}); err != nil {
				return err
			}
			found, err := s.GetEntity(ctx, s.workspace, prompt.ID)
			s.equal(found.FolderID, (*int64)(nil))
			return err
		}))
		s.fails(<-moved, fault.NotFound)
		s.equal(s.get(prompt.ID).FolderID, (*int64)(nil))
	}},
}
