package catalogtest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// eachVersion returns the bodies of a page of versions, and the total.
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
	{"each version of a page, newest first", func(s *store) {
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
	{"a version is passed on whole, and an error ends it", func(s *store) {
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
		s.version(owner.ID, `3`) // nothing of it is still under way
	}},
	{"labels by version, in the order of their names", func(s *store) {
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

// runIDs lists runs.
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
	{"runs are listed newest first, by pages and by status", func(s *store) {
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
	{"a run is listed with all but its metadata", func(s *store) {
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
	{"inputs are listed up to a size", func(s *store) {
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

var reportRunListCases = []testCase{
	{"runs of an evaluation, newest first, by pages", func(s *store) {
		of, other := s.evaluation("e"), s.evaluation("other")
		a, b := s.reportRun(of, "a"), s.reportRun(of, "b")
		s.reportRun(other, "x")
		c := s.reportRun(of, "c")
		check.Must(s.Evaluations.ArchiveReportRuns(s.ctx, s.workspace, []int64{b.ID}))(s.t)
		b = s.getRun(b.ID)
		for _, test := range []struct {
			status entity.Status
			page   entity.Page
			runs   []eval.Run
			total  int64
		}{
			{entity.Live, entity.Page{}, []eval.Run{c, a}, 2},
			{entity.LiveOrDeleted, entity.Page{Limit: 2}, []eval.Run{c, b}, 3},
			{entity.LiveOrDeleted, entity.Page{Limit: 2, Offset: 2}, []eval.Run{a}, 3},
			{entity.LiveOrDeleted, entity.Page{Limit: 2, Offset: 4}, []eval.Run{}, 3},
			{entity.Deleted, entity.Page{Limit: 1}, []eval.Run{b}, 1},
		} {
			runs, total, err := s.Evaluations.ListReportRuns(s.ctx, s.workspace, of.Entity.ID, test.status, test.page)
			s.ok(err)
			s.equal(runs, test.runs)
			s.equal(total, test.total)
		}
		runs, total, err := s.Evaluations.ListReportRuns(s.ctx, s.other, of.Entity.ID, entity.LiveOrDeleted, entity.Page{})
		s.ok(err)
		s.equal(len(runs), 0)
		s.equal(total, int64(0))
	}},
}

var draftRowCases = []testCase{
	{"a row is replaced, the others stay", func(s *store) {
		id, other := s.content(`[1]`, `[2]`, `[3]`), s.content(`[1]`, `[2]`)
		s.ok(s.Datasets.SetRow(s.ctx, id, 1, `["ü\u0000", 2.50]`))
		s.equal(s.rows(id), []string{`[1]`, `["ü\u0000", 2.50]`, `[3]`})
		s.equal(s.rows(other), []string{`[1]`, `[2]`})
		s.fails(s.Datasets.SetRow(s.ctx, id, 3, `[]`), fault.NotFound)
		s.fails(s.Datasets.SetRow(s.ctx, id, -1, `[]`), fault.NotFound)
		s.fails(s.Datasets.SetRow(s.ctx, 12345, 0, `[]`), fault.NotFound)
		s.fails(s.Datasets.SetRow(s.ctx, id, 0, "\x00"), fault.Invalid)
		s.equal(s.rows(id)[0], `[1]`)
	}},
	{"rows behind removed ones move up", func(s *store) {
		rows := make([]string, 700)
		for i := range rows {
			rows[i] = fmt.Sprintf(`[%d]`, i)
		}
		random := rand.New(rand.NewPCG(1, 2))
		for _, count := range []int{1, 2, 7, 350, 650, 700} {
			id, other := s.content(rows...), s.content(rows[:3]...)
			removed := random.Perm(len(rows))[:count]
			left, positions := slices.Clone(rows), []int64{}
			for _, position := range removed {
				left[position] = ""
				positions = append(positions, int64(position))
			}
			left = slices.DeleteFunc(left, func(row string) bool { return row == "" })
			s.ok(s.Datasets.RemoveRows(s.ctx, id, positions))
			s.equal(s.rows(id), left)
			s.equal(s.rows(other), rows[:3])
			s.ok(s.Datasets.AddRows(s.ctx, id, int64(len(left)), []string{`["next"]`}))
		}
	}},
	{"the first, the last and neighbours", func(s *store) {
		id := s.content(`[0]`, `[1]`, `[2]`, `[3]`, `[4]`, `[5]`)
		s.ok(s.Datasets.RemoveRows(s.ctx, id, []int64{5, 0, 0}))
		s.equal(s.rows(id), []string{`[1]`, `[2]`, `[3]`, `[4]`})
		s.ok(s.Datasets.RemoveRows(s.ctx, id, []int64{1, 2}))
		s.equal(s.rows(id), []string{`[1]`, `[4]`})
		s.ok(s.Datasets.RemoveRows(s.ctx, id, nil))
		s.equal(s.rows(id), []string{`[1]`, `[4]`})
	}},
	{"nothing is removed when one row does not exist", func(s *store) {
		id := s.content(`[0]`, `[1]`)
		s.fails(s.Datasets.RemoveRows(s.ctx, id, []int64{0, 2}), fault.NotFound)
		s.fails(s.Datasets.RemoveRows(s.ctx, 12345, []int64{0}), fault.NotFound)
		s.equal(s.rows(id), []string{`[0]`, `[1]`})
	}},
	{"how much rows take", func(s *store) {
		id := s.content(`["ü"]`, `[1]`, `[]`)
		for position, want := range []int64{11, 5, 2, 0} {
			s.equal(check.Must(s.Datasets.RowBytes(s.ctx, id, int64(position)))(s.t), want)
		}
	}},
}
