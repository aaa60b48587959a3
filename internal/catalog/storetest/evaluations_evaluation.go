package storetest

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
)

// evaluation adds an evaluation with an arbitrary dataset.
func (s *store) evaluation(name string) eval.Evaluation {
	s.t.Helper()
	created, _, err := s.Evaluations.CreateReport(s.ctx, entity.New{WorkspaceID: s.workspace, Kind: entity.KindReport, Name: name},
		eval.Evaluation{DatasetID: 77, Comment: pointer("why")}, nil)
	s.ok(err)
	return created
}

// columns returns a dataset column and two others.
func (s *store) columns() []eval.Column {
	s.t.Helper()
	return []eval.Column{
		{Position: 1, Type: eval.TypeDataset, Name: "q", Configuration: s.tree(`{}`)},
		{Position: 2, Type: "COUNT", Name: "ü", Configuration: s.tree(`{ "source" : "q", "x":1.50 }`)},
		{Position: 3, Type: "REGEX", Name: "same", Configuration: s.tree(`{}`), Scored: true},
	}
}

// reportRun adds a run of four rows.
func (s *store) reportRun(of eval.Evaluation, name string) eval.Run {
	s.t.Helper()
	created, _, err := s.Evaluations.CreateReportRun(s.ctx, eval.Run{
		Workspace: s.workspace, ReportID: of.Entity.ID, DatasetID: 78, Name: name, Tags: []string{"a", "b"}, Comment: pointer("c"),
		Scoring: &eval.Scoring{Code: "return 1", Language: "PYTHON"}, Rows: 4, Cells: 8, Creator: pointer("ann@x.test"), CreatedAt: noon,
	}, s.columns())
	s.ok(err)
	return created
}

func columnTexts(columns []eval.Column) []string {
	texts := []string{}
	for _, c := range columns {
		texts = append(texts, fmt.Sprintf("%d %s %q %s %t %s", c.Position, c.Type, c.Name, c.Configuration.Raw(), c.Scored, c.Score))
	}
	return texts
}

// ids returns the ids of columns.
func ids(columns []eval.Column) []int64 {
	list := []int64{}
	for _, c := range columns {
		list = append(list, c.ID)
	}
	return list
}

func (s *store) getRun(id int64) eval.Run {
	s.t.Helper()
	return check.Must(s.Evaluations.GetReportRun(s.ctx, s.workspace, id))(s.t)
}

