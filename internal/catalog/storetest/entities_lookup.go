package storetest

import (
	"errors"
	"slices"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var lookupCases = []testCase{
	{"ids by name", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.create(entity.KindTool, "tool", nil)
		gone := s.prompt("gone")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		names := append(numberedTags(1200), "a", "b", "a", "A", "tool", "gone") // more than fit in one statement
		s.equal(check.Must(s.Entities.EntitiesByName(s.ctx, s.workspace, entity.KindPrompt, names))(s.t), map[string]int64{"a": a.ID, "b": b.ID})
		s.equal(check.Must(s.Entities.EntitiesByName(s.ctx, s.other, entity.KindPrompt, names))(s.t), map[string]int64{})
		s.equal(check.Must(s.Entities.EntitiesByName(s.ctx, s.workspace, entity.KindPrompt, nil))(s.t), map[string]int64{})
	}},
	{"the oldest of several with one name", func(s *store) {
		oldest := s.create(entity.KindReport, "x", nil)
		s.create(entity.KindReport, "x", nil)
		ids := check.Must(s.Entities.EntitiesByName(s.ctx, s.workspace, entity.KindReport, []string{"x"}))(s.t)
		s.equal(ids, map[string]int64{"x": oldest.ID})
	}},
	{"deleted entities by name", func(s *store) {
		ids := func(workspace int64, names ...string) map[string][]int64 {
			return check.Must(s.Entities.DeletedByName(s.ctx, workspace, entity.KindPrompt, names))(s.t)
		}
		s.create(entity.KindTool, "a", nil)
		first := s.prompt("a")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{first.ID}))(s.t)
		second, renamed := s.prompt("a"), s.prompt("old")
		check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, renamed.ID, "new"))(s.t)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{second.ID, renamed.ID}))(s.t)
		s.prompt("a")
		names := append(numberedTags(1200), "a", "A", "old", "new", "a") // more than fit in one statement
		s.equal(ids(s.workspace, names...), map[string][]int64{"a": {second.ID, first.ID}, "new": {renamed.ID}})
		s.equal(ids(s.other, names...), map[string][]int64{})
		s.equal(ids(s.workspace), map[string][]int64{})
	}},
	{"names by id, including deleted entities", func(s *store) {
		a, gone := s.prompt("a"), s.prompt("gone")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := append(make([]int64, 1200), a.ID, gone.ID, a.ID, 999_999)
		s.equal(check.Must(s.Entities.EntityNames(s.ctx, s.workspace, ids))(s.t), map[int64]string{a.ID: "a", gone.ID: "gone"})
		s.equal(check.Must(s.Entities.EntityNames(s.ctx, s.other, ids))(s.t), map[int64]string{})
	}},
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
	{"entities by UUID", func(s *store) {
		for _, kind := range []entity.Kind{entity.KindSkill, entity.KindTool} {
			check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
				WorkspaceID: s.workspace, Kind: kind, Name: string(kind), UUID: "v1",
			}))(s.t)
		}
		find := func(workspace int64, uuids ...string) []string {
			return namesOf(check.Must(s.Entities.EntitiesByUUID(s.ctx, workspace, entity.KindSkill, uuids))(s.t))
		}
		s.equal(find(s.workspace, "v1", "v2", "v1"), []string{"skill"})
		s.equal(find(s.workspace, "V1", ""), []string{})
		s.equal(find(s.other, "v1"), []string{})
	}},
	{"entities of versions", func(s *store) {
		a, gone := s.prompt("a"), s.prompt("gone")
		first, second, last := s.version(a.ID, `1`), s.version(a.ID, `2`), s.version(gone.ID, `3`)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := []int64{first.ID, second.ID, last.ID, a.ID, 999}
		owner := s.get(a.ID)
		s.equal(check.Must(s.Entities.OwnersOfVersions(s.ctx, s.workspace, ids))(s.t),
			map[int64]entity.Entity{first.ID: owner, second.ID: owner})
		s.equal(check.Must(s.Entities.OwnersOfVersions(s.ctx, s.other, ids))(s.t), map[int64]entity.Entity{})
	}},
	{"latest versions of the entities of a query", func(s *store) {
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
	{"external ids of the entities of a query", func(s *store) {
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
	{"an error ends a visit", func(s *store) {
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
