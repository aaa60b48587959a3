package storetest

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
	{"former names lead to renamed entities until others take them", func(s *store) {
		former := func(kind entity.Kind, names ...string) map[string]int64 {
			return check.Must(s.Entities.FormerNames(s.ctx, s.workspace, kind, names))(s.t)
		}
		rename := func(id int64, name string) {
			s.t.Helper()
			check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, id, name))(s.t)
		}
		owner, tool, folder := s.prompt("a"), s.create(entity.KindTool, "a", nil), s.create(entity.KindFolder, "a", nil)
		rename(owner.ID, "b")
		rename(owner.ID, "c")
		rename(owner.ID, "c")
		rename(tool.ID, "t")
		rename(folder.ID, "f")
		s.equal(former(entity.KindPrompt, "a", "b", "c", "unknown"), map[string]int64{"a": owner.ID, "b": owner.ID})
		s.equal(former(entity.KindTool, "a"), map[string]int64{"a": tool.ID})
		s.equal(former(entity.KindFolder, "a"), map[string]int64{})
		s.equal(check.Must(s.Entities.FormerNames(s.ctx, s.other, entity.KindPrompt, []string{"a"}))(s.t), map[string]int64{})
		s.fails(check.Failure(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindPrompt, "a")), fault.NotFound)
		s.equal(check.Must(entity.Named(s.ctx, s.Entities, s.workspace, entity.KindPrompt, "a"))(s.t).ID, owner.ID)
		s.equal(check.Must(entity.Identify(s.ctx, s.Entities, s.workspace, entity.KindPrompt, "b"))(s.t).ID, owner.ID)

		taker := s.prompt("a") // a new entity takes the name
		s.equal(former(entity.KindPrompt, "a", "b"), map[string]int64{"b": owner.ID})
		s.equal(check.Must(entity.Named(s.ctx, s.Entities, s.workspace, entity.KindPrompt, "a"))(s.t).ID, taker.ID)
		rename(taker.ID, "b") // and so does a renamed one
		s.equal(former(entity.KindPrompt, "a", "b"), map[string]int64{"a": taker.ID})
		rename(owner.ID, "a")
		rename(owner.ID, "c") // the last one that had the name counts
		s.equal(former(entity.KindPrompt, "a", "b", "c"), map[string]int64{"a": owner.ID})
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID}))(s.t)
		s.equal(former(entity.KindPrompt, "a", "c"), map[string]int64{})
	}},
	{"references to former names", func(s *store) {
		snippet, other := s.prompt("old"), s.prompt("other")
		first, _ := s.version(snippet.ID, `{"n":1}`), s.version(other.ID, `{}`)
		second := s.version(snippet.ID, `{"n":2}`)
		user := s.prompt("user")
		check.Must(s.Entities.AddVersion(s.ctx, s.workspace, user.ID, entity.NewVersion{Body: []byte(`{}`), References: []entity.Reference{{Name: "old"}}}))(s.t)
		check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, snippet.ID, "new"))(s.t)
		asked := []entity.Reference{{Name: "nothing"}, {Name: "old"}, {Name: "other"}, {Name: "old", Number: 1}, {Name: "new", Number: 1}, {Name: "old", Number: 9}}
		found := check.Must(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindPrompt, asked))(s.t)
		var got []entity.Reference
		for _, one := range found {
			got = append(got, one.Reference)
		}
		s.equal(got, []entity.Reference{{Name: "old"}, {Name: "other"}, {Name: "old", Number: 1}, {Name: "new", Number: 1}})
		s.equal([]int64{found[0].Version.ID, found[2].Version.ID, found[3].Version.ID}, []int64{second.ID, first.ID, first.ID})
		for name, want := range map[string]int{"new": 1, "old": 1, "other": 0} {
			s.equal(len(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, name))(s.t)), want)
		}
	}},
}