var blueprintCases = []testCase{
	{"create and get, even when deleted", func(s *store) {
		one := s.evaluation("e")
		found := check.Must(s.Evaluations.GetReport(s.ctx, s.workspace, one.Entity.ID))(s.t)
		s.equal(found, one)
		one.Scoring = &eval.Scoring{Code: "c\n", Language: "JAVASCRIPT"}
		s.ok(s.Evaluations.SetReportScoring(s.ctx, s.workspace, one.Entity.ID, one.Scoring))
		s.ok(s.Evaluations.SetReportComment(s.ctx, s.workspace, one.Entity.ID, pointer("why")))
		s.fails(s.Evaluations.SetReportComment(s.ctx, s.other, one.Entity.ID, nil), fault.NotFound)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{one.Entity.ID}))(s.t)
		found = check.Must(s.Evaluations.GetReport(s.ctx, s.workspace, one.Entity.ID))(s.t)
		s.equal(found.Scoring, one.Scoring)
		s.equal(found.Comment, pointer("why"))
		s.fails(s.Evaluations.SetReportComment(s.ctx, s.workspace, one.Entity.ID, nil), fault.NotFound)
		s.equal(found.Entity.DeletedAt != nil, true)
		s.fails(check.Failure(s.Evaluations.GetReport(s.ctx, s.other, one.Entity.ID)), fault.NotFound)
		s.fails(s.Evaluations.SetReportScoring(s.ctx, s.workspace, one.Entity.ID, nil), fault.NotFound)
	}},
	{"other entities are not evaluations", func(s *store) {
		s.fails(check.Failure(s.Evaluations.GetReport(s.ctx, s.workspace, s.prompt("p").ID)), fault.NotFound)
	}},
	{"create with columns", func(s *store) {
		input := entity.New{WorkspaceID: s.workspace, Kind: entity.KindReport, Name: "e"}
		created, columns, err := s.Evaluations.CreateReport(s.ctx, input, eval.Evaluation{DatasetID: 1}, s.columns())
		s.ok(err)
		s.equal(columnTexts(check.Must(s.Evaluations.ReportColumns(s.ctx, created.Entity.ID))(s.t)), columnTexts(s.columns()))
		s.equal(ids(check.Must(s.Evaluations.ReportColumns(s.ctx, created.Entity.ID))(s.t)), ids(columns))
	}},
	{"fill a list", func(s *store) {
		first, second := s.evaluation("a"), s.evaluation("b")
		list := []eval.Evaluation{{Entity: second.Entity}, {Entity: first.Entity}, {Entity: s.prompt("p")}}
		s.ok(s.Evaluations.FillReports(s.ctx, s.workspace, list))
		s.equal(list[0], second)
		s.equal(list[1], first)
		s.equal(list[2].Comment, (*string)(nil))
	}},
	{"find live evaluations by name", func(s *store) {
		first, gone, second := s.evaluation("same"), s.evaluation("same"), s.evaluation("same")
		s.evaluation("Same")
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{gone.Entity.ID}))(s.t)
		s.equal(check.Must(s.Evaluations.LiveReports(s.ctx, s.workspace, "same"))(s.t), []int64{first.Entity.ID, second.Entity.ID})
		s.equal(check.Must(s.Evaluations.LiveReports(s.ctx, s.other, "same"))(s.t), []int64{})
	}},
	{"columns keep their ids", func(s *store) {
		one := s.evaluation("e")
		saved := check.Must(s.Evaluations.SaveReportColumns(s.ctx, s.workspace, one.Entity.ID, s.columns()))(s.t)
		s.equal(columnTexts(check.Must(s.Evaluations.ReportColumns(s.ctx, one.Entity.ID))(s.t)), columnTexts(s.columns()))
		changed := []eval.Column{saved[0], saved[2], {Type: "COUNT", Name: "new", Configuration: s.tree(`{}`)}}
		for i := range changed {
			changed[i].Position = int64(i + 1)
		}
		again := check.Must(s.Evaluations.SaveReportColumns(s.ctx, s.workspace, one.Entity.ID, changed))(s.t)
		s.equal(ids(again)[:2], []int64{saved[0].ID, saved[2].ID})
		s.equal(slices.Contains(ids(saved), again[2].ID), false)
		s.equal(ids(check.Must(s.Evaluations.ReportColumns(s.ctx, one.Entity.ID))(s.t)), ids(again))
		s.equal(changed[2].ID, int64(0))
	}},
	{"columns of unknown evaluations are rejected", func(s *store) {
		s.fails(check.Failure(s.Evaluations.SaveReportColumns(s.ctx, s.workspace, 1_000_000, s.columns())), fault.NotFound)
		s.fails(check.Failure(s.Evaluations.SaveReportColumns(s.ctx, s.other, s.evaluation("e").Entity.ID, s.columns())), fault.NotFound)
	}},
	{"find the owner of a column", func(s *store) {
		one := s.evaluation("e")
		saved := check.Must(s.Evaluations.SaveReportColumns(s.ctx, s.workspace, one.Entity.ID, s.columns()))(s.t)
		run := s.reportRun(one, "r")
		own := check.Must(s.Evaluations.ReportRunColumns(s.ctx, run.ID))(s.t)
		s.equal(check.Must(s.Evaluations.FindReportColumn(s.ctx, s.workspace, saved[1].ID))(s.t), one.Entity.ID)
		s.equal(check.Must(s.Evaluations.FindReportColumn(s.ctx, s.workspace, own[1].ID))(s.t), run.ID)
		for _, id := range ids(own) {
			s.equal(slices.Contains(ids(saved), id), false)
			s.fails(check.Failure(s.Evaluations.FindReportColumn(s.ctx, s.other, id)), fault.NotFound)
		}
		s.fails(check.Failure(s.Evaluations.FindReportColumn(s.ctx, s.other, saved[0].ID)), fault.NotFound)
	}},
	{"changes set the update time", func(s *store) {
		one := s.evaluation("e")
		before := s.get(one.Entity.ID).UpdatedAt
		check.Must(s.Evaluations.SaveReportColumns(s.ctx, s.workspace, one.Entity.ID, nil))(s.t)
		s.equal(s.get(one.Entity.ID).UpdatedAt.Before(before), false)
	}},
}

