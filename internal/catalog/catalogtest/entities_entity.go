package catalogtest

import (
	"strings"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var entityCases = []testCase{
	{"create, get and find", func(s *store) {
		folder := s.create(entity.KindFolder, "team", nil)
		created := check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
			WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "greeting",
			FolderID: &folder.ID, Creator: pointer("ada@example.com"),
		}))(s.t)
		s.equal(created, entity.Entity{
			ID: created.ID, WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "greeting",
			FolderID: &folder.ID, Creator: pointer("ada@example.com"), Tags: []string{},
			CreatedAt: created.CreatedAt, UpdatedAt: created.CreatedAt,
		})
		s.equal(s.get(created.ID), created)
		s.equal(check.Must(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, "greeting"))(s.t), created)
	}},
	{"all kinds and versions share one sequence", func(s *store) {
		seen := map[int64]bool{}
		for _, kind := range []entity.Kind{entity.KindPrompt, entity.KindFolder, entity.KindReport, entity.KindTool} {
			owner := s.create(kind, "x", nil)
			version := s.version(owner.ID, `{}`)
			for _, id := range []int64{owner.ID, version.ID} {
				if seen[id] || id < 1 {
					s.t.Fatalf("id %d was handed out twice", id)
				}
				seen[id] = true
			}
		}
	}},
	{"unknown ids are not found", func(s *store) {
		s.fails(check.Failure(s.Entities.GetEntity(s.ctx, s.workspace, 999)), fault.NotFound)
		s.fails(check.Failure(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, "x")), fault.NotFound)
		s.fails(check.Failure(s.Entities.RenameEntity(s.ctx, s.workspace, 999, "x")), fault.NotFound)
		unknown := entity.New{WorkspaceID: 999, Kind: entity.KindPrompt, Name: "x"}
		s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, unknown)), fault.NotFound)
	}},
	{"other workspaces are isolated", func(s *store) {
		owner := s.prompt("x")
		s.fails(check.Failure(s.Entities.GetEntity(s.ctx, s.other, owner.ID)), fault.NotFound)
		s.fails(check.Failure(s.Entities.FindEntityByName(s.ctx, s.other, entity.KindPrompt, "x")), fault.NotFound)
		s.fails(check.Failure(s.Entities.RenameEntity(s.ctx, s.other, owner.ID, "y")), fault.NotFound)
		twin := check.Must(s.Entities.CreateEntity(s.ctx, entity.New{WorkspaceID: s.other, Kind: entity.KindPrompt, Name: "x"}))(s.t)
		s.equal(check.Must(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, "x"))(s.t).ID, owner.ID)
		s.equal(check.Must(s.Entities.FindEntityByName(s.ctx, s.other, entity.KindPrompt, "x"))(s.t).ID, twin.ID)
	}},
	{"invalid input is rejected", func(s *store) {
		for _, input := range []entity.New{
			{WorkspaceID: s.workspace, Kind: "nonsense", Name: "x"},
			{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: ""},
			{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: strings.Repeat("x", 2049)},
		} {
			s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, input)), fault.Invalid)
		}
		owner := s.prompt("x")
		s.fails(check.Failure(s.Entities.RenameEntity(s.ctx, s.workspace, owner.ID, "")), fault.Invalid)
	}},
	{"names have room for 512 characters of any script", func(s *store) {
		name := distinctRunes(512)
		s.equal(s.prompt(name).Name, name)
	}},
	{"names are unique in kinds that require it", func(s *store) {
		s.prompt("x")
		twin := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "x"}
		s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, twin)), fault.Conflict)
		s.create(entity.KindTool, "x", nil)
		s.prompt("X")
	}},
	{"names can repeat in other kinds", func(s *store) {
		oldest := s.create(entity.KindReport, "x", nil)
		s.create(entity.KindReport, "x", nil)
		s.equal(check.Must(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindReport, "x"))(s.t).ID, oldest.ID)
	}},
	{"folder names are unique among siblings", func(s *store) {
		top := s.create(entity.KindFolder, "a", nil)
		s.create(entity.KindFolder, "a", &top.ID)
		for _, folder := range []*int64{nil, &top.ID} {
			twin := entity.New{WorkspaceID: s.workspace, Kind: entity.KindFolder, Name: "a", FolderID: folder}
			s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, twin)), fault.Conflict)
		}
	}},
	{"invalid folders are rejected", func(s *store) {
		prompt := s.prompt("x")
		elsewhere := check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
			WorkspaceID: s.other, Kind: entity.KindFolder, Name: "f",
		}))(s.t)
		for _, folder := range []int64{999, prompt.ID, elsewhere.ID} {
			input := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "y", FolderID: &folder}
			s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, input)), fault.NotFound)
		}
	}},
	{"rename", func(s *store) {
		owner := s.prompt("x")
		s.prompt("taken")
		renamed := check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, owner.ID, "Y"))(s.t)
		s.equal(renamed.Name, "Y")
		s.equal(s.get(owner.ID), renamed)
		s.equal(s.names(entity.Query{NameContains: "y"}), []string{"Y"})
		check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, owner.ID, "Y"))(s.t)
		s.fails(check.Failure(s.Entities.RenameEntity(s.ctx, s.workspace, owner.ID, "taken")), fault.Conflict)
		s.equal(s.get(owner.ID).Name, "Y")
	}},
}
