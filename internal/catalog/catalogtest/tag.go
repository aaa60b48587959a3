package catalogtest

import (
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// tagged returns a prompt with tags.
func (s *store) tagged(name string, tags ...string) catalog.Entity {
	s.t.Helper()
	return check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{
		WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: name, Tags: tags,
	}))(s.t)
}

// numberedTags returns n different tags.
func numberedTags(n int) []string {
	tags := make([]string, n)
	for i := range tags {
		tags[i] = fmt.Sprint(i)
	}
	return tags
}

var tagCases = []testCase{
	{"tags keep their order, equal ones collapse to the first", func(s *store) {
		entity := s.tagged("x", "b", "a", "b", "", "A", "a", `<&"\`)
		want := []string{"b", "a", "", "A", `<&"\`}
		s.equal(entity.Tags, want)
		s.equal(s.get(entity.ID).Tags, want)
		s.equal(s.prompt("bare").Tags, []string{})
	}},
	{"set replaces all", func(s *store) {
		entity := s.tagged("x", "a", "b")
		changed := check.Must(s.SetTags(s.ctx, s.workspace, entity.ID, []string{"c", "b", "c"}))(s.t)
		s.equal(changed.Tags, []string{"c", "b"})
		s.equal(changed.UpdatedAt.After(entity.UpdatedAt), true)
		s.equal(s.get(entity.ID), changed)
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"a"}}), []string{})
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"c"}}), []string{"x"})
		s.equal(check.Must(s.SetTags(s.ctx, s.workspace, entity.ID, nil))(s.t).Tags, []string{})
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"b"}}), []string{})
	}},
	{"list by tags, all of which must be there", func(s *store) {
		s.tagged("one", "a")
		s.tagged("both", "b", "a")
		s.tagged("case", "A")
		tests := []struct{ tags, names []string }{
			{nil, []string{"both", "case", "one"}},
			{[]string{"a"}, []string{"both", "one"}},
			{[]string{"a", "b"}, []string{"both"}},
			{[]string{"a", "a"}, []string{"both", "one"}},
			{[]string{"a", "c"}, []string{}},
			{[]string{""}, []string{}},
			{numberedTags(1001), []string{}},
		}
		for _, test := range tests {
			query := catalog.EntityQuery{WorkspaceID: s.workspace, Tags: test.tags, Sort: catalog.ByName, Ascending: true}
			s.equal(s.names(query), test.names)
			query.Page = catalog.Page{Limit: 1, Offset: 9}
			_, total, err := s.ListEntities(s.ctx, query)
			s.ok(err)
			s.equal(total, int64(len(test.names)))
		}
	}},
	{"tags and other conditions hold together", func(s *store) {
		entity := s.tagged("x", "a")
		s.tagged("y", "a")
		s.version(entity.ID, `{}`)
		check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"a"}, Label: pointer("prod")}), []string{"x"})
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"a"}, NameContains: "Y"}), []string{"y"})
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"a"}, Kinds: []catalog.Kind{catalog.KindTool}}), []string{})
	}},
	{"a deleted entity keeps its tags, a removed one does not", func(s *store) {
		gone := s.tagged("gone", "a")
		removed := s.tagged("removed", "a")
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		check.Must(s.RemoveEntities(s.ctx, s.workspace, []int64{removed.ID}))(s.t)
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"a"}}), []string{})
		s.equal(s.names(catalog.EntityQuery{Tags: []string{"a"}, Status: catalog.LiveOrDeleted}), []string{"gone"})
		s.fails(check.Failure(s.SetTags(s.ctx, s.workspace, gone.ID, nil)), fault.NotFound)
	}},
	{"another workspace sees no tag and sets none", func(s *store) {
		entity := s.tagged("x", "a")
		s.fails(check.Failure(s.SetTags(s.ctx, s.other, entity.ID, []string{"b"})), fault.NotFound)
		_, total, err := s.ListEntities(s.ctx, catalog.EntityQuery{WorkspaceID: s.other, Tags: []string{"a"}})
		s.ok(err)
		s.equal(total, int64(0))
		s.equal(s.get(entity.ID), entity)
	}},
	{"how many and how long", func(s *store) {
		most := numberedTags(1000)
		entity := s.tagged("x", most...)
		s.equal(s.get(entity.ID).Tags, most)
		s.equal(s.names(catalog.EntityQuery{Tags: most}), []string{"x"})
		longest := distinctRunes(512)
		check.Must(s.SetTags(s.ctx, s.workspace, entity.ID, []string{longest}))(s.t)
		s.equal(s.names(catalog.EntityQuery{Tags: []string{longest}}), []string{"x"})
		for _, tags := range [][]string{numberedTags(1001), {strings.Repeat("x", 2049)}} {
			s.fails(check.Failure(s.SetTags(s.ctx, s.workspace, entity.ID, tags)), fault.Invalid)
			input := catalog.NewEntity{WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Name: "y", Tags: tags}
			s.fails(check.Failure(s.CreateEntity(s.ctx, input)), fault.Invalid)
		}
	}},
	{"the variant is kept and listed by", func(s *store) {
		snippet := check.Must(s.CreateEntity(s.ctx, catalog.NewEntity{
			WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Variant: "snippet", Name: "s",
		}))(s.t)
		s.prompt("p")
		s.equal(snippet.Variant, "snippet")
		renamed := check.Must(s.RenameEntity(s.ctx, s.workspace, snippet.ID, "t"))(s.t)
		s.equal(renamed.Variant, "snippet")
		s.equal(s.names(catalog.EntityQuery{}), []string{"p", "t"})
		s.equal(s.names(catalog.EntityQuery{Variant: pointer("snippet")}), []string{"t"})
		s.equal(s.names(catalog.EntityQuery{Variant: pointer("")}), []string{"p"})
		s.equal(s.names(catalog.EntityQuery{Variant: pointer("Snippet")}), []string{})
	}},
	{"variants share the names of their kind", func(s *store) {
		s.prompt("x")
		s.fails(check.Failure(s.CreateEntity(s.ctx, catalog.NewEntity{
			WorkspaceID: s.workspace, Kind: catalog.KindPrompt, Variant: "snippet", Name: "x",
		})), fault.Conflict)
	}},
}
