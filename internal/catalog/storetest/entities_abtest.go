package storetest

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// labelled returns a prompt with two versions and a label on the first one.
func (s *store) labelled(name string) (entity.Entity, entity.Label) {
	s.t.Helper()
	owner, _, _ := s.twoVersions(name)
	return owner, check.Must(s.Entities.SetLabel(s.ctx, s.workspace, owner.ID, "prod", 1))(s.t)
}

func (s *store) abTest(name string, labelID int64) entity.ABTest {
	s.t.Helper()
	input := entity.NewABTest{Name: name, LabelID: labelID, Config: json.RawMessage(`{"weights": [50,50]}`)}
	return check.Must(s.Entities.CreateABTest(s.ctx, s.workspace, input))(s.t)
}

// noABTest fails the test if anything is left of an AB test.
func (s *store) noABTest(test entity.ABTest) {
	s.t.Helper()
	s.fails(check.Failure(s.Entities.GetABTest(s.ctx, s.workspace, test.Entity.ID)), fault.NotFound)
	query := entity.Query{Kinds: []entity.Kind{entity.KindABTest}, Status: entity.LiveOrDeleted}
	s.equal(s.names(query), []string{})
	s.equal(check.Must(s.Entities.ListABTests(s.ctx, s.workspace, nil))(s.t), []entity.ABTest{})
	_, found, err := s.Entities.FindABTestByLabel(s.ctx, s.workspace, test.LabelID)
	s.ok(err)
	s.equal(found, false)
}