var reportRunCases = []testCase{
	{"create and get a run", func(s *store) {
		of := s.evaluation("e")
		run := s.reportRun(of, "r")
		want := eval.Run{
			ID: run.ID, Workspace: s.workspace, ReportID: of.Entity.ID, DatasetID: 78, Name: "r", Tags: []string{"a", "b"}, Comment: pointer("c"),
			Scoring: &eval.Scoring{Code: "return 1", Language: "PYTHON"}, Rows: 4, Cells: 8, Counts: eval.Counts{Queued: 8}, State: eval.StateRows,
			Creator: pointer("ann@x.test"), CreatedAt: noon, UpdatedAt: noon,
		}
		s.equal(run, want)
		s.equal(s.getRun(run.ID), want)
		s.equal(columnTexts(check.Must(s.Evaluations.ReportRunColumns(s.ctx, run.ID))(s.t)), columnTexts(s.columns()))
		s.fails(check.Failure(s.Evaluations.GetReportRun(s.ctx, s.other, run.ID)), fault.NotFound)
		s.fails(check.Failure(s.Evaluations.GetReportRun(s.ctx, s.workspace, of.Entity.ID)), fault.NotFound)
	}},
	{"runs of unknown evaluations are rejected", func(s *store) {
		_, _, err := s.Evaluations.CreateReportRun(s.ctx, eval.Run{Workspace: s.workspace, ReportID: 1_000_000, CreatedAt: noon}, nil)
		s.fails(err, fault.NotFound)
	}},
	{"newest runs of each evaluation", func(s *store) {
		first, second := s.evaluation("a"), s.evaluation("b")
		var runs []int64
		for _, of := range []eval.Evaluation{first, second, first, first} {
			runs = append(runs, s.reportRun(of, "r").ID)
		}
		s.equal(check.Must(s.Evaluations.ArchiveReportRuns(s.ctx, s.workspace, runs[2:3]))(s.t), int64(1))
		both := []int64{first.Entity.ID, second.Entity.ID}
		list := func(status entity.Status, limit int) map[int64][]int64 {
			found := map[int64][]int64{}
			for id, runs := range check.Must(s.Evaluations.ReportRuns(s.ctx, s.workspace, both, status, limit))(s.t) {
				for _, run := range runs {
					found[id] = append(found[id], run.ID)
				}
			}
			return found
		}
		s.equal(list(entity.Live, 10), map[int64][]int64{both[0]: {runs[3], runs[0]}, both[1]: {runs[1]}})
		s.equal(list(entity.LiveOrDeleted, 2), map[int64][]int64{both[0]: {runs[3], runs[2]}, both[1]: {runs[1]}})
		s.equal(list(entity.Deleted, 10), map[int64][]int64{both[0]: {runs[2]}})
		s.equal(len(check.Must(s.Evaluations.ReportRuns(s.ctx, s.other, both, entity.Live, 10))(s.t)), 0)
		count := func(workspace int64, status entity.Status) map[int64]int64 {
			return check.Must(s.Evaluations.CountReportRuns(s.ctx, workspace, append(both, both[0]), status))(s.t)
		}
		s.equal(count(s.workspace, entity.Live), map[int64]int64{both[0]: 2, both[1]: 1})
		s.equal(count(s.workspace, entity.LiveOrDeleted), map[int64]int64{both[0]: 3, both[1]: 1})
		s.equal(count(s.workspace, entity.Deleted), map[int64]int64{both[0]: 1})
		s.equal(count(s.other, entity.Live), map[int64]int64{})
		s.equal(check.Must(s.Evaluations.CountReportRuns(s.ctx, s.workspace, nil, entity.Live))(s.t), map[int64]int64{})
	}},
	{"datasets of an evaluation and its runs", func(s *store) {
		of := s.evaluation("e")
		run := s.reportRun(of, "r")
		s.reportRun(of, "r")
		s.equal(check.Must(s.Evaluations.ReportDatasets(s.ctx, s.workspace, of.Entity.ID))(s.t), []int64{77, 78})
		s.equal(check.Must(s.Evaluations.ReportDatasets(s.ctx, s.workspace, run.ID))(s.t), []int64{78})
		s.equal(check.Must(s.Evaluations.ReportDatasets(s.ctx, s.other, of.Entity.ID))(s.t), []int64{})
	}},
	{"archived runs cannot be renamed", func(s *store) {
		run := s.reportRun(s.evaluation("e"), "r")
		s.ok(s.Evaluations.PatchReportRun(s.ctx, s.workspace, run.ID, eval.Patch{Name: pointer("other")}))
		s.equal(s.getRun(run.ID).Name, "other")
		s.equal(s.getRun(run.ID).Tags, []string{"a", "b"})
		s.ok(s.Evaluations.PatchReportRun(s.ctx, s.workspace, run.ID, eval.Patch{Tags: []string{}}))
		s.equal(s.getRun(run.ID).Tags, []string{})
		s.ok(s.Evaluations.PatchReportRun(s.ctx, s.workspace, run.ID, eval.Patch{Comment: pointer("why")}))
		s.ok(s.Evaluations.PatchReportRun(s.ctx, s.workspace, run.ID, eval.Patch{Name: pointer("other")}))
		s.equal(s.getRun(run.ID).Comment, pointer("why"))
		s.ok(s.Evaluations.PatchReportRun(s.ctx, s.workspace, run.ID, eval.Patch{Comment: pointer("")}))
		s.equal(s.getRun(run.ID).Comment == nil, true)
		s.fails(s.Evaluations.PatchReportRun(s.ctx, s.other, run.ID, eval.Patch{Name: pointer("x")}), fault.NotFound)
		s.fails(s.Evaluations.PatchReportRun(s.ctx, s.workspace, run.ID, eval.Patch{Name: pointer("")}), fault.Invalid)
		s.equal(check.Must(s.Evaluations.LiveReportRuns(s.ctx, s.workspace, "other"))(s.t), []int64{run.ID})
		s.equal(check.Must(s.Evaluations.ArchiveReportRuns(s.ctx, s.other, []int64{run.ID}))(s.t), int64(0))
		s.equal(check.Must(s.Evaluations.ArchiveReportRuns(s.ctx, s.workspace, []int64{run.ID, run.ID}))(s.t), int64(1))
		s.equal(check.Must(s.Evaluations.ArchiveReportRuns(s.ctx, s.workspace, []int64{run.ID}))(s.t), int64(0))
		s.fails(s.Evaluations.PatchReportRun(s.ctx, s.workspace, run.ID, eval.Patch{Name: pointer("x")}), fault.NotFound)
		s.equal(check.Must(s.Evaluations.LiveReportRuns(s.ctx, s.workspace, "other"))(s.t), []int64{})
		s.equal(s.getRun(run.ID).ArchivedAt != nil, true)
	}},
	{"runs outlive soft deletion of their evaluation", func(s *store) {
		gone, hidden := s.evaluation("gone"), s.evaluation("hidden")
		lost, stays := s.reportRun(gone, "r"), s.reportRun(hidden, "r")
		s.ok(s.Evaluations.SaveReportRows(s.ctx, lost.ID, []eval.Row{{Cells: "[]"}}, eval.Progress{}))
		check.Must(s.Entities.RemoveEntities(s.ctx, s.workspace, []int64{gone.Entity.ID}))(s.t)
		check.Must(s.Entities.SoftDelete(s.ctx, s.workspace, []int64{hidden.Entity.ID}))(s.t)
		s.fails(check.Failure(s.Evaluations.GetReportRun(s.ctx, s.workspace, lost.ID)), fault.NotFound)
		s.equal(len(check.Must(s.Evaluations.ReportRows(s.ctx, lost.ID, 0, 9, 9))(s.t)), 0)
		s.equal(s.getRun(stays.ID).Name, "r")
	}},
}

