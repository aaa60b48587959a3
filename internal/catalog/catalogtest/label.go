package catalogtest

import (
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// twoVersions returns a prompt with the versions 1 and 2.
func (s *store) twoVersions(name string) (catalog.Entity, catalog.Version, catalog.Version) {
	s.t.Helper()
	entity := s.prompt(name)
	return entity, s.version(entity.ID, `1`), s.version(entity.ID, `2`)
}

var labelCases = []testCase{
	{"set creates, then moves and keeps the id", func(s *store) {
		entity, first, second := s.twoVersions("x")
		label := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		s.equal(label, catalog.Label{
			ID: label.ID, EntityID: entity.ID, Name: "prod",
			VersionID: first.ID, VersionNumber: 1, CreatedAt: label.CreatedAt,
		})
		s.equal(check.Must(s.GetLabelledVersion(s.ctx, s.workspace, entity.ID, "prod"))(s.t), first)
		moved := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 2))(s.t)
		label.VersionID, label.VersionNumber = second.ID, 2
		s.equal(moved, label)
		s.equal(check.Must(s.GetLabel(s.ctx, s.workspace, label.ID))(s.t), label)
		s.equal(check.Must(s.FindLabel(s.ctx, s.workspace, entity.ID, "prod"))(s.t), label)
		s.equal(check.Must(s.GetLabelledVersion(s.ctx, s.workspace, entity.ID, "prod"))(s.t), second)
	}},
	{"create refuses an existing name", func(s *store) {
		entity, _, _ := s.twoVersions("x")
		label := check.Must(s.CreateLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		for _, number := range []int64{1, 2} {
			s.fails(check.Failure(s.CreateLabel(s.ctx, s.workspace, entity.ID, "prod", number)), fault.Conflict)
		}
		s.equal(check.Must(s.GetLabel(s.ctx, s.workspace, label.ID))(s.t), label)
		check.Must(s.CreateLabel(s.ctx, s.workspace, entity.ID, "Prod", 1))(s.t)
		twin, _, _ := s.twoVersions("y")
		check.Must(s.CreateLabel(s.ctx, s.workspace, twin.ID, "prod", 1))(s.t)
	}},
	{"move by id", func(s *store) {
		entity, _, second := s.twoVersions("x")
		label := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		s.equal(check.Must(s.MoveLabel(s.ctx, s.workspace, label.ID, 2))(s.t).VersionID, second.ID)
		s.fails(check.Failure(s.MoveLabel(s.ctx, s.workspace, label.ID, 3)), fault.NotFound)
		s.fails(check.Failure(s.MoveLabel(s.ctx, s.workspace, 999, 1)), fault.NotFound)
		s.fails(check.Failure(s.MoveLabel(s.ctx, s.other, label.ID, 1)), fault.NotFound)
		s.equal(check.Must(s.GetLabel(s.ctx, s.workspace, label.ID))(s.t).VersionNumber, int64(2))
	}},
	{"list in the order of creation", func(s *store) {
		entity, _, _ := s.twoVersions("x")
		s.equal(check.Must(s.ListLabels(s.ctx, s.workspace, entity.ID))(s.t), []catalog.Label{})
		b := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "b", 1))(s.t)
		a := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "a", 1))(s.t)
		s.equal(check.Must(s.ListLabels(s.ctx, s.workspace, entity.ID))(s.t), []catalog.Label{b, a})
	}},
	{"delete", func(s *store) {
		entity, first, _ := s.twoVersions("x")
		label := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		s.fails(s.DeleteLabel(s.ctx, s.other, label.ID), fault.NotFound)
		s.ok(s.DeleteLabel(s.ctx, s.workspace, label.ID))
		s.fails(s.DeleteLabel(s.ctx, s.workspace, label.ID), fault.NotFound)
		s.fails(check.Failure(s.GetLabel(s.ctx, s.workspace, label.ID)), fault.NotFound)
		s.equal(check.Must(s.GetVersion(s.ctx, s.workspace, entity.ID, 1))(s.t), first)
	}},
	{"unknown, foreign and empty", func(s *store) {
		entity, _, _ := s.twoVersions("x")
		s.fails(check.Failure(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 3)), fault.NotFound)
		s.fails(check.Failure(s.SetLabel(s.ctx, s.workspace, 999, "prod", 1)), fault.NotFound)
		s.fails(check.Failure(s.SetLabel(s.ctx, s.other, entity.ID, "prod", 1)), fault.NotFound)
		s.fails(check.Failure(s.SetLabel(s.ctx, s.workspace, entity.ID, "", 1)), fault.Invalid)
		s.fails(check.Failure(s.FindLabel(s.ctx, s.workspace, entity.ID, "prod")), fault.NotFound)
		label := check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
		s.fails(check.Failure(s.GetLabel(s.ctx, s.other, label.ID)), fault.NotFound)
		s.fails(check.Failure(s.GetLabelledVersion(s.ctx, s.other, entity.ID, "prod")), fault.NotFound)
		s.equal(check.Must(s.ListLabels(s.ctx, s.other, entity.ID))(s.t), []catalog.Label{})
	}},
}
