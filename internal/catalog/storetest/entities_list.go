package storetest

import (
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var listCases = []testCase{
	{"order", func(s *store) {
		b, a, c := s.prompt("b"), s.prompt("a"), s.prompt("c")
		check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, b.ID, "b"))(s.t)
		s.equal(s.names(entity.Query{}), []string{c.Name, a.Name, b.Name})
		s.equal(s.names(entity.Query{Ascending: true}), []string{"b", "a", "c"})
		s.equal(s.names(entity.Query{Sort: entity.ByName, Ascending: true}), []string{"a", "b", "c"})
		s.equal(s.names(entity.Query{Sort: entity.ByName}), []string{"c", "b", "a"})
		s.equal(s.names(entity.Query{Sort: entity.ByID}), []string{"c", "a", "b"})
		s.equal(s.names(entity.Query{Sort: entity.ByUpdated}), []string{"b", "c", "a"})
	}},
	{"pages", func(s *store) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			s.prompt(name)
		}
		tests := []struct {
			page  entity.Page
			names []string
		}{
			{entity.Page{}, []string{"a", "b", "c", "d", "e"}},
			{entity.Page{Limit: 2}, []string{"a", "b"}},
			{entity.Page{Limit: 2, Offset: 4}, []string{"e"}},
			{entity.Page{Limit: 2, Offset: 6}, []string{}},
			{entity.Page{Limit: 5}, []string{"a", "b", "c", "d", "e"}},
			{entity.Page{Limit: 9, Offset: -1}, []string{"a", "b", "c", "d", "e"}},
		}
		for _, test := range tests {
			query := entity.Query{WorkspaceID: s.workspace, Sort: entity.ByName, Ascending: true, Page: test.page}
			_, total, err := s.Entities.ListEntities(s.ctx, query)
			s.ok(err)
			s.equal(total, int64(5))
			s.equal(s.names(query), test.names)
		}
	}},
	{"by kind, ids and creator", func(s *store) {
		prompt := s.prompt("p")
		s.create(entity.KindTool, "t", nil)
		check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
			WorkspaceID: s.workspace, Kind: entity.KindReport, Name: "r", Creator: pointer("ada@example.com"),
		}))(s.t)
		s.equal(s.names(entity.Query{Kinds: []entity.Kind{entity.KindTool}}), []string{"t"})
		kinds := []entity.Kind{entity.KindTool, entity.KindPrompt}
		s.equal(s.names(entity.Query{Kinds: kinds}), []string{"t", "p"})
		s.equal(s.names(entity.Query{IDs: []int64{prompt.ID, 999}}), []string{"p"})
		s.equal(s.names(entity.Query{IDs: []int64{}}), []string{})
		s.equal(s.names(entity.Query{Creator: pointer("ada@example.com")}), []string{"r"})
		s.equal(s.names(entity.Query{Creator: pointer("Ada@Example.com")}), []string{"r"})
		s.equal(s.names(entity.Query{Creator: pointer("ada@example.co")}), []string{})
	}},
	{"too many ids are rejected", func(s *store) {
		query := entity.Query{WorkspaceID: s.workspace, IDs: make([]int64, 1000)}
		_, _, err := s.Entities.ListEntities(s.ctx, query)
		s.ok(err)
		query.IDs = append(query.IDs, 1)
		_, _, err = s.Entities.ListEntities(s.ctx, query)
		s.fails(err, fault.Invalid)
	}},
	{"by folder", func(s *store) {
		top := s.create(entity.KindFolder, "top", nil)
		inner := s.create(entity.KindFolder, "inner", &top.ID)
		s.create(entity.KindPrompt, "deep", &inner.ID)
		s.create(entity.KindPrompt, "middle", &top.ID)
		s.prompt("root")
		tests := []struct {
			scope entity.FolderScope
			names []string
		}{
			{entity.FolderScope{}, []string{"root", "top"}},
			{entity.FolderScope{Deep: true}, []string{"deep", "inner", "middle", "root", "top"}},
			{entity.FolderScope{ID: top.ID}, []string{"inner", "middle"}},
			{entity.FolderScope{ID: top.ID, Deep: true}, []string{"deep", "inner", "middle"}},
			{entity.FolderScope{ID: 999, Deep: true}, []string{}},
		}
		for _, test := range tests {
			s.equal(s.names(entity.Query{Folder: &test.scope, Sort: entity.ByName, Ascending: true}), test.names)
		}
	}},
	{"by time, bounds inclusive", func(s *store) {
		first, second := s.prompt("a"), s.prompt("b")
		second = check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, second.ID, "b"))(s.t)
		day := 24 * time.Hour
		tests := []struct {
			query entity.Query
			names []string
		}{
			{entity.Query{CreatedAfter: &first.CreatedAt, CreatedBefore: &first.CreatedAt}, []string{"a"}},
			{entity.Query{CreatedAfter: &second.CreatedAt}, []string{"b"}},
			{entity.Query{UpdatedBefore: &first.UpdatedAt}, []string{"a"}},
			{entity.Query{UpdatedAfter: &second.UpdatedAt}, []string{"b"}},
			{entity.Query{CreatedAfter: pointer(second.CreatedAt.Add(day))}, []string{}},
			{entity.Query{CreatedBefore: pointer(second.CreatedAt.Add(day))}, []string{"b", "a"}},
		}
		for _, test := range tests {
			s.equal(s.names(test.query), test.names)
		}
	}},
	{"by label and by external id", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.version(a.ID, `{}`)
		s.version(b.ID, `{}`)
		check.Must(s.Entities.SetLabel(s.ctx, s.workspace, a.ID, "prod", 1))(s.t)
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, b.ID, entity.ExternalRef{Source: "crm", ID: "7"}))
		s.equal(s.names(entity.Query{Label: pointer("prod")}), []string{"a"})
		s.equal(s.names(entity.Query{Label: pointer("dev")}), []string{})
		ref := entity.ExternalRef{Source: "crm", ID: "7"}
		s.equal(s.names(entity.Query{ExternalID: &ref}), []string{"b"})
		s.equal(s.names(entity.Query{ExternalID: &ref, Kinds: []entity.Kind{entity.KindTool}}), []string{})
		s.equal(s.names(entity.Query{ExternalID: &entity.ExternalRef{Source: "crm", ID: "8"}}), []string{})
	}},
	{"other workspaces list nothing", func(s *store) {
		owner := s.prompt("x")
		s.ok(s.Entities.AttachExternalID(s.ctx, s.workspace, owner.ID, entity.ExternalRef{Source: "a", ID: "b"}))
		for _, query := range []entity.Query{
			{}, {IDs: []int64{owner.ID}}, {NameContains: "x"}, {Status: entity.LiveOrDeleted},
			{ExternalID: &entity.ExternalRef{Source: "a", ID: "b"}},
		} {
			query.WorkspaceID = s.other
			entities, total, err := s.Entities.ListEntities(s.ctx, query)
			s.ok(err)
			s.equal(len(entities), 0)
			s.equal(total, int64(0))
		}
	}},
}
