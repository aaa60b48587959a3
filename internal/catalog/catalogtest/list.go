package catalogtest

import (
	"time"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var listCases = []testCase{
	{"newest first by default, and any order asked for", func(s *store) {
		b, a, c := s.prompt("b"), s.prompt("a"), s.prompt("c")
		check.Must(s.RenameEntity(s.ctx, s.workspace, b.ID, "b"))(s.t)
		s.equal(s.names(catalog.EntityQuery{}), []string{c.Name, a.Name, b.Name})
		s.equal(s.names(catalog.EntityQuery{Ascending: true}), []string{"b", "a", "c"})
		s.equal(s.names(catalog.EntityQuery{Sort: catalog.ByName, Ascending: true}), []string{"a", "b", "c"})
		s.equal(s.names(catalog.EntityQuery{Sort: catalog.ByName}), []string{"c", "b", "a"})
		s.equal(s.names(catalog.EntityQuery{Sort: catalog.ByID}), []string{"c", "a", "b"})
		s.equal(s.names(catalog.EntityQuery{Sort: catalog.ByUpdated}), []string{"b", "c", "a"})
	}},
	{"pages", func(s *store) {
		for _, name := range []string{"a", "b", "c", "d", "e"} {
			s.prompt(name)
		}
		tests := []struct {
			page  catalog.Page
			names []string
		}{
			{catalog.Page{}, []string{"a", "b", "c", "d", "e"}},
			{catalog.Page{Limit: 2}, []string{"a", "b"}},
			{catalog.Page{Limit: 2, Offset: 4}, []string{"e"}},
			{catalog.Page{Limit: 2, Offset: 6}, []string{}},
			{catalog.Page{Limit: 5}, []string{"a", "b", "c", "d", "e"}},
			{catalog.Page{Limit: 9, Offset: -1}, []string{"a", "b", "c", "d", "e"}},
		}
		for _, test := range tests {
			query := catalog.EntityQuery{WorkspaceID: s.workspace, Sort: catalog.ByName, Ascending: true, Page: test.page}
			_, total, err := s.ListEntities(s.ctx, query)
			s.ok(err)
			s.equal(total, int64(5))
			s.equal(s.names(query), test.names)
		}
	}},
	{"by kind, ids and creator", func(s *store) {
		prompt := s.prompt("p")
		s.create(catalog.KindTool, "t", nil)
		check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{
			WorkspaceID: s.workspace, Kind: catalog.KindReport, Name: "r", Creator: pointer("ada@example.com"),
		}))(s.t)
		s.equal(s.names(catalog.EntityQuery{Kinds: []catalog.Kind{catalog.KindTool}}), []string{"t"})
		kinds := []catalog.Kind{catalog.KindTool, catalog.KindPrompt}
		s.equal(s.names(catalog.EntityQuery{Kinds: kinds}), []string{"t", "p"})
		s.equal(s.names(catalog.EntityQuery{IDs: []int64{prompt.ID, 999}}), []string{"p"})
		s.equal(s.names(catalog.EntityQuery{IDs: []int64{}}), []string{})
		s.equal(s.names(catalog.EntityQuery{Creator: pointer("ada@example.com")}), []string{"r"})
		s.equal(s.names(catalog.EntityQuery{Creator: pointer("Ada@Example.com")}), []string{"r"})
		s.equal(s.names(catalog.EntityQuery{Creator: pointer("ada@example.co")}), []string{})
	}},
	{"too many ids are refused", func(s *store) {
		query := catalog.EntityQuery{WorkspaceID: s.workspace, IDs: make([]int64, 1000)}
		_, _, err := s.ListEntities(s.ctx, query)
		s.ok(err)
		query.IDs = append(query.IDs, 1)
		_, _, err = s.ListEntities(s.ctx, query)
		s.fails(err, fault.Invalid)
	}},
	{"by folder", func(s *store) {
		top := s.create(catalog.KindFolder, "top", nil)
		inner := s.create(catalog.KindFolder, "inner", &top.ID)
		s.create(catalog.KindPrompt, "deep", &inner.ID)
		s.create(catalog.KindPrompt, "middle", &top.ID)
		s.prompt("root")
		tests := []struct {
			scope catalog.FolderScope
			names []string
		}{
			{catalog.FolderScope{}, []string{"root", "top"}},
			{catalog.FolderScope{Deep: true}, []string{"deep", "inner", "middle", "root", "top"}},
			{catalog.FolderScope{ID: top.ID}, []string{"inner", "middle"}},
			{catalog.FolderScope{ID: top.ID, Deep: true}, []string{"deep", "inner", "middle"}},
			{catalog.FolderScope{ID: 999, Deep: true}, []string{}},
		}
		for _, test := range tests {
			s.equal(s.names(catalog.EntityQuery{Folder: &test.scope, Sort: catalog.ByName, Ascending: true}), test.names)
		}
	}},
	{"by time, bounds included", func(s *store) {
		first, second := s.prompt("a"), s.prompt("b")
		second = check.Must(s.RenameEntity(s.ctx, s.workspace, second.ID, "b"))(s.t)
		day := 24 * time.Hour
		tests := []struct {
			query catalog.EntityQuery
			names []string
		}{
			{catalog.EntityQuery{CreatedAfter: &first.CreatedAt, CreatedBefore: &first.CreatedAt}, []string{"a"}},
			{catalog.EntityQuery{CreatedAfter: &second.CreatedAt}, []string{"b"}},
			{catalog.EntityQuery{UpdatedBefore: &first.UpdatedAt}, []string{"a"}},
			{catalog.EntityQuery{UpdatedAfter: &second.UpdatedAt}, []string{"b"}},
			{catalog.EntityQuery{CreatedAfter: pointer(second.CreatedAt.Add(day))}, []string{}},
			{catalog.EntityQuery{CreatedBefore: pointer(second.CreatedAt.Add(day))}, []string{"b", "a"}},
		}
		for _, test := range tests {
			s.equal(s.names(test.query), test.names)
		}
	}},
	{"by label and by external id", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.version(a.ID, `{}`)
		s.version(b.ID, `{}`)
		check.Must(s.SetLabel(s.ctx, s.workspace, a.ID, "prod", 1))(s.t)
		s.ok(s.AttachExternalID(s.ctx, s.workspace, b.ID, catalog.ExternalRef{Source: "crm", ID: "7"}))
		s.equal(s.names(catalog.EntityQuery{Label: pointer("prod")}), []string{"a"})
		s.equal(s.names(catalog.EntityQuery{Label: pointer("dev")}), []string{})
		ref := catalog.ExternalRef{Source: "crm", ID: "7"}
		s.equal(s.names(catalog.EntityQuery{ExternalID: &ref}), []string{"b"})
		s.equal(s.names(catalog.EntityQuery{ExternalID: &ref, Kinds: []catalog.Kind{catalog.KindTool}}), []string{})
		s.equal(s.names(catalog.EntityQuery{ExternalID: &catalog.ExternalRef{Source: "crm", ID: "8"}}), []string{})
	}},
	{"another workspace lists nothing", func(s *store) {
		entity := s.prompt("x")
		s.ok(s.AttachExternalID(s.ctx, s.workspace, entity.ID, catalog.ExternalRef{Source: "a", ID: "b"}))
		for _, query := range []catalog.EntityQuery{
			{}, {IDs: []int64{entity.ID}}, {NameContains: "x"}, {Status: catalog.LiveOrDeleted},
			{ExternalID: &catalog.ExternalRef{Source: "a", ID: "b"}},
		} {
			query.WorkspaceID = s.other
			entities, total, err := s.ListEntities(s.ctx, query)
			s.ok(err)
			s.equal(len(entities), 0)
			s.equal(total, int64(0))
		}
	}},
}