var abTestCases = []testCase{
	{"create, get, find and list", func(s *store) {
		prompt, label := s.labelled("x")
		_, elsewhere := s.labelled("y")
		folder := s.create(entity.KindFolder, "f", nil)
		created := check.Must(s.Entities.CreateABTest(s.ctx, s.workspace, entity.NewABTest{
			Name: "test", FolderID: &folder.ID, Creator: pointer("ada@example.com"), LabelID: label.ID,
			Config: json.RawMessage(`{"a": 1}`),
		}))(s.t)
		s.equal(created, entity.ABTest{
			Entity: s.get(created.Entity.ID), PromptID: prompt.ID, LabelID: label.ID, LabelName: "prod",
			Config: json.RawMessage(`{"a": 1}`),
		})
		s.equal(created.Entity.Kind, entity.KindABTest)
		s.equal(created.Entity.FolderID, &folder.ID)
		s.equal(check.Must(s.Entities.GetABTest(s.ctx, s.workspace, created.Entity.ID))(s.t), created)
		found, ok, err := s.Entities.FindABTestByLabel(s.ctx, s.workspace, label.ID)
		s.ok(err)
		s.equal(ok, true)
		s.equal(found, created)
		second := s.abTest("second", elsewhere.ID)
		s.equal(check.Must(s.Entities.ListABTests(s.ctx, s.workspace, nil))(s.t), []entity.ABTest{created, second})
		s.equal(check.Must(s.Entities.ListABTests(s.ctx, s.workspace, &prompt.ID))(s.t), []entity.ABTest{created})
	}},
	{"a configuration is a version", func(s *store) {
		_, label := s.labelled("x")
		test := s.abTest("test", label.ID)
		changed := check.Must(s.Entities.SetABTestConfig(s.ctx, s.workspace, test.Entity.ID, json.RawMessage(`[2]`), nil))(s.t)
		s.equal(string(changed.Config), `[2]`)
		s.equal(changed.Entity.LatestVersion, int64(2))
		s.equal(string(check.Must(s.Entities.GetVersion(s.ctx, s.workspace, test.Entity.ID, 1))(s.t).Body), string(test.Config))
		s.fails(check.Failure(s.Entities.SetABTestConfig(s.ctx, s.workspace, test.Entity.ID, json.RawMessage(`{`), nil)), fault.Invalid)
		s.equal(check.Must(s.Entities.GetABTest(s.ctx, s.workspace, test.Entity.ID))(s.t), changed)
	}},
	{"a label has one AB test", func(s *store) {
		_, label := s.labelled("x")
		test := s.abTest("test", label.ID)
		input := entity.NewABTest{Name: "again", LabelID: label.ID, Config: json.RawMessage(`{}`)}
		s.fails(check.Failure(s.Entities.CreateABTest(s.ctx, s.workspace, input)), fault.Conflict)
		s.equal(s.names(entity.Query{Kinds: []entity.Kind{entity.KindABTest}}), []string{"test"})
		s.ok(s.Entities.DeleteABTest(s.ctx, s.workspace, test.Entity.ID))
		s.noABTest(test)
		check.Must(s.Entities.GetLabel(s.ctx, s.workspace, label.ID))(s.t)
		s.abTest("again", label.ID)
	}},
	{"unknown, foreign and invalid input", func(s *store) {
		prompt, label := s.labelled("x")
		input := entity.NewABTest{Name: "test", LabelID: label.ID, Config: json.RawMessage(`{}`)}
		s.fails(check.Failure(s.Entities.CreateABTest(s.ctx, s.other, input)), fault.NotFound)
		for kind, broken := range map[fault.Kind]entity.NewABTest{
			fault.NotFound: {Name: "test", LabelID: 999, Config: input.Config},
			fault.Invalid:  {Name: "test", LabelID: label.ID, Config: json.RawMessage(`x`)},
		} {
			s.fails(check.Failure(s.Entities.CreateABTest(s.ctx, s.workspace, broken)), kind)
		}
		s.noABTest(entity.ABTest{LabelID: label.ID})
		test := s.abTest("test", label.ID)
		for _, err := range []error{
			check.Failure(s.Entities.GetABTest(s.ctx, s.other, test.Entity.ID)),
			check.Failure(s.Entities.GetABTest(s.ctx, s.workspace, prompt.ID)),
			check.Failure(s.Entities.SetABTestConfig(s.ctx, s.other, test.Entity.ID, input.Config, nil)),
			check.Failure(s.Entities.SetABTestConfig(s.ctx, s.workspace, prompt.ID, input.Config, nil)),
			s.Entities.DeleteABTest(s.ctx, s.other, test.Entity.ID),
			s.Entities.DeleteABTest(s.ctx, s.workspace, prompt.ID),
		} {
			s.fails(err, fault.NotFound)
		}
		s.equal(check.Must(s.Entities.ListABTests(s.ctx, s.other, nil))(s.t), []entity.ABTest{})
		_, found, err := s.Entities.FindABTestByLabel(s.ctx, s.other, label.ID)
		s.ok(err)
		s.equal(found, false)
	}},
	{"AB tests are deleted with their label or prompt", func(s *store) {
		removals := map[string]func(prompt entity.Entity, test entity.ABTest) error{
			"label": func(_ entity.Entity, test entity.ABTest) error {
				return s.Entities.DeleteLabel(s.ctx, s.workspace, test.LabelID)
			},
			"prompt deleted": func(prompt entity.Entity, _ entity.ABTest) error {
				return check.Failure(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{prompt.ID}))
			},
			"prompt removed": func(prompt entity.Entity, _ entity.ABTest) error {
				return check.Failure(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{prompt.ID}))
			},
			"both deleted": func(prompt entity.Entity, test entity.ABTest) error {
				return check.Failure(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{test.Entity.ID, prompt.ID}))
			},
			"both removed": func(prompt entity.Entity, test entity.ABTest) error {
				return check.Failure(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{prompt.ID, test.Entity.ID}))
			},
			"test removed": func(_ entity.Entity, test entity.ABTest) error {
				return check.Failure(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{test.Entity.ID}))
			},
		}
		for name, remove := range removals {
			prompt, label := s.labelled(name)
			test := s.abTest(name, label.ID)
			config := s.latest(s.workspace, test.Entity.ID)
			s.ok(remove(prompt, test))
			s.noABTest(test)
			s.fails(check.Failure(s.Entities.GetVersionByID(s.ctx, s.workspace, config.ID)), fault.NotFound)
		}
	}},
	{"a deleted AB test frees its label", func(s *store) {
		_, label := s.labelled("x")
		test := s.abTest("test", label.ID)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{test.Entity.ID}))(s.t)
		s.fails(check.Failure(s.Entities.GetABTest(s.ctx, s.workspace, test.Entity.ID)), fault.NotFound)
		s.abTest("again", label.ID)
	}},
}
