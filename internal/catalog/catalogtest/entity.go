package catalogtest

import (
	"strings"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var entityCases = []testCase{
	{"create, get and find", func(s *store) {
		folder := s.create(catalog.KindFolder, "team", nil)
		created := check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{
			WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "greeting",
			FolderID: &folder.ID, Creator: pointer("ada@example.com"),
		}))(s.t)
		s.equal(created, catalog.Entity{
			ID: created.ID, WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "greeting",
			FolderID: &folder.ID, Creator: pointer("ada@example.com"), Tags: []string{},
			CreatedAt: created.CreatedAt, UpdatedAt: created.CreatedAt,
		})
		s.equal(s.get(created.ID), created)
		s.equal(check.Must(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, "greeting"))(s.t), created)
	}},
	{"all kinds and versions share one sequence", func(s *store) {
		seen := map[int64]bool{}
		for _, kind := range []catalog.Kind{catalog.KindPrompt, catalog.KindFolder, catalog.KindReport, catalog.KindTool} {
			entity := s.create(kind, "x", nil)
			version := s.version(entity.ID, `{}`)
			for _, id := range []int64{entity.ID, version.ID} {
				if seen[id] || id < 1 {
					s.t.Fatalf("id %d was handed out twice", id)
				}
				seen[id] = true
			}
		}
	}},
	{"unknown is not found", func(s *store) {
		s.fails(check.Failure(s.GetEntity(s.ctx, s.workspace, 999)), fault.NotFound)
		s.fails(check.Failure(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, "x")), fault.NotFound)
		s.fails(check.Failure(s.RenameEntity(s.ctx, s.workspace, 999, "x")), fault.NotFound)
		unknown := catalog.NewEntity{WorkspaceID: 999, Kind: catalog.KindPrompt, Name: "x"}
		s.fails(check.Failure(s.CreateEntity(s.ctx, unknown)), fault.NotFound)
	}},
	{"another workspace sees nothing", func(s *store) {
		entity := s.prompt("x")
		s.fails(check.Failure(s.GetEntity(s.ctx, s.other, entity.ID)), fault.NotFound)
		s.fails(check.Failure(s.FindEntityByName(s.ctx, s.other, catalog.KindPrompt, "x")), fault.NotFound)
		s.fails(check.Failure(s.RenameEntity(s.ctx, s.other, entity.ID, "y")), fault.NotFound)
		twin := check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{WorkspaceID: s.other, Kind: catalog.KindPrompt, Name: "x"}))(s.t)
		s.equal(check.Must(s.FindEntityByName(s.ctx, s.workspace, catalog.KindPrompt, "x"))(s.t).ID, entity.ID)
		s.equal(check.Must(s.FindEntityByName(s.ctx, s.other, catalog.KindPrompt, "x"))(s.t).ID, twin.ID)
	}},
	{"what cannot be an entity is refused", func(s *store) {
		for _, input := range []catalog.NewEntity{
			{WorkspaceID: s.workspace, Kind: "nonsense", Name: "x"},
			{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: ""},
			{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: strings.Repeat("x", 2049)},
		} {
			s.fails(check.Failure(s.CreateEntity(s.ctx, input)), fault.Invalid)
		}
		entity := s.prompt("x")
		s.fails(check.Failure(s.RenameEntity(s.ctx, s.workspace, entity.ID, "")), fault.Invalid)
	}},
	{"512 characters of any script fit into a name", func(s *store) {
		name := distinctRunes(512)
		s.equal(s.prompt(name).Name, name)
	}},
	{"a kind with unique names refuses a second", func(s *store) {
		s.prompt("x")
		twin := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "x"}
		s.fails(check.Failure(s.CreateEntity(s.ctx, twin)), fault.Conflict)
		s.create(catalog.KindTool, "x", nil)
		s.prompt("X")
	}},
	{"a kind without the rule allows a second", func(s *store) {
		oldest := s.create(catalog.KindReport, "x", nil)
		s.create(catalog.KindReport, "x", nil)
		s.equal(check.Must(s.FindEntityByName(s.ctx, s.workspace, catalog.KindReport, "x"))(s.t).ID, oldest.ID)
	}},
	{"folder names are unique among siblings", func(s *store) {
		top := s.create(catalog.KindFolder, "a", nil)
		s.create(catalog.KindFolder, "a", &top.ID)
		for _, folder := range []*int64{nil, &top.ID} {
			twin := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindFolder, Name: "a", FolderID: folder}
			s.fails(check.Failure(s.CreateEntity(s.ctx, twin)), fault.Conflict)
		}
	}},
	{"the folder must be a live folder of the workspace", func(s *store) {
		prompt := s.prompt("x")
		elsewhere := check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{
			WorkspaceID: s.other, Kind: catalog.KindFolder, Name: "f",
		}))(s.t)
		for _, folder := range []int64{999, prompt.ID, elsewhere.ID} {
			input := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "y", FolderID: &folder}
			s.fails(check.Failure(s.CreateEntity(s.ctx, input)), fault.NotFound)
		}
	}},
	{"rename", func(s *store) {
		entity := s.prompt("x")
		s.prompt("taken")
		renamed := check.Must(s.RenameEntity(s.ctx, s.workspace, entity.ID, "Y"))(s.t)
		s.equal(renamed.Name, "Y")
		s.equal(s.get(entity.ID), renamed)
		s.equal(s.names(catalog.EntityQuery{NameContains: "y"}), []string{"Y"})
		check.Must(s.RenameEntity(s.ctx, s.workspace, entity.ID, "Y"))(s.t)
		s.fails(check.Failure(s.RenameEntity(s.ctx, s.workspace, entity.ID, "taken")), fault.Conflict)
		s.equal(s.get(entity.ID).Name, "Y")
	}},
}
