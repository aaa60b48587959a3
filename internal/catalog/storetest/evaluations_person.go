package storetest

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fault"
)

// waitingRun adds a run in which two cells wait, the second for Ann only.
func (s *store) waitingRun(of eval.Evaluation) (eval.Run, []eval.Column) {
	s.t.Helper()
	run := s.reportRun(of, "r")
	columns := check.Must(s.Evaluations.ReportRunColumns(s.ctx, run.ID))(s.t)
	rows := []eval.Row{
		{Position: 0, Cells: `[false,null]`, Waiting: []eval.WaitingCell{{ColumnID: columns[1].ID}}},
		{Position: 2, Cells: `[[1],false]`, Waiting: []eval.WaitingCell{{ColumnID: columns[2].ID, People: []string{"Bob@x.test", "Ann_1@x.test"}}}},
	}
	for _, waiting := range []int64{2, 0} { // saving again adds nothing
		s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, rows, eval.Progress{Waiting: waiting}))
	}
	return s.getRun(run.ID), columns
}

// usedWorkflows returns versions of workflows: the column, the workflow, the version
// and the number of runs.
func usedWorkflows(numbers ...[4]int64) (used []eval.UsedWorkflow) {
	for _, n := range numbers {
		used = append(used, eval.UsedWorkflow{ColumnID: n[0], ID: n[1], Version: n[2], Runs: n[3]})
	}
	return used
}

// openCells returns the open cells, each as the positions of its row and column,
// and the number of all.
func (s *store) openCells(workspace int64, query eval.OpenCellQuery) string {
	s.t.Helper()
	found, total, err := s.Evaluations.OpenReportCells(s.ctx, workspace, query)
	s.ok(err)
	text := ""
	for _, one := range found {
		text += fmt.Sprintf("%d/%d ", one.Position, one.Column.Position)
	}
	return fmt.Sprint(text, "of ", total)
}

func (s *store) answerOf(position, column int64, value string) eval.Answer {
	return eval.Answer{Position: position, ColumnID: column, Value: s.tree(value), Comment: pointer("ü"), Author: "ann@x.test", At: noon}
}