var reportRowCases = []testCase{
	{"rows are replaced and keep their bytes", func(s *store) {
		run := s.reportRun(s.evaluation("e"), "r")
		rows := []eval.Row{{Position: 2, Cells: `[null,true]`}, {Position: 0, Cells: `["ü\u0000",[ 1.50 ]]`, Final: true}}
		s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, rows, eval.Progress{Completed: 1, Failed: 1, Running: 1}))
		s.equal(check.Must(s.Evaluations.ReportRows(s.ctx, run.ID, 0, 4, 4))(s.t), []eval.Row{rows[1], rows[0]})
		s.equal(s.getRun(run.ID).Counts, eval.Counts{Completed: 1, Failed: 1, Running: 1, Queued: 5})
		rows[0] = eval.Row{Position: 2, Cells: `[[1],[2]]`, Final: true}
		s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, rows[:1], eval.Progress{Completed: 2}))
		s.equal(check.Must(s.Evaluations.ReportRows(s.ctx, run.ID, 1, 4, 4))(s.t), rows[:1])
		s.equal(check.Must(s.Evaluations.ReportRows(s.ctx, run.ID, 0, 2, 4))(s.t), rows[1:])
		s.equal(check.Must(s.Evaluations.ReportRows(s.ctx, run.ID, 0, 4, 1))(s.t), rows[1:])
		s.equal(s.getRun(run.ID).Counts, eval.Counts{Completed: 3, Failed: 1, Queued: 4})
	}},
	{"rows of unknown runs are rejected", func(s *store) {
		s.fails(s.Evaluations.SaveReportRows(s.ctx, 1_000_000, []eval.Row{{Cells: "[]"}}, eval.Progress{}), fault.NotFound)
	}},
	{"many rows in one call", func(s *store) {
		run := s.reportRun(s.evaluation("e"), "r")
		rows := make([]eval.Row, 2000)
		for i := range rows {
			rows[i] = eval.Row{Position: int64(i), Cells: fmt.Sprintf("[[%d]]", i), Final: i%2 == 0}
		}
		for range 2 {
			s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, rows, eval.Progress{}))
		}
		s.equal(check.Must(s.Evaluations.ReportRows(s.ctx, run.ID, 0, 2000, 2000))(s.t), rows)
	}},
	{"a run ends unless its scoring changed", func(s *store) {
		run := s.reportRun(s.evaluation("e"), "r")
		columns := check.Must(s.Evaluations.ReportRunColumns(s.ctx, run.ID))(s.t)
		s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, nil, eval.Progress{Completed: 5, Failed: 1, Running: 2}))
		s.equal(check.Must(s.Evaluations.SetScoreCard(s.ctx, s.workspace, run.ID, eval.ScoreCard{Scored: []int64{columns[1].ID}}))(s.t), true)
		end := eval.End{
			At: noon.Add(time.Minute), Note: "note", Revision: run.Revision,
			Result: eval.Result{Score: `{"overall_score":1}`, Matrix: "[]", Failure: "f"}, Scores: map[int64]string{columns[1].ID: "12.5"},
		}
		s.equal(check.Must(s.Evaluations.EndReportRun(s.ctx, run.ID, end))(s.t), false)
		changed := s.getRun(run.ID)
		s.equal(changed.EndedAt == nil && changed.Scoring == nil, true)
		end.Revision = changed.Revision
		s.equal(check.Must(s.Evaluations.EndReportRun(s.ctx, run.ID, end))(s.t), true)
		ended := s.getRun(run.ID)
		s.equal(ended.Result, end.Result)
		s.equal(*ended.EndedAt, end.At)
		s.equal(ended.EndNote, "note")
		s.equal(ended.Counts, eval.Counts{Completed: 5, Failed: 3})
		columns[1].Score, columns[1].Scored, columns[2].Scored = "12.5", true, false
		s.equal(columnTexts(check.Must(s.Evaluations.ReportRunColumns(s.ctx, run.ID))(s.t)), columnTexts(columns))
	}},
	{"score cards depend on whether the run has ended", func(s *store) {
		run := s.reportRun(s.evaluation("e"), "r")
		columns := check.Must(s.Evaluations.ReportRunColumns(s.ctx, run.ID))(s.t)
		late := eval.ScoreCard{
			Scored: ids(columns)[1:], Scoring: &eval.Scoring{Code: "x", Language: "PYTHON"},
			Result: &eval.Result{Score: `{}`, Matrix: "[[]]"}, Scores: map[int64]string{columns[2].ID: "1"},
		}
		set := func(card eval.ScoreCard) bool {
			return check.Must(s.Evaluations.SetScoreCard(s.ctx, s.workspace, run.ID, card))(s.t)
		}
		s.equal(set(late), false)
		s.equal(check.Must(s.Evaluations.EndReportRun(s.ctx, run.ID, eval.End{At: noon}))(s.t), true)
		s.equal(set(eval.ScoreCard{}), false)
		s.equal(check.Must(s.Evaluations.SetScoreCard(s.ctx, s.other, run.ID, late))(s.t), false)
		s.equal(set(late), true)
		s.equal(s.getRun(run.ID).Result, *late.Result)
		s.equal(s.getRun(run.ID).Scoring, late.Scoring)
		columns = check.Must(s.Evaluations.ReportRunColumns(s.ctx, run.ID))(s.t)
		s.equal([]bool{columns[0].Scored, columns[1].Scored, columns[2].Scored}, []bool{false, true, true})
		s.equal(columns[2].Score, "1")
	}},
	{"uncommitted progress is invisible", func(s *store) {
		run := s.reportRun(s.evaluation("e"), "r")
		err := s.InTx(s.ctx, func(ctx context.Context) error {
			s.ok(s.Evaluations.SaveReportRows(ctx, run.ID, []eval.Row{{Cells: "[]"}}, eval.Progress{Completed: 1}))
			return errOurs
		})
		s.equal(err != nil, true)
		s.equal(s.getRun(run.ID).Counts, eval.Counts{Queued: 8})
		s.equal(len(check.Must(s.Evaluations.ReportRows(s.ctx, run.ID, 0, 4, 4))(s.t)), 0)
	}},
}
