package storetest

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var moveCases = []testCase{
	{"move into a folder and back to the root", func(s *store) {
		folder, a, b := s.create(entity.KindFolder, "f", nil), s.prompt("a"), s.prompt("b")
		moved := check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{a.ID, b.ID, a.ID}, &folder.ID))(s.t)
		s.equal(moved, int64(2))
		s.equal(s.get(a.ID).FolderID, &folder.ID)
		s.equal(s.get(a.ID).UpdatedAt.After(a.UpdatedAt), true)
		s.equal(check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{a.ID}, nil))(s.t), int64(1))
		s.equal(s.get(a.ID).FolderID, (*int64)(nil))
		s.equal(check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, nil, nil))(s.t), int64(0))
	}},
	{"moves are all or nothing", func(s *store) {
		folder, a := s.create(entity.KindFolder, "f", nil), s.prompt("a")
		s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{a.ID, 999}, &folder.ID)), fault.NotFound)
		s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{a.ID}, pointer(int64(999)))), fault.NotFound)
		s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{a.ID}, &a.ID)), fault.NotFound)
		s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.other, []int64{a.ID}, nil)), fault.NotFound)
		s.equal(s.get(a.ID), a)
	}},
	{"a folder cannot contain itself", func(s *store) {
		top := s.create(entity.KindFolder, "top", nil)
		inner := s.create(entity.KindFolder, "inner", &top.ID)
		for _, target := range []int64{top.ID, inner.ID} {
			s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{top.ID}, &target)), fault.BadRequest)
		}
		s.equal(s.get(top.ID).FolderID, (*int64)(nil))
	}},
	{"folder names stay unique when folders move", func(s *store) {
		top, root := s.create(entity.KindFolder, "top", nil), s.create(entity.KindFolder, "a", nil)
		inner := s.create(entity.KindFolder, "a", &top.ID)
		s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{root.ID}, &top.ID)), fault.Conflict)
		s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{inner.ID}, nil)), fault.Conflict)
		check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, inner.ID, "b"))(s.t)
		check.Must(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{root.ID}, &top.ID))(s.t)
		s.create(entity.KindFolder, "a", nil)
		twin := entity.New{WorkspaceID: s.workspace, Kind: entity.KindFolder, Name: "a", FolderID: &top.ID}
		s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, twin)), fault.Conflict)
	}},
	{"hundreds of nested folders in one call", func(s *store) {
		ids := make([]int64, 510)
		s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
			var parent *int64
			for i := range ids {
				folder, err := s.Entities.CreateEntity(ctx, entity.New{
					WorkspaceID: s.workspace, Kind: entity.KindFolder, Name: "f", FolderID: parent,
				})
				if err != nil {
					return err
				}
				ids[i], parent = folder.ID, &ids[i]
			}
			return nil
		}))
		below := entity.Query{Folder: &entity.FolderScope{ID: ids[0], Deep: true}}
		s.equal(len(s.names(below)), len(ids)-1)
		top := []int64{ids[0]}
		s.fails(check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, top, &ids[len(ids)-1])), fault.BadRequest)
		s.fails(check.Failure(s.Entities.RemoveEntities(s.ctx, s.workspace, append(slices.Clone(ids), 999_999))), fault.NotFound)
		s.equal(check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, ids))(s.t), int64(len(ids)))
		s.equal(s.names(entity.Query{}), []string{})
	}},
	{"names of prompts are unique across folders", func(s *store) {
		folder := s.create(entity.KindFolder, "f", nil)
		s.create(entity.KindPrompt, "p", &folder.ID)
		s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, entity.New{
			WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "p",
		})), fault.Conflict)
	}},
	{"concurrent moves do not create a cycle", func(s *store) {
		folders := make([]int64, crowd)
		for i := range folders {
			folders[i] = s.create(entity.KindFolder, fmt.Sprint(i), nil).ID
		}
		// Each even folder and the odd one after it are moved into each other.
		errs := check.Together(crowd, func(i int) error {
			return check.Failure(s.Entities.MoveEntities(s.ctx, s.workspace, []int64{folders[i]}, &folders[i^1]))
		})
		for i := 0; i < crowd; i += 2 {
			s.oneWinner(errs[i:i+2], fault.BadRequest)
		}
	}},
}

