package storetest

import (
	"strings"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// referring adds a version with references.
func (s *store) referring(entityID int64, references ...entity.Reference) entity.Version {
	s.t.Helper()
	input := entity.NewVersion{Body: []byte(`{}`), References: references}
	return check.Must(s.Entities.AddVersion(s.ctx, s.workspace, entityID, input))(s.t)
}

var referenceCases = []testCase{
	{"versions that refer to a name", func(s *store) {
		b, a := s.prompt("b"), s.prompt("a")
		latest, pinned := entity.Reference{Name: "s"}, entity.Reference{Name: "s", Number: 2}
		labelled := entity.Reference{Name: "s", Label: "prod"}
		a1 := s.referring(a.ID, pinned)
		b1 := s.referring(b.ID, labelled, entity.Reference{Name: "t"}, latest, labelled)
		s.referring(b.ID)
		b3 := s.referring(b.ID, latest)
		want := []entity.ReferringVersion{
			{EntityID: b.ID, EntityName: "b", VersionID: b1.ID, VersionNumber: 1, Reference: labelled},
			{EntityID: b.ID, EntityName: "b", VersionID: b1.ID, VersionNumber: 1, Reference: latest},
			{EntityID: b.ID, EntityName: "b", VersionID: b3.ID, VersionNumber: 3, Reference: latest},
			{EntityID: a.ID, EntityName: "a", VersionID: a1.ID, VersionNumber: 1, Reference: pinned},
		}
		s.equal(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "s"))(s.t), want)
		s.equal(len(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "t"))(s.t)), 1)
		s.equal(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "S"))(s.t), []entity.ReferringVersion{})
		s.equal(check.Must(s.Entities.ListReferences(s.ctx, s.other, "s"))(s.t), []entity.ReferringVersion{})
	}},
	{"deleted entities do not refer to names", func(s *store) {
		a, b := s.prompt("a"), s.prompt("b")
		s.referring(a.ID, entity.Reference{Name: "s"})
		s.referring(b.ID, entity.Reference{Name: "s"})
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{a.ID}))(s.t)
		check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{b.ID}))(s.t)
		s.equal(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "s"))(s.t), []entity.ReferringVersion{})
	}},
	{"more references than fit in one statement", func(s *store) {
		owner := s.prompt("a")
		references := []entity.Reference{}
		for _, name := range numberedTags(700) {
			references = append(references, entity.Reference{Name: name})
		}
		s.referring(owner.ID, references...)
		s.equal(len(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "699"))(s.t)), 1)
	}},
	{"invalid names are rejected", func(s *store) {
		owner := s.prompt("a")
		for _, name := range []string{"", strings.Repeat("x", 2049), "\x00"} {
			input := entity.NewVersion{Body: []byte(`{}`), References: []entity.Reference{{Name: "s"}, {Name: name}}}
			s.fails(check.Failure(s.Entities.AddVersion(s.ctx, s.workspace, owner.ID, input)), fault.Invalid)
		}
		s.equal(s.get(owner.ID), owner)
		s.equal(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, "s"))(s.t), []entity.ReferringVersion{})
		longest := distinctRunes(512)
		s.referring(owner.ID, entity.Reference{Name: longest})
		s.equal(len(check.Must(s.Entities.ListReferences(s.ctx, s.workspace, longest))(s.t)), 1)
	}},
}
