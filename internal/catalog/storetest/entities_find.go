package storetest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
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
	{"by id or name, and by number, label or latest", func(s *store) {
		owner, first, second := s.twoVersions("x")
		owner = check.Must(s.Entities.SetTags(s.ctx, s.workspace, owner.ID, []string{"b", "a"}))(s.t)
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		tests := []struct {
			selector entity.Selector
			version  entity.Version
			label    int64
		}{
			{entity.Selector{}, second, 0},
			{entity.Selector{Number: 1}, first, 0},
			{entity.Selector{Number: 2}, second, 0},
			{entity.Selector{Label: "prod"}, first, label.ID},
			{entity.Selector{Label: "prod", Number: 2}, first, label.ID},
		}
		for _, test := range tests {
			want := entity.FoundVersion{
				Entity: owner, Version: test.version, LabelID: test.label,
				Reference: entity.Reference{Name: "x", Number: test.selector.Number, Label: test.selector.Label},
			}
			for _, by := range []entity.Selector{{ID: owner.ID}, {Name: "x"}, {ID: owner.ID, Name: "y"}, {ID: 999, Name: "x"}} {
				by.Number, by.Label = test.selector.Number, test.selector.Label
				s.equal(check.Must(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, by))(s.t), want)
			}
		}
	}},
	{"the id takes precedence over the name", func(s *store) {
		owner, _, latest := s.twoVersions("x")
		named, _, _ := s.twoVersions(fmt.Sprint(owner.ID))
		both := entity.Selector{ID: owner.ID, Name: named.Name}
		s.equal(check.Must(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, both))(s.t).Version, latest)
		both.Number = 3
		s.missing(check.Failure(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, both)), "Version not found")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID}))(s.t)
		both.Number = 0
		s.equal(check.Must(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, both))(s.t).Entity.ID, named.ID)
	}},
	{"the fault says what is missing", func(s *store) {
		owner, _, _ := s.twoVersions("x")
		bare := s.prompt("bare")
		tests := []struct {
			selector entity.Selector
			message  string
		}{
			{entity.Selector{Name: "X"}, "Prompt template not found"},
			{entity.Selector{Name: "X", Label: "prod", Number: 1}, "Prompt template not found"},
			{entity.Selector{ID: 999}, "Prompt template not found"},
			{entity.Selector{ID: 999, Name: "999"}, "Prompt template not found"},
			{entity.Selector{Name: "x", Number: 7}, "Version not found"},
			{entity.Selector{Name: "x", Label: "prod"}, "Release label not found"},
			{entity.Selector{ID: owner.ID, Label: "prod"}, "Release label not found"},
			{entity.Selector{ID: bare.ID}, "Version not found"},
		}
		for _, test := range tests {
			s.missing(check.Failure(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, test.selector)), test.message)
		}
		unknown := entity.Selector{Name: "x"}
		s.missing(check.Failure(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindABTest, unknown)), "A/B test not found")
	}},
	{"other workspaces, other kinds and deleted entities", func(s *store) {
		owner, _, _ := s.twoVersions("x")
		check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		selectors := []entity.Selector{
			{ID: owner.ID}, {Name: "x"}, {ID: owner.ID, Name: "x"}, {Name: "x", Label: "prod"}, {Name: "x", Number: 1},
		}
		for _, selector := range selectors {
			s.fails(check.Failure(s.Entities.FindVersion(s.ctx, s.other, entity.KindPrompt, selector)), fault.NotFound)
			s.fails(check.Failure(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindTool, selector)), fault.NotFound)
		}
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{owner.ID}))(s.t)
		for _, selector := range selectors {
			s.fails(check.Failure(s.Entities.FindVersion(s.ctx, s.workspace, entity.KindPrompt, selector)), fault.NotFound)
		}
	}},
	{"many by name, in the order of the references", func(s *store) {
		a, a1, a2 := s.twoVersions("a")
		b, b1, b2 := s.twoVersions("b")
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, b.ID, "prod", 1))(s.t)
		s.prompt("bare")
		gone, _, _ := s.twoVersions("gone")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.ID}))(s.t)
		references := []entity.Reference{
			{Name: "b"}, {Name: "a", Number: 1}, {Name: "b", Label: "prod"}, {Name: "none"}, {Name: "a", Number: 3},
			{Name: "a", Label: "prod"}, {Name: "bare"}, {Name: "gone"}, {Name: "b"}, {Name: "B"},
			{Name: "b", Number: 2, Label: "prod"}, {Name: "a"},
		}
		a, b = s.get(a.ID), s.get(b.ID)
		want := []entity.FoundVersion{
			{Entity: b, Version: b2, Reference: references[0]},
			{Entity: a, Version: a1, Reference: references[1]},
			{Entity: b, Version: b1, Reference: references[2], LabelID: label.ID},
			{Entity: b, Version: b1, Reference: references[10], LabelID: label.ID},
			{Entity: a, Version: a2, Reference: references[11]},
		}
		s.equal(check.Must(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindPrompt, references))(s.t), want)
		s.equal(check.Must(s.Entities.VersionsByName(s.ctx, s.other, entity.KindPrompt, references))(s.t), []entity.FoundVersion{})
		s.equal(check.Must(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindTool, references))(s.t), []entity.FoundVersion{})
		s.equal(check.Must(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindPrompt, nil))(s.t), []entity.FoundVersion{})
	}},
	{"more names than fit in one statement", func(s *store) {
		names := make([]entity.Reference, 700)
		for i := range names {
			names[i].Name = fmt.Sprint(i)
		}
		for _, i := range []int{699, 0, 300} {
			s.twoVersions(names[i].Name)
		}
		found := []string{}
		for _, one := range check.Must(s.Entities.VersionsByName(s.ctx, s.workspace, entity.KindPrompt, names))(s.t) {
			found = append(found, one.Entity.Name)
		}
		s.equal(strings.Join(found, " "), "0 300 699")
	}},
	{"labels of many entities", func(s *store) {
		a, _, _ := s.twoVersions("a")
		b, _, _ := s.twoVersions("b")
		first := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, a.ID, "z", 1))(s.t)
		second := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, a.ID, "a", 2))(s.t)
		third := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, b.ID, "z", 2))(s.t)
		ids := append(make([]int64, 600), a.ID, b.ID)
		want := map[int64][]entity.Label{a.ID: {first, second}, b.ID: {third}}
		s.equal(check.Must(s.Entities.LabelsByEntity(s.ctx, s.workspace, ids))(s.t), want)
		s.equal(check.Must(s.Entities.LabelsByEntity(s.ctx, s.other, ids))(s.t), map[int64][]entity.Label{})
	}},
}