var deleteCases = []testCase{
	{"deleted entities are hidden and free their names", func(s *store) {
		owner := s.prompt("x")
		s.version(owner.ID, `{"a":1}`)
		s.equal(check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID, owner.ID}))(s.t), int64(1))
		s.fails(check.Failure(s.Entities.GetEntity(s.ctx, s.workspace, owner.ID)), fault.NotFound)
		s.fails(check.Failure(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, "x")), fault.NotFound)
		s.fails(check.Failure(s.Entities.RenameEntity(s.ctx, s.workspace, owner.ID, "y")), fault.NotFound)
		s.fails(check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, owner.ID, entity.NewVersion{Body: []byte(`{}`)})), fault.NotFound)
		s.fails(check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1)), fault.NotFound)
		ref := entity.ExternalRef{Source: "a", ID: "b"}
		s.fails(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref), fault.NotFound)
		s.fails(check.Failure(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID})), fault.NotFound)
		s.prompt("x")
	}},
	{"deleted entities can be listed", func(s *store) {
		gone := s.prompt("gone")
		s.prompt("live")
		s.version(gone.ID, `{"a":1}`)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		s.equal(s.names(entity.Query{}), []string{"live"})
		s.equal(s.names(entity.Query{Status: entity.Deleted}), []string{"gone"})
		s.equal(s.names(entity.Query{Status: entity.LiveOrDeleted}), []string{"live", "gone"})
		s.equal(string(s.latest(s.workspace, gone.ID).Body), `{"a":1}`)
	}},
	{"labels and external ids are deleted, too", func(s *store) {
		owner := s.prompt("x")
		s.version(owner.ID, `{}`)
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		ref := entity.ExternalRef{Source: "a", ID: "b"}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref))
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID}))(s.t)
		s.fails(check.Failure(s.Entities.GetLabel(s.ctx, s.workspace, label.ID)), fault.NotFound)
		s.fails(check.Failure(s.Entities.FindByExternalID(s.ctx, s.workspace, ref)), fault.NotFound)
		s.equal(len(check.Must(s.Entities.ListExternalIDs(s.ctx, s.workspace, owner.ID))(s.t)), 0)
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, s.prompt("y").ID, ref))
	}},
	{"deletion is all or nothing", func(s *store) {
		owner := s.prompt("x")
		for _, remove := range []func() (int64, error){
			func() (int64, error) { return s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID, 999}) },
			func() (int64, error) { return s.Entities.SoftDelete(s.ctx, s.other, []int64{owner.ID}) },
			func() (int64, error) { return s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{owner.ID, 999}) },
			func() (int64, error) { return s.Entities.RemoveEntities(s.ctx, s.other, []int64{owner.ID}) },
		} {
			s.fails(check.Failure(remove()), fault.NotFound)
		}
		s.equal(s.get(owner.ID), owner)
	}},
	{"removed entities leave nothing", func(s *store) {
		owner := s.prompt("x")
		version := s.version(owner.ID, `{}`)
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		ref := entity.ExternalRef{Source: "a", ID: "b"}
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, ref))
		s.equal(check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{owner.ID}))(s.t), int64(1))
		s.equal(s.names(entity.Query{Status: entity.LiveOrDeleted}), []string{})
		s.fails(check.Failure(s.Entities.GetVersionByID(s.ctx, s.workspace, version.ID)), fault.NotFound)
		s.fails(check.Failure(s.Entities.GetLabel(s.ctx, s.workspace, label.ID)), fault.NotFound)
		s.fails(check.Failure(s.Entities.FindByExternalID(s.ctx, s.workspace, ref)), fault.NotFound)
	}},
	{"folders with live entities cannot be removed", func(s *store) {
		top := s.create(entity.KindFolder, "top", nil)
		inner := s.create(entity.KindFolder, "inner", &top.ID)
		prompt := s.create(entity.KindPrompt, "p", &inner.ID)
		both := []int64{top.ID, inner.ID}
		s.fails(check.Failure(s.Entities.RemoveEntities(s.ctx, s.workspace, both)), fault.Conflict)
		s.equal(s.get(inner.ID), inner)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{prompt.ID}))(s.t)
		s.equal(check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, both))(s.t), int64(2))
		s.equal(s.names(entity.Query{Status: entity.LiveOrDeleted}), []string{"p"})
	}},
}
