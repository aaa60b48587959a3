package catalogtest

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var treeCases = []testCase{
	{"move into a folder and back to the root", func(s *store) {
		folder, a, b := s.create(catalog.KindFolder, "f", nil), s.prompt("a"), s.prompt("b")
		moved := check.Must(s.MoveEntities(s.ctx, s.workspace, []int64{a.ID, b.ID, a.ID}, &folder.ID))(s.t)
		s.equal(moved, int64(2))
		s.equal(s.get(a.ID).FolderID, &folder.ID)
		s.equal(s.get(a.ID).UpdatedAt.After(a.UpdatedAt), true)
		s.equal(check.Must(s.MoveEntities(s.ctx, s.workspace, []int64{a.ID}, nil))(s.t), int64(1))
		s.equal(s.get(a.ID).FolderID, (*int64)(nil))
		s.equal(check.Must(s.MoveEntities(s.ctx, s.workspace, nil, nil))(s.t), int64(0))
	}},
	{"all move or none", func(s *store) {
		folder, a := s.create(catalog.KindFolder, "f", nil), s.prompt("a")
		s.fails(check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{a.ID, 999}, &folder.ID)), fault.NotFound)
		s.fails(check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{a.ID}, pointer(int64(999)))), fault.NotFound)
		s.fails(check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{a.ID}, &a.ID)), fault.NotFound)
		s.fails(check.Failure(s.MoveEntities(s.ctx, s.other, []int64{a.ID}, nil)), fault.NotFound)
		s.equal(s.get(a.ID), a)
	}},
	{"a folder cannot lie in itself", func(s *store) {
		top := s.create(catalog.KindFolder, "top", nil)
		inner := s.create(catalog.KindFolder, "inner", &top.ID)
		for _, target := range []int64{top.ID, inner.ID} {
			s.fails(check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{top.ID}, &target)), fault.BadRequest)
		}
		s.equal(s.get(top.ID).FolderID, (*int64)(nil))
	}},
	{"folder names stay unique when folders move", func(s *store) {
		top, root := s.create(catalog.KindFolder, "top", nil), s.create(catalog.KindFolder, "a", nil)
		inner := s.create(catalog.KindFolder, "a", &top.ID)
		s.fails(check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{root.ID}, &top.ID)), fault.Conflict)
		s.fails(check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{inner.ID}, nil)), fault.Conflict)
		check.Must(s.RenameEntity(s.ctx, s.workspace, inner.ID, "b"))(s.t)
		check.Must(s.MoveEntities(s.ctx, s.workspace, []int64{root.ID}, &top.ID))(s.t)
		s.create(catalog.KindFolder, "a", nil)
		twin := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindFolder, Name: "a", FolderID: &top.ID}
		s.fails(check.Failure(s.CreateEntity(s.ctx, twin)), fault.Conflict)
	}},
	{"hundreds of folders, each in the one before, at once", func(s *store) {
		ids := make([]int64, 510)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			var parent *int64
			for i := range ids {
				folder, err := s.CreateEntity(ctx, catalog.NewEntity{
					WorkspaceID: s.workspace, Kind: catalog.KindFolder, Name: "f", FolderID: parent,
				})
				if err != nil {
					return err
				}
				ids[i], parent = folder.ID, &ids[i]
			}
			return nil
		}))
		below := catalog.EntityQuery{Folder: &catalog.FolderScope{ID: ids[0], Deep: true}}
		s.equal(len(s.names(below)), len(ids)-1)
		top := []int64{ids[0]}
		s.fails(check.Failure(s.MoveEntities(s.ctx, s.workspace, top, &ids[len(ids)-1])), fault.BadRequest)
		s.fails(check.Failure(s.RemoveEntities(s.ctx, s.workspace, append(slices.Clone(ids), 999_999))), fault.NotFound)
		s.equal(check.Must(s.RemoveEntities(s.ctx, s.workspace, ids))(s.t), int64(len(ids)))
		s.equal(s.names(catalog.EntityQuery{}), []string{})
	}},
	{"prompts of one name cannot meet, wherever they lie", func(s *store) {
		folder := s.create(catalog.KindFolder, "f", nil)
		s.create(catalog.KindPrompt, "p", &folder.ID)
		s.fails(check.Failure(s.CreateEntity(s.ctx, catalog.NewEntity{
			WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "p",
		})), fault.Conflict)
	}},
	{"folders moved into each other at once do not make a circle", func(s *store) {
		folders := make([]int64, crowd)
		for i := range folders {
			folders[i] = s.create(catalog.KindFolder, fmt.Sprint(i), nil).ID
		}
		// Each even one and the odd one after it are moved into each other.
		errs := check.Together(crowd, func(i int) error {
			return check.Failure(s.MoveEntities(s.ctx, s.workspace, []int64{folders[i]}, &folders[i^1]))
		})
		for i := 0; i < crowd; i += 2 {
			s.oneWinner(errs[i:i+2], fault.BadRequest)
		}
	}},
}

