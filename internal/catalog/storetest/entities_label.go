package storetest

import (
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// twoVersions returns a prompt with the versions 1 and 2.
func (s *store) twoVersions(name string) (entity.Entity, entity.Version, entity.Version) {
	s.t.Helper()
	owner := s.prompt(name)
	return owner, s.version(owner.ID, `1`), s.version(owner.ID, `2`)
}

var labelCases = []testCase{
	{"set creates or moves, keeping the id", func(s *store) {
		owner, first, second := s.twoVersions("x")
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		s.equal(label, entity.Label{
			ID: label.ID, EntityID: owner.ID, Name: "prod",
			VersionID: first.ID, VersionNumber: 1, CreatedAt: label.CreatedAt,
		})
		s.equal(s.labelledVersion(s.workspace, owner.ID, "prod"), first)
		moved := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 2))(s.t)
		label.VersionID, label.VersionNumber = second.ID, 2
		s.equal(moved, label)
		s.equal(check.Must(s.Entities.GetLabel(s.ctx, s.workspace, label.ID))(s.t), label)
		s.equal(check.Must(s.Entities.FindLabel(s.ctx, s.workspace, owner.ID, "prod"))(s.t), label)
		s.equal(s.labelledVersion(s.workspace, owner.ID, "prod"), second)
	}},
	{"create rejects an existing name", func(s *store) {
		owner, _, _ := s.twoVersions("x")
		label := check.Must(s.Entities.CreateLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		for _, number := range []int64{1, 2} {
			s.fails(check.Failure(s.Entities.CreateLabel(s.ctx, s.workspace, owner.ID, "prod", number)), fault.Conflict)
		}
		s.equal(check.Must(s.Entities.GetLabel(s.ctx, s.workspace, label.ID))(s.t), label)
		check.Must(s.Entities.CreateLabel(s.ctx, s.workspace, owner.ID, "Prod", 1))(s.t)
		twin, _, _ := s.twoVersions("y")
		check.Must(s.Entities.CreateLabel(s.ctx, s.workspace, twin.ID, "prod", 1))(s.t)
	}},
	{"move by id", func(s *store) {
		owner, _, second := s.twoVersions("x")
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		s.equal(check.Must(s.Entities.MoveLabel(s.ctx, s.workspace, label.ID, 2))(s.t).VersionID, second.ID)
		s.fails(check.Failure(s.Entities.MoveLabel(s.ctx, s.workspace, label.ID, 3)), fault.NotFound)
		s.fails(check.Failure(s.Entities.MoveLabel(s.ctx, s.workspace, 999, 1)), fault.NotFound)
		s.fails(check.Failure(s.Entities.MoveLabel(s.ctx, s.other, label.ID, 1)), fault.NotFound)
		s.equal(check.Must(s.Entities.GetLabel(s.ctx, s.workspace, label.ID))(s.t).VersionNumber, int64(2))
	}},
	{"list in the order of creation", func(s *store) {
		owner, _, _ := s.twoVersions("x")
		s.equal(check.Must(s.Entities.ListLabels(s.ctx, s.workspace, owner.ID))(s.t), []entity.Label{})
		b := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "b", 1))(s.t)
		a := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "a", 1))(s.t)
		s.equal(check.Must(s.Entities.ListLabels(s.ctx, s.workspace, owner.ID))(s.t), []entity.Label{b, a})
	}},
	{"delete", func(s *store) {
		owner, first, _ := s.twoVersions("x")
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		s.fails(s.Entities.DeleteLabel(s.ctx, s.other, label.ID), fault.NotFound)
		s.ok(s.Entities.DeleteLabel(s.ctx, s.workspace, label.ID))
		s.fails(s.Entities.DeleteLabel(s.ctx, s.workspace, label.ID), fault.NotFound)
		s.fails(check.Failure(s.Entities.GetLabel(s.ctx, s.workspace, label.ID)), fault.NotFound)
		s.equal(check.Must(s.Entities.GetVersion(s.ctx, s.workspace, owner.ID, 1))(s.t), first)
	}},
	{"unknown, foreign and empty names", func(s *store) {
		owner, _, _ := s.twoVersions("x")
		s.fails(check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 3)), fault.NotFound)
		s.fails(check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, 999, "prod", 1)), fault.NotFound)
		s.fails(check.Failure(s.Entities.SetLabel(s.ctx, s.other, owner.ID, "prod", 1)), fault.NotFound)
		s.fails(check.Failure(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "", 1)), fault.Invalid)
		s.fails(check.Failure(s.Entities.FindLabel(s.ctx, s.workspace, owner.ID, "prod")), fault.NotFound)
		label := check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
		s.fails(check.Failure(s.Entities.GetLabel(s.ctx, s.other, label.ID)), fault.NotFound)
		s.equal(s.labelledVersion(s.other, owner.ID, "prod"), entity.Version{})
		s.equal(check.Must(s.Entities.ListLabels(s.ctx, s.other, owner.ID))(s.t), []entity.Label{})
	}},
}
