package storetest

import (
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// runIDs returns the ids of the runs that a query finds, and the total.
func (s *store) runIDs(workspace int64, query run.ListQuery) ([]int64, int64) {
	s.t.Helper()
	found, total, err := s.Runs.ListRuns(s.ctx, workspace, query)
	s.ok(err)
	ids := []int64{}
	for _, one := range found {
		ids = append(ids, one.ID)
	}
	return ids, total
}

var runListCases = []testCase{
	{"pages, newest first, by status", func(s *store) {
		_, version := s.workflow("w")
		_, other := s.workflow("other")
		a, b := s.run(s.newRun(version)).ID, s.run(s.newRun(version)).ID
		s.run(s.newRun(other))
		c := s.run(s.newRun(version)).ID
		s.ok(s.Runs.EndRun(s.ctx, a, run.Failed, noon))
		s.ok(s.Runs.EndRun(s.ctx, c, run.Cancelled, noon))
		for _, test := range []struct {
			status run.Status
			page   entity.Page
			ids    []int64
			total  int64
		}{
			{"", entity.Page{}, []int64{c, b, a}, 3},
			{"", entity.Page{Limit: 2}, []int64{c, b}, 3},
			{"", entity.Page{Limit: 2, Offset: 2}, []int64{a}, 3},
			{"", entity.Page{Limit: 2, Offset: 8}, []int64{}, 3},
			{run.Running, entity.Page{Limit: 1}, []int64{b}, 1},
			{run.Failed, entity.Page{}, []int64{a}, 1},
			{run.Cancelled, entity.Page{Limit: 1, Offset: 1}, []int64{}, 1},
			{run.Success, entity.Page{}, []int64{}, 0},
		} {
			ids, total := s.runIDs(s.workspace, run.ListQuery{WorkflowID: version.EntityID, Status: test.status, Page: test.page})
			s.equal(ids, test.ids)
			s.equal(total, test.total)
		}
		ids, total := s.runIDs(s.other, run.ListQuery{WorkflowID: version.EntityID})
		s.equal(ids, []int64{})
		s.equal(total, int64(0))
	}},
	{"dry runs are listed on demand", func(s *store) {
		_, version := s.workflow("w")
		dry := s.newRun(version)
		dry.DryRun = true
		a, b, c, d := s.run(s.newRun(version)).ID, s.run(dry).ID, s.run(s.newRun(version)).ID, s.run(dry).ID
		s.ok(s.Runs.EndRun(s.ctx, d, run.Failed, noon))
		for _, test := range []struct {
			query run.ListQuery
			ids   []int64
			total int64
		}{
			{run.ListQuery{}, []int64{c, a}, 2},
			{run.ListQuery{DryRuns: run.WithDryRuns, Page: entity.Page{Limit: 3}}, []int64{d, c, b}, 4},
			{run.ListQuery{DryRuns: run.OnlyDryRuns, Page: entity.Page{Limit: 1}}, []int64{d}, 2},
			{run.ListQuery{DryRuns: run.OnlyDryRuns, Status: run.Running}, []int64{b}, 1},
			{run.ListQuery{RunID: b}, []int64{}, 0},
			{run.ListQuery{RunID: b, DryRuns: run.WithDryRuns}, []int64{b}, 1},
		} {
			test.query.WorkflowID = version.EntityID
			ids, total := s.runIDs(s.workspace, test.query)
			s.equal(ids, test.ids)
			s.equal(total, test.total)
		}
		found, _, err := s.Runs.ListRuns(s.ctx, s.workspace, run.ListQuery{WorkflowID: version.EntityID, DryRuns: run.WithDryRuns})
		s.ok(err)
		s.equal([]bool{found[0].DryRun, found[1].DryRun}, []bool{true, false})
	}},
	{"listed runs have no metadata", func(s *store) {
		created, _ := s.workflow("w")
		version := s.version(created.ID, `{}`)
		stored := s.run(s.newRun(version))
		ended := noon.Add(time.Minute)
		s.ok(s.Runs.EndRun(s.ctx, stored.ID, run.Success, ended))
		found, _, err := s.Runs.ListRuns(s.ctx, s.workspace, run.ListQuery{WorkflowID: created.ID})
		s.ok(err)
		stored.EndedAt, stored.Metadata = &ended, found[0].Metadata
		s.equal(runText(found[0].Run), runText(stored))
		s.equal([]any{found[0].Status, found[0].VersionNumber}, []any{run.Success, int64(2)})
	}},
	{"large inputs are omitted", func(s *store) {
		_, version := s.workflow("w")
		frame := len(`{"a":""}`)
		for _, test := range []struct {
			size  int
			shown bool
		}{{run.MaxListedInputs, true}, {run.MaxListedInputs + 2, false}} {
			one := s.newRun(version)
			one.Inputs = s.tree(`{"a":"` + strings.Repeat("ü", (test.size-frame)/2) + `"}`)
			s.equal(len(one.Inputs.Raw()), test.size)
			s.run(one)
			found, _, err := s.Runs.ListRuns(s.ctx, s.workspace, run.ListQuery{WorkflowID: version.EntityID, Page: entity.Page{Limit: 1}})
			s.ok(err)
			s.equal(len(found[0].Inputs.Raw()) == test.size, test.shown)
			s.equal(len(found[0].Inputs.Raw()) == 0, !test.shown)
		}
	}},
}
