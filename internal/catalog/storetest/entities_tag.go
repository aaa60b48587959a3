package storetest

import (
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// tagged returns a prompt with tags.
func (s *store) tagged(name string, tags ...string) entity.Entity {
	s.t.Helper()
	return check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
		WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: name, Tags: tags,
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
	{"tags keep their order, without duplicates", func(s *store) {
		owner := s.tagged("x", "b", "a", "b", "", "A", "a", `<&"\`)
		want := []string{"b", "a", "", "A", `<&"\`}
		s.equal(owner.Tags, want)
		s.equal(s.get(owner.ID).Tags, want)
		s.equal(s.prompt("bare").Tags, []string{})
	}},
	{"set replaces all", func(s *store) {
		owner := s.tagged("x", "a", "b")
		changed := check.Must(s.Entities.SetTags(s.ctx, s.workspace, owner.ID, []string{"c", "b", "c"}))(s.t)
		s.equal(changed.Tags, []string{"c", "b"})
		s.equal(changed.UpdatedAt.After(owner.UpdatedAt), true)
		s.equal(s.get(owner.ID), changed)
		s.equal(s.names(entity.Query{Tags: []string{"a"}}), []string{})
		s.equal(s.names(entity.Query{Tags: []string{"c"}}), []string{"x"})
		s.equal(check.Must(s.Entities.SetTags(s.ctx, s.workspace, owner.ID, nil))(s.t).Tags, []string{})
		s.equal(s.names(entity.Query{Tags: []string{"b"}}), []string{})
	}},
	{"list by tags", func(s *store) {
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
			query := entity.Query{WorkspaceID: s.workspace, Tags: test.tags, Sort: entity.ByName, Ascending: true}
			s.equal(s.names(query), test.names)
			query.Page = entity.Page{Limit: 1, Offset: 9}
			_, total, err := s.Entities.ListEntities(s.ctx, query)
			s.ok(err)
			s.equal(total, int64(len(test.names)))
		}
	}},
	{"list by tags and other conditions", func(s *store) {
		owner := s.tagged("x", "a")
		s.tagged("y", "a")
		s.version(owner.ID, `{}`)
		check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		s.equal(s.names(entity.Query{Tags: []string{"a"}, Label: pointer("prod")}), []string{"x"})
		s.equal(s.names(entity.Query{Tags: []string{"a"}, NameContains: "Y"}), []string{"y"})
		s.equal(s.names(entity.Query{Tags: []string{"a"}, Kinds: []entity.Kind{entity.KindTool}}), []string{})
	}},
	{"deleted entities keep their tags, removed ones do not", func(s *store) {
		gone := s.tagged("gone", "a")
		removed := s.tagged("removed", "a")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{removed.ID}))(s.t)
		s.equal(s.names(entity.Query{Tags: []string{"a"}}), []string{})
		s.equal(s.names(entity.Query{Tags: []string{"a"}, Status: entity.LiveOrDeleted}), []string{"gone"})
		s.fails(check.Failure(s.Entities.SetTags(s.ctx, s.workspace, gone.ID, nil)), fault.NotFound)
	}},
	{"other workspaces are isolated", func(s *store) {
		owner := s.tagged("x", "a")
		s.fails(check.Failure(s.Entities.SetTags(s.ctx, s.other, owner.ID, []string{"b"})), fault.NotFound)
		_, total, err := s.Entities.ListEntities(s.ctx, entity.Query{WorkspaceID: s.other, Tags: []string{"a"}})
		s.ok(err)
		s.equal(total, int64(0))
		s.equal(s.get(owner.ID), owner)
	}},
	{"limits", func(s *store) {
		most := numberedTags(1000)
		owner := s.tagged("x", most...)
		s.equal(s.get(owner.ID).Tags, most)
		s.equal(s.names(entity.Query{Tags: most}), []string{"x"})
		longest := distinctRunes(512)
		check.Must(s.Entities.SetTags(s.ctx, s.workspace, owner.ID, []string{longest}))(s.t)
		s.equal(s.names(entity.Query{Tags: []string{longest}}), []string{"x"})
		for _, tags := range [][]string{numberedTags(1001), {strings.Repeat("x", 2049)}} {
			s.fails(check.Failure(s.Entities.SetTags(s.ctx, s.workspace, owner.ID, tags)), fault.Invalid)
			input := entity.New{WorkspaceID: s.workspace, Kind: entity.KindPrompt, Name: "y", Tags: tags}
			s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, input)), fault.Invalid)
		}
	}},
	{"list by variant", func(s *store) {
		snippet := check.Must(s.Entities.CreateEntity(s.ctx, entity.New{
			WorkspaceID: s.workspace, Kind: entity.KindPrompt, Variant: "snippet", Name: "s",
		}))(s.t)
		s.prompt("p")
		s.equal(snippet.Variant, "snippet")
		renamed := check.Must(s.Entities.RenameEntity(s.ctx, s.workspace, snippet.ID, "t"))(s.t)
		s.equal(renamed.Variant, "snippet")
		s.equal(s.names(entity.Query{}), []string{"p", "t"})
		s.equal(s.names(entity.Query{Variant: pointer("snippet")}), []string{"t"})
		s.equal(s.names(entity.Query{Variant: pointer("")}), []string{"p"})
		s.equal(s.names(entity.Query{Variant: pointer("Snippet")}), []string{})
	}},
	{"names are unique across variants", func(s *store) {
		s.prompt("x")
		s.fails(check.Failure(s.Entities.CreateEntity(s.ctx, entity.New{
			WorkspaceID: s.workspace, Kind: entity.KindPrompt, Variant: "snippet", Name: "x",
		})), fault.Conflict)
	}},
}
