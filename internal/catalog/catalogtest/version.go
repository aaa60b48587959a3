package catalogtest

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

var versionCases = []testCase{
	{"numbers run from 1, bodies come back byte by byte", func(s *store) {
		entity := s.prompt("x")
		body := "{\"z\": 1, \"a\":12345678901234567890,\n \"nul\":\"\\u0000\", \"ü\":\"🙂\"}"
		first := check.Must(s.AddVersion(s.ctx, s.workspace, entity.ID, catalog.NewVersion{
			Body: json.RawMessage(body), CommitMessage: pointer("start"), Creator: pointer("ada@example.com"),
		}))(s.t)
		s.equal(first, catalog.Version{
			ID: first.ID, EntityID: entity.ID, Number: 1, Body: json.RawMessage(body),
			CommitMessage: pointer("start"), Creator: pointer("ada@example.com"), CreatedAt: first.CreatedAt,
		})
		second := s.version(entity.ID, `[]`)
		s.equal(second.Number, int64(2))
		s.equal(second.CommitMessage, (*string)(nil))
		s.equal(check.Must(s.GetVersion(s.ctx, s.workspace, entity.ID, 1))(s.t), first)
		s.equal(check.Must(s.GetVersionByID(s.ctx, s.workspace, second.ID))(s.t), second)
		s.equal(check.Must(s.GetLatestVersion(s.ctx, s.workspace, entity.ID))(s.t), second)
	}},
	{"a version updates its entity", func(s *store) {
		entity := s.prompt("x")
		s.equal(entity.LatestVersion, int64(0))
		s.version(entity.ID, `{}`)
		s.equal(s.get(entity.ID).LatestVersion, int64(1))
		s.equal(s.get(entity.ID).UpdatedAt.After(entity.UpdatedAt), true)
	}},
	{"unknown is not found", func(s *store) {
		entity := s.prompt("x")
		s.fails(check.Failure(s.GetLatestVersion(s.ctx, s.workspace, entity.ID)), fault.NotFound)
		s.fails(check.Failure(s.GetVersion(s.ctx, s.workspace, entity.ID, 1)), fault.NotFound)
		s.fails(check.Failure(s.GetVersionByID(s.ctx, s.workspace, 999)), fault.NotFound)
		s.fails(check.Failure(s.GetLabelledVersion(s.ctx, s.workspace, entity.ID, "prod")), fault.NotFound)
		s.fails(check.Failure(s.AddVersion(s.ctx, s.workspace, 999, catalog.NewVersion{Body: []byte(`{}`)})), fault.NotFound)
	}},
	{"another workspace sees nothing", func(s *store) {
		entity := s.prompt("x")
		version := s.version(entity.ID, `{}`)
		s.fails(check.Failure(s.AddVersion(s.ctx, s.other, entity.ID, catalog.NewVersion{Body: []byte(`{}`)})), fault.NotFound)
		s.fails(check.Failure(s.GetVersion(s.ctx, s.other, entity.ID, 1)), fault.NotFound)
		s.fails(check.Failure(s.GetVersionByID(s.ctx, s.other, version.ID)), fault.NotFound)
		s.fails(check.Failure(s.GetLatestVersion(s.ctx, s.other, entity.ID)), fault.NotFound)
		versions, total, err := s.ListVersions(s.ctx, s.other, entity.ID, catalog.Page{})
		s.ok(err)
		s.equal(versions, []catalog.Version{})
		s.equal(total, int64(0))
		s.equal(len(check.Must(s.LatestVersions(s.ctx, s.other, []int64{entity.ID}))(s.t)), 0)
	}},
	{"a body that is not JSON is refused", func(s *store) {
		entity := s.prompt("x")
		for _, body := range []string{"", "{", "{} x"} {
			input := catalog.NewVersion{Body: json.RawMessage(body)}
			s.fails(check.Failure(s.AddVersion(s.ctx, s.workspace, entity.ID, input)), fault.Invalid)
		}
	}},
	{"a body of a megabyte", func(s *store) {
		entity := s.prompt("x")
		body := check.Must(json.Marshal(make([]int, 500_000)))(s.t)
		s.version(entity.ID, string(body))
		s.equal(len(check.Must(s.GetLatestVersion(s.ctx, s.workspace, entity.ID))(s.t).Body), len(body))
	}},
	{"list newest first, by pages", func(s *store) {
		entity := s.prompt("x")
		for range 3 {
			s.version(entity.ID, `{}`)
		}
		s.version(s.prompt("y").ID, `{}`)
		for _, test := range []struct {
			page    catalog.Page
			numbers []int64
		}{
			{catalog.Page{}, []int64{3, 2, 1}},
			{catalog.Page{Limit: 2}, []int64{3, 2}},
			{catalog.Page{Limit: 2, Offset: 2}, []int64{1}},
			{catalog.Page{Limit: 2, Offset: 5}, []int64{}},
		} {
			versions, total, err := s.ListVersions(s.ctx, s.workspace, entity.ID, test.page)
			s.ok(err)
			s.equal(total, int64(3))
			numbers := []int64{}
			for _, version := range versions {
				numbers = append(numbers, version.Number)
			}
			s.equal(numbers, test.numbers)
		}
	}},
	{"latest and labelled versions of many entities", func(s *store) {
		a, b, bare := s.prompt("a"), s.prompt("b"), s.prompt("bare")
		old, latest, only := s.version(a.ID, `1`), s.version(a.ID, `2`), s.version(b.ID, `3`)
		check.Must(s.SetLabel(s.ctx, s.workspace, a.ID, "prod", 1))(s.t)
		check.Must(s.SetLabel(s.ctx, s.workspace, b.ID, "dev", 1))(s.t)
		ids := []int64{a.ID, b.ID, bare.ID, 999}
		s.equal(check.Must(s.LatestVersions(s.ctx, s.workspace, ids))(s.t), map[int64]catalog.Version{a.ID: latest, b.ID: only})
		s.equal(check.Must(s.LabelledVersions(s.ctx, s.workspace, ids, "prod"))(s.t), map[int64]catalog.Version{a.ID: old})
		s.equal(len(check.Must(s.LatestVersions(s.ctx, s.workspace, nil))(s.t)), 0)
		many := append(make([]int64, 1200), a.ID) // more than one statement takes
		s.equal(check.Must(s.LatestVersions(s.ctx, s.workspace, many))(s.t), map[int64]catalog.Version{a.ID: latest})
	}},
}