var personCellCases = []testCase{
	{"open cells are listed", func(s *store) {
		of := s.evaluation("e")
		run, columns := s.waitingRun(of)
		s.equal(run.Counts, eval.Counts{Waiting: 2, Queued: 6})
		s.equal(run.State, eval.StateRows)
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{}), "0/2 2/3 of 2")
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{Page: entity.Page{Limit: 1, Offset: 1}}), "2/3 of 2")
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{ReportID: &run.ID}), "0/2 2/3 of 2")
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{ReportID: &of.Entity.ID}), "0/2 2/3 of 2")
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{ReportID: new(int64(-1)), Page: entity.Page{Limit: 5}}), "of 0")
		s.equal(s.openCells(s.other, eval.OpenCellQuery{}), "of 0")
		for address, want := range map[string]string{
			"ANN_1@x.test": "0/2 2/3 of 2", "bob@X.test": "0/2 2/3 of 2", "ann@x.test": "0/2 of 1", "ann%": "0/2 of 1", "AnnX1@x.test": "0/2 of 1", "": "0/2 of 1",
		} {
			s.equal(s.openCells(s.workspace, eval.OpenCellQuery{AskedOf: &address}), want)
		}
		check.Must(s.Evaluations.ArchiveReportRuns(s.ctx, s.workspace, []int64{run.ID}))(s.t)
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{}), "of 0")
		s.fails(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(0, columns[1].ID, "1")), fault.Conflict)
	}},
	{"answers queue the run", func(s *store) {
		run, columns := s.waitingRun(s.evaluation("e"))
		s.equal(check.Must(s.Evaluations.PauseReportRun(s.ctx, run.ID))(s.t), eval.StateWaiting)
		s.equal(s.getRun(run.ID).State, eval.StateWaiting)
		s.fails(s.Evaluations.AnswerReportCell(s.ctx, s.other, run.ID, s.answerOf(0, columns[1].ID, "1")), fault.Conflict)
		s.fails(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(1, columns[1].ID, "1")), fault.Conflict)
		s.equal(s.getRun(run.ID).State, eval.StateWaiting)
		s.equal(len(check.Must(s.Runs.OpenJobs(s.ctx, nil, 9))(s.t)), 0)

		s.ok(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(0, columns[1].ID, "1.50")))
		s.equal(len(check.Must(s.Runs.OpenJobs(s.ctx, nil, 9))(s.t)), 1)
		answered := s.getRun(run.ID)
		s.equal([]any{answered.State, answered.Counts.Waiting, answered.Revision > run.Revision}, []any{eval.StateAnswers, int64(1), true})
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{}), "2/3 of 1")
		s.equal(check.Must(s.Evaluations.PauseReportRun(s.ctx, run.ID))(s.t), eval.StateAnswers)
		s.equal(check.Must(s.Evaluations.AnsweredRows(s.ctx, run.ID, 5))(s.t), []int64{0})

		first := check.Must(s.Evaluations.ReportAnswers(s.ctx, run.ID, 0, 4, true))(s.t)
		one := first[0]
		s.equal(fmt.Sprintf("%d %s %s %s %t %d", len(first), one.Value.Raw(), *one.Comment, one.Author, one.At.Equal(noon), one.Revision), "1 1.50 ü ann@x.test true 1")
		s.ok(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(0, columns[1].ID, "2")))
		s.equal(s.getRun(run.ID).Counts.Waiting, int64(1))
		used := []eval.Row{{Position: 0, Cells: `[[1.50],[3]]`, Final: true, Used: first}}
		s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, used, eval.Progress{Completed: 2}))
		second := check.Must(s.Evaluations.ReportAnswers(s.ctx, run.ID, 0, 4, true))(s.t)
		s.equal(len(second), 1) // the later answer is not used yet
		used[0].Used = second
		s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, used, eval.Progress{}))
		s.equal(len(check.Must(s.Evaluations.ReportAnswers(s.ctx, run.ID, 0, 4, true))(s.t)), 0)
		s.equal(len(check.Must(s.Evaluations.ReportAnswers(s.ctx, run.ID, 1, 4, false))(s.t)), 0)
		s.equal(check.Must(s.Evaluations.ReportAnswers(s.ctx, run.ID, 0, 1, false))(s.t)[0].Used, true)
		s.equal(check.Must(s.Evaluations.PauseReportRun(s.ctx, run.ID))(s.t), eval.StateWaiting)
	}},
	{"rows with answers", func(s *store) {
		run, columns := s.waitingRun(s.evaluation("e"))
		s.equal(check.Must(s.Evaluations.RowsWithAnswers(s.ctx, run.ID, 0, 9))(s.t), []int64{})
		for _, revision := range []string{"1", "2"} {
			s.ok(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(0, columns[1].ID, revision)))
		}
		s.equal(check.Must(s.Evaluations.RowsWithAnswers(s.ctx, run.ID, 0, 9))(s.t), []int64{0})
		s.ok(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(2, columns[2].ID, "1")))
		s.equal(check.Must(s.Evaluations.RowsWithAnswers(s.ctx, run.ID, 0, 9))(s.t), []int64{0, 2})
		s.equal(check.Must(s.Evaluations.RowsWithAnswers(s.ctx, run.ID, 0, 1))(s.t), []int64{0})
		s.equal(check.Must(s.Evaluations.RowsWithAnswers(s.ctx, run.ID, 1, 9))(s.t), []int64{2})
		s.equal(check.Must(s.Evaluations.RowsWithAnswers(s.ctx, run.ID+1, 0, 9))(s.t), []int64{})
	}},
	{"workflows of a run", func(s *store) {
		run := s.reportRun(s.evaluation("e"), "r")
		s.equal(check.Must(s.Evaluations.ReportRunWorkflows(s.ctx, run.ID, 9))(s.t), []eval.UsedWorkflow{})
		for range 2 {
			s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, nil, eval.Progress{Workflows: usedWorkflows([4]int64{1, 5, 2, 3}, [4]int64{2, 5, 1, 4}, [4]int64{1, 5, 3, 3})}))
		}
		s.ok(s.Evaluations.SaveReportRows(s.ctx, run.ID, nil, eval.Progress{}))
		s.equal(check.Must(s.Evaluations.ReportRunWorkflows(s.ctx, run.ID, 9))(s.t), usedWorkflows([4]int64{2, 5, 1, 8}, [4]int64{1, 5, 3, 6}, [4]int64{1, 5, 2, 6}))
		s.equal(check.Must(s.Evaluations.ReportRunWorkflows(s.ctx, run.ID, 1))(s.t), usedWorkflows([4]int64{2, 5, 1, 8}))
		s.equal(check.Must(s.Evaluations.ReportRunWorkflows(s.ctx, run.ID+1, 9))(s.t), []eval.UsedWorkflow{})
	}},
	{"cancelled runs do not wait", func(s *store) {
		run, _ := s.waitingRun(s.evaluation("e"))
		s.equal(check.Must(s.Evaluations.QueueReportRun(s.ctx, s.other, run.ID))(s.t), false)
		s.equal(check.Must(s.Evaluations.QueueReportRun(s.ctx, s.workspace, run.ID))(s.t), true)
		_, found, err := s.Runs.CancelJob(s.ctx, s.workspace, eval.Kind, run.ID)
		s.equal(check.Must(found, err)(s.t), true)
		s.equal(check.Must(s.Evaluations.PauseReportRun(s.ctx, run.ID))(s.t), eval.StateCancelled)
		s.equal(s.getRun(run.ID).State, eval.StateRows)
	}},
	{"no cell waits after the end", func(s *store) {
		run, columns := s.waitingRun(s.evaluation("e"))
		s.ok(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(0, columns[1].ID, "1")))
		end := eval.End{At: noon, Note: "note", Revision: run.Revision}
		s.equal(check.Must(s.Evaluations.EndReportRun(s.ctx, run.ID, end))(s.t), false)
		end.Revision = s.getRun(run.ID).Revision
		s.equal(check.Must(s.Evaluations.EndReportRun(s.ctx, run.ID, end))(s.t), true)
		s.equal(s.openCells(s.workspace, eval.OpenCellQuery{}), "of 0")
		s.equal(s.getRun(run.ID).Counts, eval.Counts{Failed: 8})
		s.equal(len(check.Must(s.Evaluations.ReportAnswers(s.ctx, run.ID, 0, 4, false))(s.t)), 1)
		s.fails(s.Evaluations.AnswerReportCell(s.ctx, s.workspace, run.ID, s.answerOf(0, columns[1].ID, "1")), fault.Conflict)
		s.equal(check.Must(s.Evaluations.QueueReportRun(s.ctx, s.workspace, run.ID))(s.t), false)
	}},
}
