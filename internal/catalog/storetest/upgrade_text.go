package storetest

import (
	"github.com/promptuary/promptuary/internal/catalog/upgrade"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// texts returns all texts of a place.
func (s *store) texts(in upgrade.Place) []upgrade.Text {
	s.t.Helper()
	return check.Must(s.Upgrade.Texts(s.ctx, in, -1, 100))(s.t)
}

var upgradeCases = []testCase{
	{"texts are found and replaced", func(s *store) {
		workflow := s.create(entity.KindWorkflow, "w", nil)
		version := s.version(workflow.ID, `{"a":1}`)
		s.version(s.prompt("p").ID, `{"b":1}`)
		evaluation := s.evaluation("e")
		columns := check.Must(s.Evaluations.SaveReportColumns(s.ctx, s.workspace, evaluation.Entity.ID, s.columns()))(s.t)
		s.reportRun(evaluation, "r")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{workflow.ID}))(s.t)
		places := upgrade.Places()
		s.equal(s.texts(places[0]), []upgrade.Text{{ID: version.ID, Workspace: s.workspace, Text: `{"a":1}`}})
		s.equal(len(s.texts(places[1])), 3)
		s.equal(len(s.texts(places[2])), 3)
		s.equal(s.texts(places[1])[1], upgrade.Text{ID: columns[1].ID, Workspace: s.workspace, Type: "COUNT", Text: `{ "source" : "q", "x":1.50 }`})
		for _, place := range places {
			all := s.texts(place)
			last := all[len(all)-1]
			s.equal(check.Must(s.Upgrade.Texts(s.ctx, place, last.ID-1, 1))(s.t), []upgrade.Text{last})
			s.equal(check.Must(s.Upgrade.Texts(s.ctx, place, last.ID, 1))(s.t), []upgrade.Text{})
			s.ok(s.Upgrade.Replace(s.ctx, place, last.ID, "another text", `{"c":1}`))
			s.equal(s.texts(place), all)
			s.ok(s.Upgrade.Replace(s.ctx, place, last.ID, last.Text, `{"c":2}`))
			s.equal(s.texts(place)[len(all)-1].Text, `{"c":2}`)
		}
	}},
	{"the state of an upgrade is stored", func(s *store) {
		sealed := func() bool { return check.Must(s.Upgrade.CredentialsSealed(s.ctx))(s.t) }
		s.equal(sealed(), false)
		check.Must(s.Installation.SetID(s.ctx, "one"))(s.t)
		s.equal(sealed(), false)
		s.ok(s.Upgrade.SetCredentialsSealed(s.ctx))
		s.equal(sealed(), true)
	}},
	{"a catalog can be rewritten", func(s *store) {
		s.create(entity.KindWorkflow, "w", nil)
		s.ok(s.Rewrite(s.ctx))
		check.Must(s.Entities.FindEntityByName(s.ctx, s.workspace, entity.KindWorkflow, "w"))(s.t)
	}},
}
