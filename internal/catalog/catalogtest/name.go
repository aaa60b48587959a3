package catalogtest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

var nameCases = []testCase{
	{"ids by name", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.create(entity.KindTool, "tool", nil)
		gone := s.prompt("gone")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		names := append(numberedTags(1200), "a", "b", "a", "A", "tool", "gone") // more than one statement takes
		s.equal(check.Must(s.Entities.EntitiesByName(s.ctx, s.workspace, entity.KindPrompt, names))(s.t), map[string]int64{"a": a.ID, "b": b.ID})
		s.equal(check.Must(s.Entities.EntitiesByName(s.ctx, s.other, entity.KindPrompt, names))(s.t), map[string]int64{})
		s.equal(check.Must(s.Entities.EntitiesByName(s.ctx, s.workspace, entity.KindPrompt, nil))(s.t), map[string]int64{})
	}},
	{"of several with one name the oldest", func(s *store) {
		oldest := s.create(entity.KindReport, "x", nil)
		s.create(entity.KindReport, "x", nil)
		ids := check.Must(s.Entities.EntitiesByName(s.ctx, s.workspace, entity.KindReport, []string{"x"}))(s.t)
		s.equal(ids, map[string]int64{"x": oldest.ID})
	}},
	{"names by id, deleted ones too", func(s *store) {
		a, gone := s.prompt("a"), s.prompt("gone")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		ids := append(make([]int64, 1200), a.ID, gone.ID, a.ID, 999_999)
		s.equal(check.Must(s.Entities.EntityNames(s.ctx, s.workspace, ids))(s.t), map[int64]string{a.ID: "a", gone.ID: "gone"})
		s.equal(check.Must(s.Entities.EntityNames(s.ctx, s.other, ids))(s.t), map[int64]string{})
	}},
	{"folder paths", func(s *store) {
		top := s.create(entity.KindFolder, "top", nil)
		inner := s.create(entity.KindFolder, "in.ner", &top.ID)
		twin := s.create(entity.KindFolder, "twin", &top.ID)
		prompt := s.create(entity.KindPrompt, "p", &inner.ID)
		step := func(folder entity.Entity) entity.FolderStep {
			return entity.FolderStep{ID: folder.ID, Name: folder.Name}
		}
		ids := append(make([]int64, 600), top.ID, inner.ID, twin.ID, prompt.ID, 999_999, inner.ID)
		want := map[int64][]entity.FolderStep{
			top.ID:   {step(top)},
			inner.ID: {step(top), step(inner)},
			twin.ID:  {step(top), step(twin)},
		}
		s.equal(check.Must(s.Entities.FolderPaths(s.ctx, s.workspace, ids))(s.t), want)
		s.equal(check.Must(s.Entities.FolderPaths(s.ctx, s.other, ids))(s.t), map[int64][]entity.FolderStep{})
		check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{inner.ID}, &twin.ID))(s.t)
		paths := check.Must(s.Entities.FolderPaths(s.ctx, s.workspace, []int64{inner.ID}))(s.t)
		s.equal(paths[inner.ID], []entity.FolderStep{step(top), step(twin), step(inner)})
	}},
}
