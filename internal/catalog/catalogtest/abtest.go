package catalogtest

import (
	"encoding/json"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// labelled returns a prompt with two versions and a label on the first.
func (s *store) labelled(name string) (catalog.Entity, catalog.Label) {
	s.t.Helper()
	entity, _, _ := s.twoVersions(name)
	return entity, check.Must(s.SetLabel(s.ctx, s.workspace, entity.ID, "prod", 1))(s.t)
}

func (s *store) abTest(name string, labelID int64) catalog.ABTest {
	s.t.Helper()
	input := catalog.NewABTest{Name: name, LabelID: labelID, Config: json.RawMessage(`{"weights": [50,50]}`)}
	return check.Must(s.CreateABTest(s.ctx, s.workspace, input))(s.t)
}

// noABTest fails the test when something of an AB test is left.
func (s *store) noABTest(test catalog.ABTest) {
	s.t.Helper()
	s.fails(check.Failure(s.GetABTest(s.ctx, s.workspace, test.Entity.ID)), fault.NotFound)
	query := catalog.EntityQuery{Kinds: []catalog.Kind{catalog.KindABTest}, Status: catalog.LiveOrDeleted}
	s.equal(s.names(query), []string{})
	s.equal(check.Must(s.ListABTests(s.ctx, s.workspace, nil))(s.t), []catalog.ABTest{})
	_, found, err := s.FindABTestByLabel(s.ctx, s.workspace, test.LabelID)
	s.ok(err)
	s.equal(found, false)
}

var abTestCases = []testCase{
	{"create, get, find and list", func(s *store) {
		prompt, label := s.labelled("x")
		_, elsewhere := s.labelled("y")
		folder := s.create(catalog.KindFolder, "f", nil)
		created := check.Must(s.CreateABTest(s.ctx, s.workspace, catalog.NewABTest{
			Name: "test", FolderID: &folder.ID, Creator: pointer("ada@example.com"), LabelID: label.ID,
			Config: json.RawMessage(`{"a": 1}`),
		}))(s.t)
		s.equal(created, catalog.ABTest{
			Entity: s.get(created.Entity.ID), PromptID: prompt.ID, LabelID: label.ID, LabelName: "prod",
			Config: json.RawMessage(`{"a": 1}`),
		})
		s.equal(created.Entity.Kind, catalog.KindABTest)
		s.equal(created.Entity.FolderID, &folder.ID)
		s.equal(check.Must(s.GetABTest(s.ctx, s.workspace, created.Entity.ID))(s.t), created)
		found, ok, err := s.FindABTestByLabel(s.ctx, s.workspace, label.ID)
		s.ok(err)
		s.equal(ok, true)
		s.equal(found, created)
		second := s.abTest("second", elsewhere.ID)
		s.equal(check.Must(s.ListABTests(s.ctx, s.workspace, nil))(s.t), []catalog.ABTest{created, second})
		s.equal(check.Must(s.ListABTests(s.ctx, s.workspace, &prompt.ID))(s.t), []catalog.ABTest{created})
	}},
	{"a configuration is a version", func(s *store) {
		_, label := s.labelled("x")
		test := s.abTest("test", label.ID)
		changed := check.Must(s.SetABTestConfig(s.ctx, s.workspace, test.Entity.ID, json.RawMessage(`[2]`), nil))(s.t)
		s.equal(string(changed.Config), `[2]`)
		s.equal(changed.Entity.LatestVersion, int64(2))
		s.equal(string(check.Must(s.GetVersion(s.ctx, s.workspace, test.Entity.ID, 1))(s.t).Body), string(test.Config))
		s.fails(check.Failure(s.SetABTestConfig(s.ctx, s.workspace, test.Entity.ID, json.RawMessage(`{`), nil)), fault.Invalid)
		s.equal(check.Must(s.GetABTest(s.ctx, s.workspace, test.Entity.ID))(s.t), changed)
	}},
	{"a label has one test", func(s *store) {
		_, label := s.labelled("x")
		test := s.abTest("test", label.ID)
		input := catalog.NewABTest{Name: "again", LabelID: label.ID, Config: json.RawMessage(`{}`)}
		s.fails(check.Failure(s.CreateABTest(s.ctx, s.workspace, input)), fault.Conflict)
		s.equal(s.names(catalog.EntityQuery{Kinds: []catalog.Kind{catalog.KindABTest}}), []string{"test"})
		s.ok(s.DeleteABTest(s.ctx, s.workspace, test.Entity.ID))
		s.noABTest(test)
		check.Must(s.GetLabel(s.ctx, s.workspace, label.ID))(s.t)
		s.abTest("again", label.ID)
	}},
	{"unknown, foreign and wrong", func(s *store) {
		prompt, label := s.labelled("x")
		input := catalog.NewABTest{Name: "test", LabelID: label.ID, Config: json.RawMessage(`{}`)}
		s.fails(check.Failure(s.CreateABTest(s.ctx, s.other, input)), fault.NotFound)
		for kind, broken := range map[fault.Kind]catalog.NewABTest{
			fault.NotFound: {Name: "test", LabelID: 999, Config: input.Config},
			fault.Invalid:  {Name: "test", LabelID: label.ID, Config: json.RawMessage(`x`)},
		} {
			s.fails(check.Failure(s.CreateABTest(s.ctx, s.workspace, broken)), kind)
		}
		s.noABTest(catalog.ABTest{LabelID: label.ID})
		test := s.abTest("test", label.ID)
		for _, err := range []error{
			check.Failure(s.GetABTest(s.ctx, s.other, test.Entity.ID)),
			check.Failure(s.GetABTest(s.ctx, s.workspace, prompt.ID)),
			check.Failure(s.SetABTestConfig(s.ctx, s.other, test.Entity.ID, input.Config, nil)),
			check.Failure(s.SetABTestConfig(s.ctx, s.workspace, prompt.ID, input.Config, nil)),
			s.DeleteABTest(s.ctx, s.other, test.Entity.ID),
			s.DeleteABTest(s.ctx, s.workspace, prompt.ID),
		} {
			s.fails(err, fault.NotFound)
		}
		s.equal(check.Must(s.ListABTests(s.ctx, s.other, nil))(s.t), []catalog.ABTest{})
		_, found, err := s.FindABTestByLabel(s.ctx, s.other, label.ID)
		s.ok(err)
		s.equal(found, false)
	}},
	{"it goes with its label, its prompt and by itself", func(s *store) {
		removals := map[string]func(prompt catalog.Entity, test catalog.ABTest) error{
			"label": func(_ catalog.Entity, test catalog.ABTest) error {
				return s.DeleteLabel(s.ctx, s.workspace, test.LabelID)
			},
			"prompt deleted": func(prompt catalog.Entity, _ catalog.ABTest) error {
				return check.Failure(s.SoftDelete(s.ctx, s.workspace, []int64{prompt.ID}))
			},
			"prompt removed": func(prompt catalog.Entity, _ catalog.ABTest) error {
				return check.Failure(s.RemoveEntities(s.ctx, s.workspace, []int64{prompt.ID}))
			},
			"both deleted": func(prompt catalog.Entity, test catalog.ABTest) error {
				return check.Failure(s.SoftDelete(s.ctx, s.workspace, []int64{test.Entity.ID, prompt.ID}))
			},
			"both removed": func(prompt catalog.Entity, test catalog.ABTest) error {
				return check.Failure(s.RemoveEntities(s.ctx, s.workspace, []int64{prompt.ID, test.Entity.ID}))
			},
			"test removed": func(_ catalog.Entity, test catalog.ABTest) error {
				return check.Failure(s.RemoveEntities(s.ctx, s.workspace, []int64{test.Entity.ID}))
			},
		}
		for name, remove := range removals {
			prompt, label := s.labelled(name)
			test := s.abTest(name, label.ID)
			config := check.Must(s.GetLatestVersion(s.ctx, s.workspace, test.Entity.ID))(s.t)
			s.ok(remove(prompt, test))
			s.noABTest(test)
			s.fails(check.Failure(s.GetVersionByID(s.ctx, s.workspace, config.ID)), fault.NotFound)
		}
	}},
	{"a deleted test frees its label", func(s *store) {
		_, label := s.labelled("x")
		test := s.abTest("test", label.ID)
		check.Must(s.SoftDelete(s.ctx, s.workspace, []int64{test.Entity.ID}))(s.t)
		s.fails(check.Failure(s.GetABTest(s.ctx, s.workspace, test.Entity.ID)), fault.NotFound)
		s.abTest("again", label.ID)
	}},
}
