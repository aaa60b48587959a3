package storetest

import (
	"context"
	"slices"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// namesOf returns the sorted names of entities.
func namesOf(entities []entity.Entity) []string {
	names := []string{}
	for _, owner := range entities {
		names = append(names, owner.Name)
	}
	slices.Sort(names)
	return names
}

var folderCases = []testCase{
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
	{"entities below folders", func(s *store) {
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
	{"height of folders", func(s *store) {
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
	{"resolve paths", func(s *store) {
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
	{"a locked tree does not change", func(s *store) {
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