var deleteCases = []testCase{
	{"a deleted entity is hidden, its name free", func(s *store) {
		entity := s.prompt("x")
		s.version(entity.ID, `{"a":1}`)
		s.equal(check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{entity.ID, entity.ID}))(s.t), int64(1))
		s.fails(check.Failure(s.GetEntity(s.ctx, s.workspace, entity.ID)), fault.NotFound)
		s.fails(check.Failure(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, "x")), fault.NotFound)
		s.fails(check.Failure(s.RenameEntity(s.ctx, s.workspace, entity.ID, "y")), fault.NotFound)
		s.fails(check.Failure(s.AddVersion(s.ctx, s.workspace, entity.ID, catalog.NewVersion{Body: []byte(`{}`)})), fault.NotFound)
		s.fails(check.Failure(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1)), fault.NotFound)
		ref := catalog.ExternalRef{Source: "a", ID: "b"}
		s.fails(s.AttachExternalID(s.ctx, s.workspace, entity.ID, ref), fault.NotFound)
		s.fails(check.Failure(s.SoftDelete(s.ctx, s.workspace, []int64{entity.ID})), fault.NotFound)
		s.prompt("x")
	}},
	{"deleted entities are listed when asked for, with their versions", func(s *store) {
		gone := s.prompt("gone")
		s.prompt("live")
		s.version(gone.ID, `{"a":1}`)
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		s.equal(s.names(catalog.EntityQuery{}), []string{"live"})
		s.equal(s.names(catalog.EntityQuery{Status: catalog.Deleted}), []string{"gone"})
		s.equal(s.names(catalog.EntityQuery{Status: catalog.LiveOrDeleted}), []string{"live", "gone"})
		s.equal(string(check.Must(s.GetLatestVersion(s.ctx, s.workspace, gone.ID))(s.t).Body), `{"a":1}`)
	}},
	{"labels and external ids go with it", func(s *store) {
		entity := s.prompt("x")
		s.version(entity.ID, `{}`)
		label := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		ref := catalog.ExternalRef{Source: "a", ID: "b"}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, entity.ID, ref))
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{entity.ID}))(s.t)
		s.fails(check.Failure(s.GetLabel(s.ctx, s.workspace, label.ID)), fault.NotFound)
		s.fails(check.Failure(s.FindByExternalID(s.ctx, s.workspace, ref)), fault.NotFound)
		s.equal(len(check.Must(s.ListExternalIDs(s.ctx, s.workspace, entity.ID))(s.t)), 0)
		s.ok(s.AttachExternalID(s.ctx, s.workspace, s.prompt("y").ID, ref))
	}},
	{"all are deleted or none", func(s *store) {
		entity := s.prompt("x")
		for _, remove := range []func() (int64, error){
			func() (int64, error) { return s.SoftDelete(s.ctx, s.workspace, []int64{entity.ID, 999}) },
			func() (int64, error) { return s.SoftDelete(s.ctx, s.other, []int64{entity.ID}) },
			func() (int64, error) { return s.RemoveEntities(s.ctx, s.workspace, []int64{entity.ID, 999}) },
			func() (int64, error) { return s.RemoveEntities(s.ctx, s.other, []int64{entity.ID}) },
		} {
			s.fails(check.Failure(remove()), fault.NotFound)
		}
		s.equal(s.get(entity.ID), entity)
	}},
	{"a removed entity leaves nothing", func(s *store) {
		entity := s.prompt("x")
		version := s.version(entity.ID, `{}`)
		label := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		ref := catalog.ExternalRef{Source: "a", ID: "b"}
		s.ok(s.AttachExternalID(s.ctx, s.workspace, entity.ID, ref))
		s.equal(check.Must(s.RemoveEntities(s.ctx, s.workspace, []int64{entity.ID}))(s.t), int64(1))
		s.equal(s.names(catalog.EntityQuery{Status: catalog.LiveOrDeleted}), []string{})
		s.fails(check.Failure(s.GetVersionByID(s.ctx, s.workspace, version.ID)), fault.NotFound)
		s.fails(check.Failure(s.GetLabel(s.ctx, s.workspace, label.ID)), fault.NotFound)
		s.fails(check.Failure(s.FindByExternalID(s.ctx, s.workspace, ref)), fault.NotFound)
	}},
	{"a folder that holds something live is not removed", func(s *store) {
		top := s.create(catalog.KindFolder, "top", nil)
		inner := s.create(catalog.KindFolder, "inner", &top.ID)
		prompt := s.create(catalog.KindPrompt, "p", &inner.ID)
		both := []int64{top.ID, inner.ID}
		s.fails(check.Failure(s.RemoveEntities(s.ctx, s.workspace, both)), fault.Conflict)
		s.equal(s.get(inner.ID), inner)
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{prompt.ID}))(s.t)
		s.equal(check.Must(s.RemoveEntities(s.ctx, s.workspace, both))(s.t), int64(2))
		s.equal(s.names(catalog.EntityQuery{Status: catalog.LiveOrDeleted}), []string{"p"})
	}},
}
