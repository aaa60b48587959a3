package registry_test

import (
	"strconv"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/registry"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

func TestSelect(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		plain := s.create("two words", "1", "prod").Entity.ID
		check.Must(s.AddVersion(s.ctx, s.workspace, plain, registry.Edit[note]{Apply: registry.Constant(note("2"))}))(t)
		slashed := s.create("team/note", "x").Entity.ID
		digits := s.create(itoa(plain), "x").Entity.ID // ids come first
		foreign := s.owner(s.other, entity.KindWorkflow, "theirs").ID
		tool := s.owner(s.workspace, entity.KindTool, "tool").ID
		for identifier, want := range map[string]int64{
			"two words": plain, itoa(plain): plain, "team/note": slashed, "team%2Fnote": slashed, itoa(digits): digits,
		} {
			check.Equal(t, identifier, check.Must(s.Select(s.ctx, s.workspace, identifier, registry.Selector{}))(t).Entity.ID, want)
			check.Equal(t, identifier, check.Must(s.Identify(s.ctx, s.workspace, identifier))(t).ID, want)
		}
		for _, identifier := range []string{"", "Two words", "theirs", itoa(foreign), "tool", itoa(tool), "99999999999999999999", "%zz%2F"} {
			check.Refused(t, check.Failure(s.Select(s.ctx, s.workspace, identifier, registry.Selector{})), fault.NotFound, "Workflow not found")
			check.Refused(t, check.Failure(s.Labels(s.ctx, s.workspace, identifier)), fault.NotFound, "Workflow not found")
		}
		for selector, want := range map[registry.Selector]note{
			{}: "2", {Number: 1}: "1", {Label: "prod"}: "1", {Label: "prod", Number: 2}: "1",
		} {
			check.Equal(t, "selected", s.get("two words", selector).Content, want)
			check.Equal(t, "by id", check.Must(s.GetByID(s.ctx, s.workspace, plain, selector))(t).Content, want)
		}
		check.Refused(t, check.Failure(s.Get(s.ctx, s.workspace, "two words", registry.Selector{Number: 3})), fault.NotFound, "Version not found")
		check.Refused(t, check.Failure(s.Get(s.ctx, s.workspace, "two words", registry.Selector{Label: "x"})), fault.NotFound, "Release label not found")
	})
}

func TestLists(t *testing.T) {
	onEachEngine(t, func(t *testing.T, s *suite) {
		s.create("a", "1", "prod")
		b := s.create("b", "1", "prod")
		check.Must(s.AddVersion(s.ctx, s.workspace, b.Entity.ID, registry.Edit[note]{
			Apply: registry.Constant(note("2")), Release: registry.Release{Labels: []string{"beta", "alpha"}},
		}))(t)
		s.attach(entity.Owner{Workspace: s.workspace, Kind: entity.KindWorkflow, ID: b.Entity.ID}, refA)
		s.owner(s.workspace, entity.KindTool, "tool")
		s.owner(s.workspace, entity.KindWorkflow, "empty")
		query := entity.Query{WorkspaceID: s.workspace, Sort: entity.ByName, Ascending: true}
		items, total, err := s.List(s.ctx, query)
		check.OK(t, err)
		check.Equal(t, "total", total, 3)
		check.Equal(t, "external ids", []int{len(items[0].ExternalIDs), len(items[1].ExternalIDs)}, []int{0, 1})
		records, _, err := s.ListRecords(s.ctx, query)
		check.OK(t, err)
		check.Equal(t, "latest", []note{records[0].Content, records[1].Content}, []note{"1", "2"})
		check.Equal(t, "without empty ones", len(records), 2)
		query.Label = new("prod")
		records, _, err = s.ListRecords(s.ctx, query)
		check.OK(t, err)
		check.Equal(t, "labelled", []note{records[0].Content, records[1].Content}, []note{"1", "1"})

		versions, total, err := registry.ListVersions(s.ctx, s.catalog.Entities, b.Entity, entity.Page{Limit: 1}, notes().Decode)
		check.OK(t, err)
		check.Equal(t, "versions", total, 2)
		check.Equal(t, "newest", versions[0].Shown, "2")
		check.Equal(t, "body", versions[0].Version.Body, nil)
		check.Equal(t, "labels", []string{versions[0].Labels[0].Name, versions[0].Labels[1].Name}, []string{"alpha", "beta"})
		labels := check.Must(s.Labels(s.ctx, s.workspace, "b"))(t)
		check.Equal(t, "labels by name", []string{labels[0].Name, labels[1].Name, labels[2].Name}, []string{"alpha", "beta", "prod"})
	})
}
