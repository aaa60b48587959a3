package catalogtest

import (
	"context"
	"errors"
	"slices"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// namesOf returns the names of entities in an order of their own.
func namesOf(entities []entity.Entity) []string {
	names := []string{}
	for _, owner := range entities {
		names = append(names, owner.Name)
	}
	slices.Sort(names)
	return names
}

var folderQueryCases = []testCase{
	{"entities by id", func(s *store) {
		a, gone, folder := s.prompt("a"), s.prompt("gone"), s.create(entity.KindFolder, "f", nil)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := []int64{a.ID, folder.ID, gone.ID, a.ID, 999}
		s.equal(namesOf(check.Must(s.Entities.EntitiesByID(s.ctx, s.workspace, ids))(s.t)), []string{"a", "f"})
		s.equal(namesOf(check.Must(s.Entities.EntitiesByID(s.ctx, s.other, ids))(s.t)), []string{})
		s.equal(namesOf(check.Must(s.Entities.EntitiesByID(s.ctx, s.workspace, nil))(s.t)), []string{})
		for i := range int64(1200) {
			ids = append(ids, 10_000+i)
		}
		found := check.Must(s.Entities.EntitiesByID(s.ctx, s.workspace, append(ids, folder.ID)))(s.t)
		s.equal(namesOf(found), []string{"a", "f"})
		s.equal(found[slices.IndexFunc(found, func(e entity.Entity) bool { return e.ID == a.ID })], a)
	}},
	{"entities by variant", func(s *store) {
		for _, kind := range []entity.Kind{entity.KindSkill, entity.KindTool} {
			check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
				WorkspaceID: s.workspace, Kind: kind, Name: string(kind), Variant: "v1",
			}))(s.t)
		}
		find := func(workspace int64, variants ...string) []string {
			return namesOf(check.Must(s.Entities.EntitiesByVariant(s.ctx, workspace, entity.KindSkill, variants))(s.t))
		}
		s.equal(find(s.workspace, "v1", "v2", "v1"), []string{"skill"})
		s.equal(find(s.workspace, "V1", ""), []string{})
		s.equal(find(s.other, "v1"), []string{})
	}},
	{"the entities of versions", func(s *store) {
		a, gone := s.prompt("a"), s.prompt("gone")
		first, second, last := s.version(a.ID, `1`), s.version(a.ID, `2`), s.version(gone.ID, `3`)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := []int64{first.ID, second.ID, last.ID, a.ID, 999}
		owner := s.get(a.ID)
		s.equal(check.Must(s.Entities.OwnersOfVersions(s.ctx, s.workspace, ids))(s.t),
			map[int64]entity.Entity{first.ID: owner, second.ID: owner})
		s.equal(check.Must(s.Entities.OwnersOfVersions(s.ctx, s.other, ids))(s.t), map[int64]entity.Entity{})
	}},
	{"latest versions of what a query selects", func(s *store) {
		folder := s.create(entity.KindFolder, "f", nil)
		a := s.create(entity.KindPrompt, "a", &folder.ID)
		s.version(a.ID, `1`)
		last := s.version(a.ID, `{"n":2}`)
		s.create(entity.KindPrompt, "empty", &folder.ID)
		s.version(s.prompt("root").ID, `3`)
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, a.ID, entity.ExternalRef{Source: "s", ID: "1"}))
		for _, query := range []entity.Query{
			{WorkspaceID: s.workspace, Folder: &entity.FolderScope{ID: folder.ID, Deep: true}},
			{WorkspaceID: s.workspace, ExternalID: &entity.ExternalRef{Source: "s", ID: "1"}},
			{WorkspaceID: s.workspace, NameContains: "A", CreatedBefore: &a.CreatedAt, Kinds: []entity.Kind{entity.KindPrompt}},
		} {
			visited := []entity.FoundVersion{}
			s.ok(s.Entities.VisitLatestVersions(s.ctx, query, func(found entity.FoundVersion) error {
				visited = append(visited, found)
				return nil
			}))
			s.equal(visited, []entity.FoundVersion{{Entity: s.get(a.ID), Version: last}})
		}
		none := func(entity.FoundVersion) error { return errors.New("visited") }
		s.ok(s.Entities.VisitLatestVersions(s.ctx, entity.Query{WorkspaceID: s.other}, none))
		s.fails(s.Entities.VisitLatestVersions(s.ctx, entity.Query{NameContains: "\xff"}, none), fault.Invalid)
	}},
	{"external ids of what a query selects", func(s *store) {
		folder := s.create(entity.KindFolder, "f", nil)
		a, b := s.create(entity.KindPrompt, "a", &folder.ID), s.prompt("b")
		first, second := entity.ExternalRef{Source: "z", ID: "1"}, entity.ExternalRef{Source: "a", ID: "2"}
		for _, ref := range []entity.ExternalRef{first, second} {
			s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, a.ID, ref))
		}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, b.ID, entity.ExternalRef{Source: "a", ID: "1"}))
		for _, query := range []entity.Query{
			{Folder: &entity.FolderScope{ID: folder.ID, Deep: true}}, {IDs: []int64{a.ID}}, {NameContains: "A"},
			{ExternalID: &second, CreatedAfter: &a.CreatedAt},
		} {
			query.WorkspaceID = s.workspace
			s.equal(check.Must(s.Entities.ExternalIDsOf(s.ctx, query))(s.t), check.Must(s.Entities.ExternalIDsByEntity(s.ctx, s.workspace, []int64{a.ID}))(s.t))
		}
		s.equal(len(check.Must(s.Entities.ExternalIDsOf(s.ctx, entity.Query{WorkspaceID: s.workspace}))(s.t)), 2)
		s.equal(len(check.Must(s.Entities.ExternalIDsOf(s.ctx, entity.Query{WorkspaceID: s.other}))(s.t)), 0)
		s.fails(check.Failure(s.Entities.ExternalIDsOf(s.ctx, entity.Query{NameContains: "\xff"})), fault.Invalid)
	}},
	{"a visit can be ended", func(s *store) {
		s.version(s.prompt("a").ID, `1`)
		s.version(s.prompt("b").ID, `2`)
		enough := errors.New("enough")
		visits := 0
		err := s.Entities.VisitLatestVersions(s.ctx, entity.Query{WorkspaceID: s.workspace}, func(entity.FoundVersion) error {
			visits++
			return enough
		})
		s.equal(errors.Is(err, enough), true)
		s.equal(visits, 1)
	}},
}

