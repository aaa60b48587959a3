package storetest

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var versionCases = []testCase{
	{"numbers start at 1, and bodies keep their bytes", func(s *store) {
		owner := s.prompt("x")
		body := "{\"z\": 1, \"a\":12345678901234567890,\n \"nul\":\"\\u0000\", \"ü\":\"🙂\"}"
		first := check.Must(s.Entities.AddVersion(s.ctx, s.workspace, owner.ID, entity.NewVersion{
			Body: json.RawMessage(body), CommitMessage: pointer("start"), Creator: pointer("ada@example.com"),
		}))(s.t)
		s.equal(first, entity.Version{
			ID: first.ID, EntityID: owner.ID, Number: 1, Body: json.RawMessage(body),
			CommitMessage: pointer("start"), Creator: pointer("ada@example.com"), CreatedAt: first.CreatedAt,
		})
		second := s.version(owner.ID, `[]`)
		s.equal(second.Number, int64(2))
		s.equal(second.CommitMessage, (*string)(nil))
		s.equal(check.Must(s.Entities.GetVersion(s.ctx, s.workspace, owner.ID, 1))(s.t), first)
		s.equal(check.Must(s.Entities.GetVersionByID(s.ctx, s.workspace, second.ID))(s.t), second)
		s.equal(s.latest(s.workspace, owner.ID), second)
	}},
	{"a version updates its entity", func(s *store) {
		owner := s.prompt("x")
		s.equal(owner.LatestVersion, int64(0))
		s.version(owner.ID, `{}`)
		s.equal(s.get(owner.ID).LatestVersion, int64(1))
		s.equal(s.get(owner.ID).UpdatedAt.After(owner.UpdatedAt), true)
	}},
	{"unknown ids are not found", func(s *store) {
		owner := s.prompt("x")
		s.equal(s.latest(s.workspace, owner.ID), entity.Version{})
		s.fails(check.Failure(s.Entities.GetVersion(s.ctx, s.workspace, owner.ID, 1)), fault.NotFound)
		s.fails(check.Failure(s.Entities.GetVersionByID(s.ctx, s.workspace, 999)), fault.NotFound)
		s.equal(s.labelledVersion(s.workspace, owner.ID, "prod"), entity.Version{})
		s.fails(check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, 999, entity.NewVersion{Body: []byte(`{}`)})), fault.NotFound)
	}},
	{"other workspaces are isolated", func(s *store) {
		owner := s.prompt("x")
		version := s.version(owner.ID, `{}`)
		s.fails(check.Failure(s.Entities.AddVersion(s.ctx, s.other, owner.ID, entity.NewVersion{Body: []byte(`{}`)})), fault.NotFound)
		s.fails(check.Failure(s.Entities.GetVersion(s.ctx, s.other, owner.ID, 1)), fault.NotFound)
		s.fails(check.Failure(s.Entities.GetVersionByID(s.ctx, s.other, version.ID)), fault.NotFound)
		seen, total := catalogtest.Versions(s.t, s.Catalog, s.other, owner.ID, entity.Page{})
		s.equal(seen, []entity.Version{})
		s.equal(total, int64(0))
		s.equal(len(check.Must(s.Entities.LatestVersions(s.ctx, s.other, []int64{owner.ID}))(s.t)), 0)
	}},
	{"invalid JSON is rejected", func(s *store) {
		owner := s.prompt("x")
		for _, body := range []string{"", "{", "{} x"} {
			input := entity.NewVersion{Body: json.RawMessage(body)}
			s.fails(check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, owner.ID, input)), fault.Invalid)
		}
	}},
	{"large bodies", func(s *store) {
		owner := s.prompt("x")
		body := check.Must(json.Marshal(make([]int, 500_000)))(s.t)
		s.version(owner.ID, string(body))
		s.equal(len(s.latest(s.workspace, owner.ID).Body), len(body))
	}},
	{"pages, newest first", func(s *store) {
		owner := s.prompt("x")
		for range 3 {
			s.version(owner.ID, `{}`)
		}
		s.version(s.prompt("y").ID, `{}`)
		for _, test := range []struct {
			page    entity.Page
			numbers []int64
		}{
			{entity.Page{}, []int64{3, 2, 1}},
			{entity.Page{Limit: 2}, []int64{3, 2}},
			{entity.Page{Limit: 2, Offset: 2}, []int64{1}},
			{entity.Page{Limit: 2, Offset: 5}, []int64{}},
		} {
			found, total := catalogtest.Versions(s.t, s.Catalog, s.workspace, owner.ID, test.page)
			s.equal(total, int64(3))
			numbers := []int64{}
			for _, version := range found {
				numbers = append(numbers, version.Number)
			}
			s.equal(numbers, test.numbers)
		}
	}},
	{"latest and labelled versions of many entities", func(s *store) {
		a, b, bare := s.prompt("a"), s.prompt("b"), s.prompt("bare")
		old, latest, only := s.version(a.ID, `1`), s.version(a.ID, `2`), s.version(b.ID, `3`)
		check.Must(s.Entities.SetLabel(s.ctx, s.workspace, a.ID, "prod", 1))(s.t)
		check.Must(s.Entities.SetLabel(s.ctx, s.workspace, b.ID, "dev", 1))(s.t)
		ids := []int64{a.ID, b.ID, bare.ID, 999}
		s.equal(check.Must(s.Entities.LatestVersions(s.ctx, s.workspace, ids))(s.t), map[int64]entity.Version{a.ID: latest, b.ID: only})
		s.equal(check.Must(s.Entities.LabelledVersions(s.ctx, s.workspace, ids, "prod"))(s.t), map[int64]entity.Version{a.ID: old})
		s.equal(len(check.Must(s.Entities.LatestVersions(s.ctx, s.workspace, nil))(s.t)), 0)
		many := append(make([]int64, 1200), a.ID) // more than fit in one statement
		s.equal(check.Must(s.Entities.LatestVersions(s.ctx, s.workspace, many))(s.t), map[int64]entity.Version{a.ID: latest})
	}},
}
