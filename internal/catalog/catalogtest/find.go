package catalogtest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// missing fails the test unless err is a NotFound fault with the message.
func (s *store) missing(err error, message string) {
	s.t.Helper()
	s.fails(err, fault.NotFound)
	var found *fault.Error
	errors.As(err, &found)
	s.equal(found.Message, message)
}

var findCases = []testCase{
	{"by id and by name, by number, label and latest", func(s *store) {
		entity, first, second := s.twoVersions("x")
		entity = check.Must(s.SetTags(s.ctx, s.workspace, entity.ID, []string{"b", "a"}))(s.t)
		label := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		tests := []struct {
			selector catalog.Selector
			version  catalog.Version
			label    int64
		}{
			{catalog.Selector{}, second, 0},
			{catalog.Selector{Number: 1}, first, 0},
			{catalog.Selector{Number: 2}, second, 0},
			{catalog.Selector{Label: "prod"}, first, label.ID},
			{catalog.Selector{Label: "prod", Number: 2}, first, label.ID},
		}
		for _, test := range tests {
			want := catalog.FoundVersion{
				Entity: entity, Version: test.version, LabelID: test.label,
				Reference: catalog.Reference{Name: "x", Number: test.selector.Number, Label: test.selector.Label},
			}
			for _, by := range []catalog.Selector{{ID: entity.ID}, {Name: "x"}, {ID: entity.ID, Name: "y"}, {ID: 999, Name: "x"}} {
				by.Number, by.Label = test.selector.Number, test.selector.Label
				s.equal(check.Must(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, by))(s.t), want)
			}
		}
	}},
	{"an id comes before a name", func(s *store) {
		entity, _, latest := s.twoVersions("x")
		named, _, _ := s.twoVersions(fmt.Sprint(entity.ID))
		both := catalog.Selector{ID: entity.ID, Name: named.Name}
		s.equal(check.Must(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, both))(s.t).Version, latest)
		both.Number = 3
		s.missing(check.Failure(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, both)), "version 3 not found")
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{entity.ID}))(s.t)
		both.Number = 0
		s.equal(check.Must(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, both))(s.t).Entity.ID, named.ID)
	}},
	{"the fault says what is missing", func(s *store) {
		entity, _, _ := s.twoVersions("x")
		bare := s.prompt("bare")
		tests := []struct {
			selector catalog.Selector
			message  string
		}{
			{catalog.Selector{Name: "X"}, `prompt "X" not found`},
			{catalog.Selector{Name: "X", Label: "prod", Number: 1}, `prompt "X" not found`},
			{catalog.Selector{ID: 999}, `prompt 999 not found`},
			{catalog.Selector{ID: 999, Name: "999"}, `prompt "999" not found`},
			{catalog.Selector{Name: "x", Number: 7}, `version 7 not found`},
			{catalog.Selector{Name: "x", Label: "prod"}, `label "prod" not found`},
			{catalog.Selector{ID: entity.ID, Label: "prod"}, `label "prod" not found`},
			{catalog.Selector{ID: bare.ID}, `the prompt has no version`},
		}
		for _, test := range tests {
			s.missing(check.Failure(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, test.selector)), test.message)
		}
		unknown := catalog.Selector{Name: "x"}
		s.missing(check.Failure(s.FindVersion(s.ctx, s.workspace, catalog.KindABTest, unknown)), `ab test "x" not found`)
	}},
	{"another workspace, another kind and the deleted see nothing", func(s *store) {
		entity, _, _ := s.twoVersions("x")
		check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		selectors := []catalog.Selector{
			{ID: entity.ID}, {Name: "x"}, {ID: entity.ID, Name: "x"}, {Name: "x", Label: "prod"}, {Name: "x", Number: 1},
		}
		for _, selector := range selectors {
			s.fails(check.Failure(s.FindVersion(s.ctx, s.other, catalog.KindPrompt, selector)), fault.NotFound)
			s.fails(check.Failure(s.FindVersion(s.ctx, s.workspace, catalog.KindTool, selector)), fault.NotFound)
		}
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{entity.ID}))(s.t)
		for _, selector := range selectors {
			s.fails(check.Failure(s.FindVersion(s.ctx, s.workspace, catalog.KindPrompt, selector)), fault.NotFound)
		}
	}},
	{"many by name, in the order asked for", func(s *store) {
		a, a1, a2 := s.twoVersions("a")
		b, b1, b2 := s.twoVersions("b")
		label := check.Must(s.SetLabel(s.ctx, s.workspace, b.ID, "prod", 1))(s.t)
		s.prompt("bare")
		gone, _, _ := s.twoVersions("gone")
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		references := []catalog.Reference{
			{Name: "b"}, {Name: "a", Number: 1}, {Name: "b", Label: "prod"}, {Name: "none"}, {Name: "a", Number: 3},
			{Name: "a", Label: "prod"}, {Name: "bare"}, {Name: "gone"}, {Name: "b"}, {Name: "B"},
			{Name: "b", Number: 2, Label: "prod"}, {Name: "a"},
		}
		a, b = s.get(a.ID), s.get(b.ID)
		want := []catalog.FoundVersion{
			{Entity: b, Version: b2, Reference: references[0]},
			{Entity: a, Version: a1, Reference: references[1]},
			{Entity: b, Version: b1, Reference: references[2], LabelID: label.ID},
			{Entity: b, Version: b1, Reference: references[10], LabelID: label.ID},
			{Entity: a, Version: a2, Reference: references[11]},
		}
		s.equal(check.Must(s.VersionsByName(s.ctx, s.workspace, catalog.KindPrompt, references))(s.t), want)
		s.equal(check.Must(s.VersionsByName(s.ctx, s.other, catalog.KindPrompt, references))(s.t), []catalog.FoundVersion{})
		s.equal(check.Must(s.VersionsByName(s.ctx, s.workspace, catalog.KindTool, references))(s.t), []catalog.FoundVersion{})
		s.equal(check.Must(s.VersionsByName(s.ctx, s.workspace, catalog.KindPrompt, nil))(s.t), []catalog.FoundVersion{})
	}},
	{"more names than one statement takes", func(s *store) {
		names := make([]catalog.Reference, 700)
		for i := range names {
			names[i].Name = fmt.Sprint(i)
		}
		for _, i := range []int{699, 0, 300} {
			s.twoVersions(names[i].Name)
		}
		found := []string{}
		for _, one := range check.Must(s.VersionsByName(s.ctx, s.workspace, catalog.KindPrompt, names))(s.t) {
			found = append(found, one.Entity.Name)
		}
		s.equal(strings.Join(found, " "), "0 300 699")
	}},
	{"labels of many entities", func(s *store) {
		a, _, _ := s.twoVersions("a")
		b, _, _ := s.twoVersions("b")
		first := check.Must(s.SetLabel(s.ctx, s.workspace, a.ID, "z", 1))(s.t)
		second := check.Must(s.SetLabel(s.ctx, s.workspace, a.ID, "a", 2))(s.t)
		third := check.Must(s.SetLabel(s.ctx, s.workspace, b.ID, "z", 2))(s.t)
		ids := append(make([]int64, 600), a.ID, b.ID)
		want := map[int64][]catalog.Label{a.ID: {first, second}, b.ID: {third}}
		s.equal(check.Must(s.LabelsByEntity(s.ctx, s.workspace, ids))(s.t), want)
		s.equal(check.Must(s.LabelsByEntity(s.ctx, s.other, ids))(s.t), map[int64][]catalog.Label{})
	}},
}
