package storetest

import (
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// eachVersion returns the bodies of a page of versions and the total.
func (s *store) eachVersion(workspace, owner int64, page entity.Page) ([]string, int64) {
	s.t.Helper()
	bodies := []string{}
	total, err := s.Entities.EachVersion(s.ctx, workspace, owner, page, func(version *entity.Version) error {
		s.equal(version.EntityID, owner)
		bodies = append(bodies, string(version.Body))
		return nil
	})
	s.ok(err)
	return bodies, total
}

var versionListCases = []testCase{
	{"pages of each version, newest first", func(s *store) {
		owner, other := s.prompt("x"), s.prompt("y")
		for i := range 3 {
			s.version(owner.ID, fmt.Sprint(i+1))
		}
		s.version(other.ID, `"y"`)
		for _, test := range []struct {
			page   entity.Page
			bodies []string
		}{
			{entity.Page{}, []string{"3", "2", "1"}},
			{entity.Page{Limit: 2}, []string{"3", "2"}},
			{entity.Page{Limit: 2, Offset: 2}, []string{"1"}},
			{entity.Page{Limit: 2, Offset: 9}, []string{}},
		} {
			bodies, total := s.eachVersion(s.workspace, owner.ID, test.page)
			s.equal(bodies, test.bodies)
			s.equal(total, int64(3))
		}
		bodies, total := s.eachVersion(s.other, owner.ID, entity.Page{})
		s.equal(bodies, []string{})
		s.equal(total, int64(0))
	}},
	{"an error ends the iteration", func(s *store) {
		owner := s.prompt("x")
		s.version(owner.ID, `1`)
		latest := s.version(owner.ID, `{"a": "ü"}`)
		seen := []entity.Version{}
		_, err := s.Entities.EachVersion(s.ctx, s.workspace, owner.ID, entity.Page{}, func(version *entity.Version) error {
			seen = append(seen, *version)
			return errOurs
		})
		s.equal(errors.Is(err, errOurs), true)
		s.equal(seen, []entity.Version{latest})
		s.version(owner.ID, `3`) // the iteration has released its connection
	}},
	{"labels by version, ordered by name", func(s *store) {
		owner, other := s.prompt("x"), s.prompt("y")
		first, second, bare := s.version(owner.ID, `1`), s.version(other.ID, `2`), s.version(owner.ID, `3`)
		b := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "b", 1))(s.t)
		a := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "a", 1))(s.t)
		upper := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "B", 1))(s.t)
		c := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, other.ID, "c", 1))(s.t)
		ids := append(make([]int64, 1200), first.ID, second.ID, bare.ID, first.ID)
		want := map[int64][]entity.Label{first.ID: {upper, a, b}, second.ID: {c}}
		s.equal(check.Must(s.Entities.LabelsByVersion(s.ctx, s.workspace, ids))(s.t), want)
		s.equal(len(check.Must(s.Entities.LabelsByVersion(s.ctx, s.other, ids))(s.t)), 0)
		s.equal(len(check.Must(s.Entities.LabelsByVersion(s.ctx, s.workspace, nil))(s.t)), 0)
	}},
}