var folderTreeCases = []testCase{
	{"what lies in folders", func(s *store) {
		top := s.create(entity.KindFolder, "top", nil)
		inner := s.create(entity.KindFolder, "inner", &top.ID)
		s.create(entity.KindPrompt, "deep", &inner.ID)
		s.create(entity.KindTool, "middle", &top.ID)
		gone := s.create(entity.KindPrompt, "gone", &top.ID)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		root := s.prompt("root")
		below := func(workspace int64, ids ...int64) []string {
			return namesOf(check.Must(s.Entities.EntitiesBelow(s.ctx, workspace, ids))(s.t))
		}
		s.equal(below(s.workspace, top.ID), []string{"deep", "inner", "middle"})
		s.equal(below(s.workspace, inner.ID, inner.ID, root.ID, 999), []string{"deep"})
		s.equal(below(s.workspace), []string{})
		s.equal(below(s.other, top.ID), []string{})
	}},
	{"how high folders are", func(s *store) {
		top := s.create(entity.KindFolder, "top", nil)
		inner := s.create(entity.KindFolder, "inner", &top.ID)
		s.create(entity.KindPrompt, "deep", &inner.ID)
		side := s.create(entity.KindFolder, "side", nil)
		height := func(workspace int64, ids ...int64) int64 {
			return check.Must(s.Entities.FolderHeight(s.ctx, workspace, ids))(s.t)
		}
		s.equal(height(s.workspace, top.ID), int64(2))
		s.equal(height(s.workspace, side.ID, inner.ID), int64(1))
		s.equal(height(s.workspace, side.ID, top.ID), int64(2))
		s.equal(height(s.workspace, s.prompt("p").ID, 999), int64(0))
		s.equal(height(s.other, top.ID), int64(0))
	}},
	{"paths", func(s *store) {
		a := s.create(entity.KindFolder, "a", nil)
		ab := s.create(entity.KindFolder, "b", &a.ID)
		dotted := s.create(entity.KindFolder, "a.b", nil)
		strange := s.create(entity.KindFolder, "ü%_'", &dotted.ID)
		s.create(entity.KindPrompt, "p", &a.ID)
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
			found := check.Must(s.Entities.ResolvePath(s.ctx, s.workspace, test.path, test.separator))(s.t)
			slices.Sort(found)
			s.equal(found, test.want)
		}
		s.equal(check.Must(s.Entities.ResolvePath(s.ctx, s.other, "a", "."))(s.t), []int64{})
	}},
	{"nothing is moved while the tree is locked", func(s *store) {
		folder, prompt := s.create(entity.KindFolder, "f", nil), s.prompt("p")
		moved := make(chan error, 1)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			if err := s.Entities.LockTree(ctx, s.workspace); err != nil {
				return err
			}
			go func() {
				moved <- check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{prompt.ID}, &folder.ID))
			}()
			if _, err := s.Entities.RemoveEntities(ctx, s.workspace, []int64{folder.ID}); err != nil {
				return err
			}
			found, err := s.Entities.GetEntity(ctx, s.workspace, prompt.ID)
			s.equal(found.FolderID, (*int64)(nil))
			return err
		}))
		s.fails(<-moved, fault.NotFound)
		s.equal(s.get(prompt.ID).FolderID, (*int64)(nil))
	}},
}
