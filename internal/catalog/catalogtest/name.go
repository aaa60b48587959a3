package catalogtest

import (
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
)

var nameCases = []testCase{
	{"ids by name", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.create(catalog.KindTool, "tool", nil)
		gone := s.prompt("gone")
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		names := append(numberedTags(1200), "a", "b", "a", "A", "tool", "gone") // more than one statement takes
		s.equal(check.Must(s.EntitiesByName(s.ctx, s.workspace, catalog.KindPrompt, names))(s.t), map[string]int64{"a": a.ID, "b": b.ID})
		s.equal(check.Must(s.EntitiesByName(s.ctx, s.other, catalog.KindPrompt, names))(s.t), map[string]int64{})
		s.equal(check.Must(s.EntitiesByName(s.ctx, s.workspace, catalog.KindPrompt, nil))(s.t), map[string]int64{})
	}},
	{"of several with one name the oldest", func(s *store) {
		oldest := s.create(catalog.KindReport, "x", nil)
		s.create(catalog.KindReport, "x", nil)
		ids := check.Must(s.EntitiesByName(s.ctx, s.workspace, catalog.KindReport, []string{"x"}))(s.t)
		s.equal(ids, map[string]int64{"x": oldest.ID})
	}},
	{"names by id, deleted ones too", func(s *store) {
		a, gone := s.prompt("a"), s.prompt("gone")
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := append(make([]int64, 1200), a.ID, gone.ID, a.ID, 999_999)
		s.equal(check.Must(s.EntityNames(s.ctx, s.workspace, ids))(s.t), map[int64]string{a.ID: "a", gone.ID: "gone"})
		s.equal(check.Must(s.EntityNames(s.ctx, s.other, ids))(s.t), map[int64]string{})
	}},
	{"folder paths", func(s *store) {
		top := s.create(catalog.KindFolder, "top", nil)
		inner := s.create(catalog.KindFolder, "in.ner", &top.ID)
		twin := s.create(catalog.KindFolder, "twin", &top.ID)
		prompt := s.create(catalog.KindPrompt, "p", &inner.ID)
		step := func(folder catalog.Entity) catalog.FolderStep {
			return catalog.FolderStep{ID: folder.ID, Name: folder.Name}
		}
		ids := append(make([]int64, 600), top.ID, inner.ID, twin.ID, prompt.ID, 999_999, inner.ID)
		want := map[int64][]catalog.FolderStep{
			top.ID:   {step(top)},
			inner.ID: {step(top), step(inner)},
			twin.ID:  {step(top), step(twin)},
		}
		s.equal(check.Must(s.FolderPaths(s.ctx, s.workspace, ids))(s.t), want)
		s.equal(check.Must(s.FolderPaths(s.ctx, s.other, ids))(s.t), map[int64][]catalog.FolderStep{})
		check.Must(s.MoveEntities(s.ctx, s.workspace, []int64{inner.ID}, &twin.ID))(s.t)
		paths := check.Must(s.FolderPaths(s.ctx, s.workspace, []int64{inner.ID}))(s.t)
		s.equal(paths[inner.ID], []catalog.FolderStep{step(top), step(twin), step(inner)})
	}},
}
